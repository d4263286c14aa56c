// SPDX-License-Identifier: Apache-2.0

package gen

import "github.com/nicgen/nicgen/gen/device"

// Library is the name of the parts that units share: of their folder, next to the units' folders,
// and of the files in it that are not SystemVerilog.
const Library = "lib"

// Emission is a configuration in emitted form: the names and files in lists, constraints and
// scripts.
type Emission struct {
	Config
	Prefix  string   // before every name of the run, see Prefixed; empty: none
	Variant string   // distinguishes the configuration from the default one; empty for the default
	Parts   []string // the shared parts that it needs, in compile order, in Library's folder
	Sources []string // its own files, in compile order

	Part       *device.Part      // that it is built for; nil: the default one
	Directives map[string]string // of steps of Vivado, by the step's name, see package vivado
}

// Device returns the part that it is built for.
func (e Emission) Device() device.Part {
	if e.Part == nil {
		return device.Default()
	}
	return *e.Part
}

// Prefixed returns a name under the prefix of a run: a_reps for reps under a.
func Prefixed(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "_" + name
}

// Name returns the name of the folder and of the files in it that are not SystemVerilog.
func (e Emission) Name() string { return Prefixed(e.Prefix, e.Unit()) }

// Top returns the name of the top module.
func (e Emission) Top() string { return Prefixed(e.Prefix, e.Config.Top()) }

// Library returns the path of the folder of the shared parts, from the unit's folder.
func (e Emission) Library() string { return "../" + Prefixed(e.Prefix, Library) }
