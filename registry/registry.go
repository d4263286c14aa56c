// SPDX-License-Identifier: Apache-2.0

// Package registry lists the units that nicgen knows. Adding a unit is adding
// one line to Units.
package registry

import (
	"io"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/laps"
	lapsloss "github.com/nicgen/nicgen/gen/laps_loss"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	lapspick "github.com/nicgen/nicgen/gen/laps_pick"
	lapsrate "github.com/nicgen/nicgen/gen/laps_rate"
	"github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/gen/reps"
	repsdetector "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/sim"
	"github.com/nicgen/nicgen/sim/spray"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/bench"
	tblaps "github.com/nicgen/nicgen/tb/laps"
	tblapsloss "github.com/nicgen/nicgen/tb/laps_loss"
	tblapspaths "github.com/nicgen/nicgen/tb/laps_paths"
	tblapspick "github.com/nicgen/nicgen/tb/laps_pick"
	tblapsrate "github.com/nicgen/nicgen/tb/laps_rate"
	tbpowertcp "github.com/nicgen/nicgen/tb/powertcp"
	tbreps "github.com/nicgen/nicgen/tb/reps"
	tbrepsdetector "github.com/nicgen/nicgen/tb/reps_detector"
)

// Unit is what the command line needs of a unit.
type Unit struct {
	// New returns the default configuration.
	New func() gen.Config
	// Bench returns the random bench of a configuration that New made and
	// that is valid; nil if the unit has none.
	Bench func(cfg gen.Config) (cosim.Bench, error)
	// Trace returns a bench that plays a recorded trace: name is the trace's
	// name for messages, r its file, which may be compressed by gzip; nil if the
	// unit has no trace format.
	Trace func(cfg gen.Config, name string, r io.Reader) (cosim.Bench, error)
	// Measure says which inputs toggle in a speed measurement of a
	// configuration, and which keep a value; nil: all of them toggle.
	Measure func(cfg gen.Config) cosim.MeasureOptions
	// Published are the figures that a synthesis report prints beside ours;
	// may be nil.
	Published *synth.Published
	// Controller makes what computes the windows of simulated senders, by the
	// unit's golden model or its RTL; nil if the unit computes no windows.
	Controller sim.Maker
	// Sprayer makes what chooses paths and rates of simulated hosts that spray their
	// packets, by the unit's golden model or its RTL; nil if the unit does not.
	Sprayer spray.Maker
	// Upset says what is legal after bits of the unit's state changed; nil if that is
	// not measured.
	Upset *bench.Upset
}

// Units are all units, in the order in which they are listed.
var Units = []Unit{
	{New: laps.New, Bench: tblaps.New, Measure: tblaps.Measure, Published: tblaps.Published, Sprayer: tblaps.Controller, Upset: tblaps.Upset},
	{New: lapspaths.New, Bench: tblapspaths.New, Measure: tblapspaths.Measure, Published: tblapspaths.Published, Upset: tblapspaths.Upset},
	{New: lapspick.New, Bench: tblapspick.New, Measure: tblapspick.Measure, Published: tblapspick.Published, Upset: tblapspick.Upset},
	{New: lapsloss.New, Bench: tblapsloss.New, Measure: tblapsloss.Measure, Upset: tblapsloss.Upset},
	{New: lapsrate.New, Bench: tblapsrate.New, Measure: tblapsrate.Measure, Published: tblapsrate.Published, Upset: tblapsrate.Upset},
	{New: powertcp.New, Bench: tbpowertcp.New, Measure: tbpowertcp.Measure, Controller: tbpowertcp.Controller, Upset: tbpowertcp.Upset},
	{New: reps.New, Bench: tbreps.New, Trace: tbreps.NewTrace, Measure: tbreps.Measure, Published: tbreps.Published, Upset: tbreps.Upset},
	{New: repsdetector.New, Bench: tbrepsdetector.New, Trace: tbrepsdetector.NewTrace, Measure: tbrepsdetector.Measure, Upset: tbrepsdetector.Upset},
}
