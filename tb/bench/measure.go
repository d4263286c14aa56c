// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"math/bits"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	"github.com/nicgen/nicgen/gen/event"
)

// Measure is MeasureEvents for a unit with a contract, in the form of Entry.Measure.
func Measure(cfg gen.Config) cosim.MeasureOptions { return MeasureEvents(cfg, event.Of(cfg)) }

// numbered maps the suffix of a port that carries an index to the parameter that limits the index.
var numbered = map[string]string{"_conn": "connections", "_port": "nic_ports", "_flow": "flows", "_pid": "paths"}

// MeasureEvents are the circumstances in which the speed of a unit with a contract is measured: the
// settings have the values of the configuration, all events toggle over the connections, NIC
// ports, flows and paths that exist, and nothing loads words that are taken while the unit is not ready.
func MeasureEvents(cfg gen.Config, c *event.Contract) cosim.MeasureOptions {
	o := cosim.MeasureOptions{Idle: uint64(c.Sweep) + 3, Fixed: map[string]uint64{"rst": 0}, Mask: map[string]uint64{}}
	if values, err := csr.Values(cfg); err == nil {
		for port, v := range values {
			o.Fixed[port] = v
		}
	}
	number := map[string]uint64{"connections": 1}
	for _, f := range cfg.Fields() {
		if f.Int != nil {
			number[f.Key] = uint64(*f.Int)
		}
	}
	for _, s := range c.Events {
		if s.Unready {
			o.Fixed[s.Valid] = 0
		}
		for i := range s.Fields {
			port := s.Fields[i].Port
			for suffix, key := range numbered {
				if n := number[key]; n > 0 && strings.HasSuffix(port, suffix) {
					o.Mask[port] = 1<<(bits.Len64(n)-1) - 1 // a power of two of them
				}
			}
		}
	}
	return o
}
