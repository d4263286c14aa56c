// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package tool

import "os/exec"

func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
