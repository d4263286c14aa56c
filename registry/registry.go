// SPDX-License-Identifier: Apache-2.0

// Package registry lists the units that nicgen knows. To add a unit, add one line to Units.
package registry

import (
	"slices"

	"github.com/nicgen/nicgen/sim/host/dcsim"
	hostlaps "github.com/nicgen/nicgen/sim/host/laps"
	hostplb "github.com/nicgen/nicgen/sim/host/plb"
	hostpowertcp "github.com/nicgen/nicgen/sim/host/powertcp"
	hostreps "github.com/nicgen/nicgen/sim/host/reps"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/bench"
	dcsimport "github.com/nicgen/nicgen/tb/dcsim_port"
	dcsimresponder "github.com/nicgen/nicgen/tb/dcsim_responder"
	dcsimsource "github.com/nicgen/nicgen/tb/dcsim_source"
	"github.com/nicgen/nicgen/tb/laps"
	lapsloss "github.com/nicgen/nicgen/tb/laps_loss"
	lapspaths "github.com/nicgen/nicgen/tb/laps_paths"
	lapspick "github.com/nicgen/nicgen/tb/laps_pick"
	lapsrate "github.com/nicgen/nicgen/tb/laps_rate"
	"github.com/nicgen/nicgen/tb/lib"
	niccsr "github.com/nicgen/nicgen/tb/nic_csr"
	nicecho "github.com/nicgen/nicgen/tb/nic_echo"
	nicedit "github.com/nicgen/nicgen/tb/nic_edit"
	nicfeedback "github.com/nicgen/nicgen/tb/nic_feedback"
	nicgate "github.com/nicgen/nicgen/tb/nic_gate"
	niclookup "github.com/nicgen/nicgen/tb/nic_lookup"
	nicpace "github.com/nicgen/nicgen/tb/nic_pace"
	nicparse "github.com/nicgen/nicgen/tb/nic_parse"
	nicprobe "github.com/nicgen/nicgen/tb/nic_probe"
	nicqueue "github.com/nicgen/nicgen/tb/nic_queue"
	nicshim "github.com/nicgen/nicgen/tb/nic_shim"
	nictransport "github.com/nicgen/nicgen/tb/nic_transport"
	"github.com/nicgen/nicgen/tb/plb"
	"github.com/nicgen/nicgen/tb/powertcp"
	"github.com/nicgen/nicgen/tb/proof"
	"github.com/nicgen/nicgen/tb/reps"
	repsdetector "github.com/nicgen/nicgen/tb/reps_detector"
	"github.com/nicgen/nicgen/tb/spray"
)

// Unit is a unit with everything that belongs to it.
type Unit = bench.Entry

// Units are all units, in the order in which they are listed.
var Units = []Unit{
	withTransport(laps.Entry, hostlaps.Transport),
	lapspaths.Entry,
	lapspick.Entry,
	lapsloss.Entry,
	lapsrate.Entry,
	withTransport(powertcp.Entry, hostpowertcp.Transport),
	withTransport(plb.Entry, hostplb.Transport),
	withEndpoints(dcsimsource.Entry, dcsim.Endpoints),
	dcsimport.Entry,
	dcsimresponder.Entry,
	withTransport(reps.Entry, hostreps.Transport),
	repsdetector.Entry,
	spray.Entry,
	nicparse.Entry,
	nicedit.Entry,
	nicshim.Entry,
	niclookup.Entry,
	nicqueue.Entry,
	nicpace.Entry,
	nicgate.Entry,
	nicecho.Entry,
	nicfeedback.Entry,
	nicprobe.Entry,
	niccsr.Entry,
}

// Blocks are made of units. Commands with long runs include them only if they are named.
var Blocks = []Unit{
	nictransport.Entry,
}

// With returns more units, and all units and blocks after them: the units of a program outside of this
// module.
func With(more ...Unit) []Unit { return slices.Concat(more, Units, Blocks) }

// Outside returns the units of other modules than nicgen's.
func Outside(units []Unit) []Unit {
	return slices.DeleteFunc(slices.Clone(units), func(u Unit) bool { return u.Module() == bench.Nicgen })
}

// Own returns the units with evidence in the module of the program: the units that it adds to nicgen's, or,
// if it adds none, all.
func Own(units []Unit) []Unit {
	if more := Outside(units); len(more) > 0 {
		return more
	}
	return units
}

// withTransport returns a unit with the transport that hosts of a simulated network run.
func withTransport(u Unit, t transport.Maker) Unit {
	u.Transport = t
	return u
}

// withEndpoints returns a unit with hosts of a simulated network that consist of it and others.
func withEndpoints(u Unit, hosts transport.EndpointsMaker) Unit {
	u.Endpoints = hosts
	return u
}

// Library is the parts that units share, which are proved by themselves.
var Library = proof.Subject{Name: "lib", Proofs: lib.Proofs}

// Subjects returns the subjects with properties: the library, then the units.
func Subjects(units []Unit) []proof.Subject {
	list := []proof.Subject{Library}
	for i := range units {
		if units[i].Proofs != nil {
			list = append(list, units[i].Subject())
		}
	}
	return list
}
