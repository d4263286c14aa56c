// SPDX-License-Identifier: Apache-2.0

package repsdetector

import (
	"strings"
	"testing"

	params "github.com/nicgen/nicgen/gen/reps_detector"
)

// Any text is a trace that the golden model can play, or is refused.
func FuzzTrace(f *testing.F) {
	head := strings.Join(Header, ",") + "\n"
	for _, text := range []string{
		"", head, head + "1,a,RTT,5,\n1,a,TIMEOUT,,failure\n2,b,FLUSH,,\n", head + "5,a,RTT,1,\n4,a,TIMEOUT,,\n",
		head + "34359738367,a,RTT,18446744073709551615,\n", head + "1,\"a\n\",TIMEOUT,1,congestion\n", "\x1f\x8b\x08\x00", head + "1,a,ACK,256,\n",
	} {
		f.Add([]byte(text))
	}
	p := params.Default()
	p.Connections = 4
	f.Fuzz(func(t *testing.T, text []byte) {
		trace := &trace{p: p, name: "t.csv"}
		if err := trace.read(strings.NewReader(string(text))); err != nil {
			return
		}
		var last record
		for _, c := range trace.cycles {
			for k, e := range c {
				if e.conn >= 4 || e.rtt >= 1<<p.RTTBits || e.time < last.time || k > 0 && (e.op <= last.op || e.time != last.time) || k > 1 {
					t.Fatalf("line %d: %+v after %+v", e.line, e, last)
				}
				last = e
			}
		}
	})
}
