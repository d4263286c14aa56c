// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"strings"
	"testing"

	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/powertcp"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{Unit: powertcp.Unit, Fit: fit}

// fit makes the defaults of run-time settings fit what is set: τ its port, the least
// window the largest, and links the unit of a queue's length over τ.
func fit(p *params.Params, set string) {
	mentions := func(key string) bool { return strings.Contains(set, key+"=") }
	if !mentions("tau_ns") {
		p.TauNS = min(p.TauNS, 1<<p.RTTBits-1)
	}
	if !mentions("min_window_bytes") {
		p.MinWindowBytes = min(p.MinWindowBytes, p.MaxWindowBytes)
	}
	for code := range p.LinkRatesMbps {
		if mbps := &p.LinkRatesMbps[code]; !mentions("link_rate_"+string(rune('0'+code))+"_mbps") && *mbps != 0 && !p.Rate(code).Valid {
			*mbps = 3_200_000
			if !p.Rate(code).Valid {
				*mbps = 0
			}
		}
	}
}

// BenchmarkPredictor is the golden side of a cycle: ACKs and flushes as in a
// measurement of speed.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b, powertcp.Measure) }
