// SPDX-License-Identifier: Apache-2.0

// Package grammar is the ANTLR parser of nicgen's SystemVerilog subset, made
// from NicgenSV.g4. Use package svparse, which wraps it.
package grammar

//go:generate go run generate.go
