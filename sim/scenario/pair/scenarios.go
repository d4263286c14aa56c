// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"fmt"
	"slices"
	"strings"
)

const (
	us = 1000
	ms = 1000 * us
)

// Names are the scenarios of New.
var Names = []string{"failure", "burst", "share"}

// New is a scenario by its name.
//
//	failure  eight flows over eight paths of 100 Gb/s, one of which fails and is repaired
//	burst    one path of 25 Gb/s: a flow alone, then seven more at once
//	share    eight flows over four paths of 50 Gb/s and different length; others load the shortest one for a while
func New(name string, seed uint64) (*Scenario, error) {
	sc := &Scenario{Name: name, Seed: seed, Turn: 600,
		Access: Link{Name: "access", Rate: LineRate, Delay: 500, Buffer: 1 << 20}}
	switch name {
	case "failure":
		sc.Title = "one of eight paths fails"
		for i := range 8 {
			sc.Paths = append(sc.Paths, Link{Name: fmt.Sprintf("path %d", i), Rate: LineRate, Delay: 1 * us, Buffer: 512 << 10, Mark: Mark{Low: 40 << 10, High: 160 << 10, Most: 1}})
		}
		sc.Event, sc.Repair, sc.Stop, sc.End, sc.Sample = 200*us, 700*us, 1*ms, 6*ms, 5*us
		sc.Paths[3].Fails, sc.Paths[3].Repaired = sc.Event, sc.Repair
		for range 8 {
			sc.Flows = append(sc.Flows, Flow{Op: Write, MTU: 2048, Message: 64 << 10, Window: 24, Timeout: 60 * us, Every: 1, Place: true})
		}
	case "burst":
		sc.Title = "seven flows join one, on a path of 25 Gb/s"
		sc.Paths = []Link{{Name: "path", Rate: 3.125, Delay: 1 * us, Buffer: 2 << 20, INT: true}}
		sc.Event, sc.Repair, sc.Stop, sc.End, sc.Sample = 300*us, 300*us, 1*ms, 8*ms, 2*us
		for i := range 8 {
			f := Flow{Op: Send, MTU: 1024, Message: 64 << 10, Window: 96, Timeout: 1 * ms, Every: 1}
			if i > 0 {
				f.Start = sc.Event
			}
			sc.Flows = append(sc.Flows, f)
		}
	case "share":
		sc.Title = "four paths of different length, the shortest one is loaded by others for a while"
		for i, delay := range []uint64{1, 2, 4, 8} {
			sc.Paths = append(sc.Paths, Link{Name: fmt.Sprintf("path %d", i), Rate: LineRate / 2, Delay: delay * us, Buffer: 512 << 10, Mark: Mark{Low: 40 << 10, High: 160 << 10, Most: 1}})
		}
		sc.Event, sc.Repair, sc.Stop, sc.End, sc.Sample = 300*us, 700*us, 1*ms, 6*ms, 5*us
		sc.Paths[0].Load = Load{Share: 0.9, Bytes: 1500, From: sc.Event, To: sc.Repair}
		for range 8 {
			sc.Flows = append(sc.Flows, Flow{Op: Write, MTU: 2048, Message: 64 << 10, Window: 24, Timeout: 200 * us, Every: 1, Place: true})
		}
	default:
		return nil, fmt.Errorf("scenario %q: want one of %s", name, strings.Join(Names, ", "))
	}
	for i := range sc.Flows {
		sc.Flows[i].FirstPSN = uint32(0xFFFF00+0x40*i) & 0xFFFFFF // some wrap soon
	}
	return sc, nil
}

// Known reports whether a scenario of this name exists.
func Known(name string) bool { return slices.Contains(Names, name) }
