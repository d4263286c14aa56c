// SPDX-License-Identifier: Apache-2.0

// Command nicgen emits SystemVerilog units for NIC transport algorithms and proves them equal to
// bit-exact models. See `nicgen help`.
package main

import (
	"os"

	"github.com/nicgen/nicgen/cli"
	"github.com/nicgen/nicgen/registry"
)

func main() { os.Exit(cli.Main(registry.With())) }
