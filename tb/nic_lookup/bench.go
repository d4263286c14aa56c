// SPDX-License-Identifier: Apache-2.0

// Package niclookup is the bench of the search of connections: stimulus, golden model behind the
// unit's ports, coverage points, and what the unit brings for the checks.
package niclookup

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_lookup"
	model "github.com/nicgen/nicgen/model/nic_lookup"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_lookup"

//go:embed nic_nic_lookup_sva.sv
var assertions string

// Unit makes benches of the search.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}

// Ports of searches.
const (
	portA = iota
	portB
	ports
)

// searchPins are those of one port.
type searchPins struct {
	valid, key, mValid, mHit, mConn, evtConflict bench.Pin
	searches, hits, misses, conflicts            bench.Pin
}

// pins are the places of the unit's ports in the vectors.
type pins struct {
	rst   bench.Pin `port:"rst"`
	ready bench.Pin `port:"sts_ready"`

	opValid, opReady, opRead, opWay, opRow, opSet, opKey, opConn bench.Pin `port:"s_write_valid s_write_ready s_write_read s_write_way s_write_row s_write_set s_write_key s_write_conn"`
	done, failed, readSet, readKey, readConn                     bench.Pin `port:"m_write_valid m_write_error m_write_set m_write_key m_write_conn"`
	evtIllegal, writes, waits, illegals                          bench.Pin `port:"evt_illegal sts_write_cnt sts_wait_cnt sts_illegal_cnt"`

	search  [ports]searchPins
	keyBits int
}

func newPins(p *params.Params, l *cosim.Layout) (*pins, error) {
	x := &pins{keyBits: int(p.KeyBits)}
	find := bench.NewPorts(unitName, l)
	for i, name := range []string{"a", "b"} {
		x.search[i] = searchPins{
			valid: find.Pin("s_" + name + "_valid"), key: find.Pin("s_" + name + "_key"),
			mValid: find.Pin("m_" + name + "_valid"), mHit: find.Pin("m_" + name + "_hit"), mConn: find.Pin("m_" + name + "_conn"),
			evtConflict: find.Pin("evt_" + name + "_conflict"), searches: find.Pin("sts_" + name + "_search_cnt"),
			hits: find.Pin("sts_" + name + "_hit_cnt"), misses: find.Pin("sts_" + name + "_miss_cnt"), conflicts: find.Pin("sts_" + name + "_conflict_cnt"),
		}
	}
	if err := find.Err(); err != nil {
		return nil, err
	}
	return x, bench.Bind(unitName, l, x)
}

// key reads a key from a port.
func (x *pins) key(pin *bench.Pin, v []uint64) model.Key {
	var k model.Key
	for lo := 0; lo < x.keyBits; lo += 64 {
		k[lo/64] = pin.Bits(v, lo, min(64, x.keyBits-lo))
	}
	return k
}

// putKey writes a key to a port.
func (x *pins) putKey(pin *bench.Pin, v []uint64, k model.Key) {
	for lo := 0; lo < x.keyBits; lo += 64 {
		pin.PutBits(v, lo, min(64, x.keyBits-lo), k[lo/64])
	}
}
