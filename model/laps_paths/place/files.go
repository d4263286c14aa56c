// SPDX-License-Identifier: Apache-2.0

package place

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	params "github.com/nicgen/nicgen/gen/laps_paths"
	model "github.com/nicgen/nicgen/model/laps_paths"
)

// opNames are the operations of the configuration port, by number.
var opNames = [...]string{params.OpList: "list", params.OpCommit: "commit", params.OpPath: "path", params.OpRemove: "remove"}

// Files returns the placement as texts by name: placement.csv, with the place of each path;
// sequence.csv, with the writes to the configuration port, in order; and the content of each memory
// for $readmemh, by the name of its instance in the design, at time 0 with factor beta (UQ1.15).
func (p *Placement) Files(beta uint64) map[string][]byte {
	files := map[string][]byte{"placement.csv": p.placement(), "sequence.csv": p.sequence()}
	for name, words := range p.images(beta) {
		var b bytes.Buffer
		for _, w := range words {
			fmt.Fprintf(&b, "%0*s\n", (w.bits+3)/4, w.value.Text(16))
		}
		files[name+".mem"] = b.Bytes()
	}
	return files
}

func (p *Placement) placement() []byte {
	rows := [][]string{{"destination", "dst", "path", "pid", "bank", "row"}}
	for _, e := range p.Entries {
		rows = append(rows, row(e.Destination, e.Dst, e.Name, e.Pid, int64(e.Pid)/p.params.Rows, int64(e.Pid)%p.params.Rows))
	}
	return table(rows)
}

func (p *Placement) sequence() []byte {
	rows := [][]string{{"op", "pid", "dst", "scale", "latency_ns", "base_ns", "anchors"}}
	for _, c := range p.Sequence() {
		r := []string{opNames[c.Op], "", "", "", "", "", ""}
		if c.Op != model.Commit {
			r[1] = fmt.Sprint(c.Pid)
		}
		if c.Op != model.List {
			r[2] = fmt.Sprint(c.Dst)
		}
		switch c.Op {
		case model.Commit:
			r[3] = fmt.Sprintf("0x%06x", c.Scale.Word())
		case model.Path:
			r[4], r[5] = fmt.Sprint(c.Delay), fmt.Sprint(c.Base)
			w := word{}
			for _, a := range c.Anchors {
				w.add(uint64(a), params.AnchorBits)
			}
			r[6] = fmt.Sprintf("0x%0*s", w.bits/4, w.value.Text(16))
		}
		rows = append(rows, r)
	}
	return table(rows)
}

func row(cells ...any) (out []string) {
	for _, c := range cells {
		out = append(out, fmt.Sprint(c))
	}
	return out
}

func table(rows [][]string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	// Writing to memory does not fail.
	_ = w.WriteAll(rows)
	return b.Bytes()
}

// word is a word of a memory that grows from its low bits.
type word struct {
	value big.Int
	bits  int
}

func (w *word) add(x uint64, bits int) {
	var v big.Int
	w.value.Or(&w.value, v.Lsh(v.SetUint64(x), uint(w.bits)))
	w.bits += bits
}

// images returns the memories' words, by the name of the instance: banks have numbers.
func (p *Placement) images(beta uint64) map[string][]word {
	c := p.params
	m := model.New(c)
	for _, x := range p.Sequence() {
		m.Take(&x)
		m.Do(&x, 0, beta)
	}
	images := map[string][]word{}
	add := func(name string, w word) { images[name] = append(images[name], w) }
	lat := int(c.LatBits)
	dstBits := 0
	for int64(1)<<dstBits < c.Destinations {
		dstBits++
	}
	for d := range uint32(c.Destinations) {
		var set, scale word
		for _, r := range m.Set(d) {
			set.add(uint64(max(r, 0)), c.RowBits())
			set.add(flag(r >= 0), 1)
		}
		scale.add(m.Scale(d).Word(), params.ScaleBits)
		if c.Baselines == params.Longest {
			scale.add(uint64(m.Longest(d)), lat)
		}
		add("pst", set)
		if c.AckLookup == params.Own {
			add("pst_copy", set)
		}
		add("scale", scale)
	}
	width := len(strconv.Itoa(int(c.Banks - 1)))
	for pid := range uint32(c.Paths()) {
		s, owner := m.State(pid)
		var own, anchors, state, base, copied word
		own.add(uint64(max(owner, 0)), dstBits)
		own.add(flag(owner >= 0), 1)
		if c.Baselines == params.Longest {
			own.add(uint64(m.Base(pid)), lat)
		}
		for _, a := range m.Anchors(pid) {
			anchors.add(uint64(a), params.AnchorBits)
		}
		state.add(uint64(s.Weight), params.WeightBits)
		state.add(uint64(s.Latency), lat)
		state.add(s.Deadline, int(c.TimeBits))
		base.add(uint64(m.Base(pid)), lat)
		copied.add(uint64(s.Latency), lat)
		add("owner", own)
		add("anchors", anchors)
		if c.PathLatency {
			add("latency", copied)
		}
		bank := fmt.Sprintf("bank%0*d_", width, int64(pid)/c.Rows)
		add(bank+"state", state)
		if c.Baselines == params.EachOf {
			add(bank+"base", base)
		}
		if c.AckLookup == params.Own {
			add(bank+"real_copy", copied)
		}
	}
	return images
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Summary says in a few words how full the tables are.
func (p *Placement) Summary() string {
	used := make([]int, p.params.Banks)
	for _, e := range p.Entries {
		used[int64(e.Pid)/p.params.Rows]++
	}
	lo, hi := used[0], used[0]
	for _, n := range used {
		lo, hi = min(lo, n), max(hi, n)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "source %d: %d paths to %d destinations in %d banks, %d", p.Source, len(p.Entries), len(p.Destinations), p.params.Banks, lo)
	if hi != lo {
		fmt.Fprintf(&b, " to %d", hi)
	}
	fmt.Fprintf(&b, " of %d rows each", p.params.Rows)
	return b.String()
}
