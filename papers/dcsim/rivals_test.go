// SPDX-License-Identifier: Apache-2.0

package dcsim

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/topo"
)

// One packet from each host to about each other one: all come, later with half of the cores, and switches have the queues of the scheme.
func TestRivals(t *testing.T) {
	c := &collectives{packet: jumbo, flows: allToAll(1, jumbo), change: halfCores}
	for _, s := range rivals {
		if !s.claims {
			continue
		}
		var ccts [2]float64
		for i, change := range []func(t *topo.Tree, period fabric.Instant){nil, halfCores} {
			r, err := runRival(t.Context(), c, &s, change, 1)
			if err != nil {
				t.Fatal(err)
			}
			ccts[i], _ = measure.Mean(r.ccts)
			if r.Delivered != 128*127 || r.Hosts.Packets != r.Delivered+r.Again+r.lost[classDATA] && i == 0 || r.lost[fabric.Control] > 0 {
				t.Errorf("%s: %d packets came, %d again, %d sent, %d lost, %d of control", s.name, r.Delivered, r.Again, r.Hosts.Packets, r.lost[classDATA], r.lost[fabric.Control])
			}
			if most := r.longest[classDATA]; most > 55 {
				t.Errorf("%s: %d packets wait, want at most 55", s.name, most)
			}
			if q := r.tree.Shape.Queue; q.Ranked != s.ranked || q.Bucket != (fabric.Bucket{}) {
				t.Errorf("%s: queues are %+v", s.name, q)
			}
			o := &papers.Outcome{}
			dcsimRow(o, "", []*dcsimRan{r})
			for k, cell := range o.Rows[0] {
				if len(o.Rows[0]) != len(o.Head) || (cell == "–") != strings.Contains(o.Head[k], "SIM") && o.Head[k] != "DATA-ACKs lost" {
					t.Errorf("%s: row %q below %q, want dashes for what is of SIMs", s.name, o.Rows[0], o.Head)
					break
				}
			}
		}
		if ccts[1] < 1.2*ccts[0] {
			t.Errorf("%s: %.1f µs, with half of the cores %.1f", s.name, ccts[0], ccts[1])
		}
	}
}
