// SPDX-License-Identifier: Apache-2.0

package niccsr

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/gen/csr"
	"github.com/nicgen/nicgen/gen/sv"
)

// leastSlots is the least number of cycles between two additions to a total, as a total must not be
// read before its last addition is written.
const leastSlots = 16

// TotalStages returns the number of cycles from a counter to the end of the multiplexer: each stage takes one of
// four.
func TotalStages(n int) (stages int) {
	for stages = 2; 1<<(2*stages) < n; stages++ {
	}
	return stages
}

// TotalTimes returns the number of cycles from the first stage of a counter to the read of its
// total, if no access reads one then, and to its write.
func (p *Params) TotalTimes(m *csr.Map) (read, write int) {
	n := TotalStages(p.Slots(m))
	return n - 2, n + 2
}

// A total is a counter that is gathered.
type total struct {
	block *csr.Block
	reg   *csr.Register
}

// totals returns the counters that are gathered, in the order of the map.
func (p *Params) totals(m *csr.Map) (list []total) {
	for _, b := range m.Blocks {
		for _, r := range b.Registers {
			if r.Narrow > 0 {
				list = append(list, total{b, r})
			}
		}
	}
	return list
}

// TotalPorts returns the counters that are gathered, by block and port, in the order in which they are sampled.
func (p *Params) TotalPorts(m *csr.Map) (blocks []int, ports []string) {
	for i, b := range m.Blocks {
		for _, r := range b.Registers {
			if r.Narrow > 0 {
				blocks, ports = append(blocks, i), append(ports, r.Port)
			}
		}
	}
	return blocks, ports
}

// Slots returns the number of cycles from a sample of a counter to its next one.
func (p *Params) Slots(m *csr.Map) int { return max(leastSlots, len(p.totals(m))) }

// narrow returns the width of the gathered counters, or 0 if no counter is gathered.
func narrow(m *csr.Map) int {
	for _, b := range m.Blocks {
		for _, r := range b.Registers {
			if r.Narrow > 0 {
				return r.Narrow
			}
		}
	}
	return 0
}

// totalValues returns the values for the text of the totals.
func (p *Params) totalValues(m *csr.Map) map[string]any {
	list := p.totals(m)
	type place struct {
		Block, Base, Count int
		Name               string
	}
	var places []place
	var nets []string
	base := 0
	for i, b := range m.Blocks {
		n := 0
		for _, r := range b.Registers {
			if r.Narrow == 0 {
				continue
			}
			n++
			name := Prefixed(b.Name, r.Port)
			if i == 0 {
				name = r.Port
			}
			nets = append([]string{name}, nets...)
		}
		if n > 0 {
			places = append(places, place{i, base, n, b.Name})
		}
		base += n
	}
	stages := TotalStages(p.Slots(m))
	idx := sv.CLog2(int64(p.Slots(m)))
	type step struct {
		At, Before, From, To int
		Select               string
		Last                 []choice // of a stage with one output
	}
	type later struct{ At, Before int }
	var steps []step
	from := len(list)
	for i := 1; i <= stages; i++ {
		turn := fmt.Sprintf("t%d_turn_q", i-1)
		sel := fmt.Sprintf("%s[%d:%d]", turn, 2*i-1, 2*i-2)
		if from == 1 {
			sel = "2'd0"
		} else if 2*i > idx {
			sel = fmt.Sprintf("{1'b0, %s[%d]}", turn, 2*i-2)
		}
		to := (from + 3) / 4
		var last []choice
		for k := range min(4, from) {
			if label := fmt.Sprintf("2'd%d", k); k < from-1 {
				last = append(last, choice{Case: label, Value: fmt.Sprint(k)})
			} else {
				last = append(last, choice{Case: "default", Value: fmt.Sprint(k)})
			}
		}
		steps = append(steps, step{i, i - 1, from, to, sel, last})
		from = to
	}
	turns := []int{}
	var after []later
	for i := range stages + 3 {
		turns = append(turns, i)
		if i > 0 {
			after = append(after, later{i, i - 1})
		}
	}
	return map[string]any{
		"Totals": len(list), "Narrow": narrow(m), "Slots": p.Slots(m), "IndexW": idx, "Places": places, "Stages": stages, "Turns": turns, "Later": after,
		"ReadAt": stages - 2, "WriteAt": stages + 2, "Steps": steps,
		"Nets": strings.Join(nets, ",\n                       "), "BlockW": p.AddrBits - 2 - 10, "TopBit": p.AddrBits - 3, "TotalBits": csr.TotalBits,
	}
}
