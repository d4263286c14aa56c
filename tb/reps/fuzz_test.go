// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"strings"
	"testing"

	params "github.com/nicgen/nicgen/gen/reps"
)

// Any text is a trace that the golden model can play, or is refused.
func FuzzTrace(f *testing.F) {
	head := strings.Join(Header, ",") + "\n"
	for _, text := range []string{
		"", head, head + "1,a,SEND,1,,1\n1,a,ACK,1,0,\n2,b,FAIL,,,\n2,b,NACK,9,9,9\n", head + "5,a,SEND,1,,0\n4,a,SEND,1,,1\n",
		head + "34359738367,a,SEND,255,,1\n", head + "1,\"a\n\",SEND,1,1,1\n", "\x1f\x8b\x08\x00", head + "1,a,ACK,256,0,\n",
	} {
		f.Add([]byte(text))
	}
	p := params.Default()
	p.Connections, p.EVSBits = 4, 8
	f.Fuzz(func(t *testing.T, text []byte) {
		trace := &trace{p: p, name: "t.csv"}
		if err := trace.read(strings.NewReader(string(text))); err != nil {
			return
		}
		var last event
		for _, c := range trace.cycles {
			for k, e := range c {
				if e.conn >= 4 || e.ev >= 1<<8 || e.time < last.time || k > 0 && e.kind <= last.kind {
					t.Fatalf("line %d: %+v after %+v", e.line, e, last)
				}
				last = e
			}
		}
	})
}
