// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"io"
	"reflect"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/plant"
	"github.com/nicgen/nicgen/tb/proof"
)

// Groups of nicgen's units.
const (
	PathChoice   = "Path choice"
	Windows      = "Windows and rates"
	Reservations = "Reservations"
	NIC          = "NIC"
)

// Entry is a unit with all that it brings: what tb/<unit> exports for the registry, which adds the hosts of
// sim/host. Only New is needed; what is not there is not offered for the unit.
type Entry struct {
	// New returns the default configuration.
	New func() gen.Config
	// Group is one of the groups of units in lists, or another name for a module's own.
	Group string
	// ByName is set if commands with long runs take the unit only where it is named: a block of
	// other units.
	ByName bool
	// Bench returns the random bench of a configuration that New made and
	// that is valid.
	Bench func(cfg gen.Config) (cosim.Bench, error)
	// Soak returns the bench of long runs; nil: Bench.
	Soak func(cfg gen.Config) (cosim.Bench, error)
	// Trace returns a bench that plays a recorded trace: name is the trace's
	// name for messages, r its file, which may be compressed by gzip.
	Trace func(cfg gen.Config, name string, r io.Reader) (cosim.Bench, error)
	// Measure returns the inputs that toggle in a speed measurement of a configuration, and
	// those that keep a value; nil: all of them toggle.
	Measure func(cfg gen.Config) cosim.MeasureOptions
	// Published holds the published figures that a synthesis report prints next to ours.
	Published *synth.Published
	// Transport makes what hosts of a simulated network run, by the unit's golden model or its
	// RTL in lockstep with it.
	Transport transport.Maker
	// Endpoints makes whole hosts of a simulated network, of the unit and those that it works with.
	Endpoints transport.EndpointsMaker
	// Mutation controls the grading of the bench with mutants; nil: in the default
	// configuration.
	Mutation *Mutation
	// Proofs are the properties that are proved for every stimulus.
	Proofs *proof.Proofs
	// Upset defines the legal behaviour after bits of the unit's state changed.
	Upset *Upset
	// Unreachable are lines of the RTL that no stimulus of ports reaches.
	Unreachable []Unreachable
	// Evidence says in which configurations, and for how long, the unit is run for
	// the records below docs/data.
	Evidence Evidence
}

// Nicgen is the import path of nicgen's own module.
const Nicgen = "github.com/nicgen/nicgen"

// Module returns the import path of the module with the packages gen/<unit>, model/<unit> and
// tb/<unit>: the configuration's type is in the first of them. A unit of another layout counts as
// nicgen's.
func (e *Entry) Module() string {
	cfg := e.New()
	t := reflect.TypeOf(cfg)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if module, ok := strings.CutSuffix(t.PkgPath(), "/gen/"+cfg.Unit()); ok {
		return module
	}
	return Nicgen
}

// Package returns the import path of one of the unit's packages: of "model", it is
// <module>/model/<unit>.
func (e *Entry) Package(room string) string { return e.Module() + "/" + room + "/" + e.New().Unit() }

// Subject is the unit as the prover knows it.
func (e *Entry) Subject() proof.Subject {
	return proof.Subject{Name: e.New().Unit(), New: e.New, Proofs: e.Proofs}
}

// Unreachable is a line or branch of the RTL that no stimulus of a unit's ports reaches.
type Unreachable struct {
	File   string
	Line   string // its text, and the branch: "if (a) begin (else)"
	Chance bool   // power-up values may reach it
	Reason string
}

// Evidence lists the runs behind the records of a unit, except the default configuration in
// the default length. Configurations are texts of "key=value" words on top of the default
// one.
type Evidence struct {
	// Configurations are the configurations, besides the default one, that run as netlists
	// and in other simulators.
	Configurations []string
	// Small shrinks configurations for CXXRTL: a model is one function, which takes the
	// compiler very long if the unit is large.
	Small string
	// SmallInIcarus is set if Icarus Verilog would take as long.
	SmallInIcarus bool
	// Syntheses are reports of nicgen synth besides the default one's, by name: report "x"
	// is docs/data/<unit>_x.json.
	Syntheses []Synthesis
	// Tour are the unit's own steps in make run.
	Tour []TourStep
	// NetlistSample is set if every test run simulates the netlist of the default
	// configuration.
	NetlistSample bool
	// SimulatorSample is a mistake in the default configuration that every test run plants
	// in the other simulators, which must notice it in 5,000 cycles; nil: none.
	SimulatorSample *Mistake
	// Cycles of runs; 0: as many as most units need.
	NetlistCycles, SimulatorCycles, CoverageCycles uint64
}

// Synthesis is a report of nicgen synth.
type Synthesis struct{ Name, Settings string }

// Mistake is one in the emitted RTL.
type Mistake struct {
	File  string
	Edits plant.Edits
}

// TourStep is a run of nicgen that shows something of a unit.
type TourStep struct {
	Title string // above what it prints
	// Run are the arguments; REPORT in them is the folder of reports.
	Run string
	// Show is an extended regular expression of lines of its tables that the summary
	// shows; empty: none.
	Show string
}
