// SPDX-License-Identifier: Apache-2.0

package load

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/big"
	"strings"

	"github.com/nicgen/nicgen/gen/csr"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	"github.com/nicgen/nicgen/internal/registers"
	"github.com/nicgen/nicgen/model/laps_paths/place"
)

// cfgFields are the fields of the window of the path tables.
var cfgFields = []string{"op", "pid", "dst", "scale", "latency", "base", "anchors"}

// sequenceHeader is the first line of sequence.csv, which nicgen place writes.
const sequenceHeader = "op,pid,dst,scale,latency_ns,base_ns,anchors"

// paths writes the path tables of LAPS.
func (p *planner) paths(f *File) {
	if f.Table == nil && f.Sequence == nil {
		return
	}
	b, w := p.only("paths", "s_cfg", cfgFields...)
	if b == nil {
		return
	}
	cfg := lapspaths.Default()
	if err := configure(cfg, b, "destinations", "banks", "rows", "pid_bits", "dst_bits", "anchors", "lat_bits"); err != nil {
		p.errs = append(p.errs, fmt.Errorf("paths: %w", err))
		return
	}
	if f.Table != nil {
		placed, err := place.Assign(cfg, f.Table, f.Beta)
		if err != nil {
			p.errs = append(p.errs, fmt.Errorf("paths: %w", err))
			return
		}
		f.Sequence = placed.Files(uint64(cfg.Beta))["sequence.csv"]
	}
	p.sequence(b, w, cfg, f.Sequence)
}

// sequence writes the lines of sequence.csv.
func (p *planner) sequence(b *csr.Block, w *csr.Window, cfg *lapspaths.Params, text []byte) {
	c := csv.NewReader(bytes.NewReader(text))
	rows, err := c.ReadAll()
	if err != nil {
		p.bad("paths: %w", err)
		return
	}
	if len(rows) == 0 || strings.Join(rows[0], ",") != sequenceHeader {
		p.bad("paths: want a first line %s", sequenceHeader)
		return
	}
	for i, row := range rows[1:] {
		where := fmt.Sprintf("paths, line %d", i+2)
		values := map[string]*big.Int{}
		for k, text := range row {
			if text == "" {
				continue
			}
			name := cfgFields[k]
			v, err := registers.Parse(csr.Place{Block: b, Register: w.Field(name)}, text)
			if err != nil {
				p.bad("%s: %w", where, err)
				v = new(big.Int)
			}
			values[name] = v
		}
		limit := func(name string, below int64) {
			if v := values[name]; v != nil && v.Cmp(big.NewInt(below)) >= 0 {
				p.bad("%s: %s %s, want 0 to %d: the table was placed for another configuration", where, name, v, below-1)
			}
		}
		limit("pid", cfg.Banks*cfg.Rows)
		limit("dst", cfg.Destinations)
		if values["op"] == nil {
			p.bad("%s: no operation", where)
			continue
		}
		p.offer(b, w, values)
	}
}
