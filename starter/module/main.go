// SPDX-License-Identifier: Apache-2.0

// Command module is nicgen with one more unit.
package main

import (
	"os"

	"github.com/nicgen/nicgen/cli"
	"github.com/nicgen/nicgen/registry"
	markrun "github.com/nicgen/nicgen/starter/module/tb/mark_run"
)

func main() { os.Exit(cli.Main(registry.With(markrun.Entry))) }
