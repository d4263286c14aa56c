// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"strings"
	"testing"

	params "github.com/nicgen/nicgen/gen/powertcp"
)

// Any text is a trace that the golden model can play, or is refused.
func FuzzTrace(f *testing.F) {
	head := strings.Join(Header, ",") + "\n"
	for _, text := range []string{
		"", head, head + "1,a,ACK,0,1000,1,5000,1/2/3/0 4/5/6/7,90500,100\n1,b,FLUSH,,,,,,,\n", head + "5,a,ACK,0,0,0,,,,\n4,a,ACK,0,0,0,,,,\n",
		head + "18446744073709551615,a,ACK,4294967295,4294967295,4095,18446744073709551615,,1e18,0\n", head + "1,\"a\n\",FLUSH,,,,,,,\n", "\x1f\x8b\x08\x00",
	} {
		f.Add([]byte(text))
	}
	p := params.Default()
	p.Connections, p.Variant = 4, params.Both
	f.Fuzz(func(t *testing.T, text []byte) {
		trace := &trace{p: p, name: "t.csv"}
		if err := trace.read(strings.NewReader(string(text))); err != nil {
			return
		}
		var last uint64
		for _, e := range trace.records {
			if e.ack.Conn >= 4 || e.ack.Now < last || len(e.ack.Hops) > 15 || e.ack.Path >= 1<<p.PathBits || e.window.Known && !(e.window.Value >= 0 && e.window.PPM >= 0) {
				t.Fatalf("line %d: %+v", e.line, e)
			}
			for _, h := range e.ack.Hops {
				if h.Rate < 0 || h.Rate >= 1<<p.RateBits {
					t.Fatalf("line %d: %+v", e.line, e)
				}
			}
			last = e.ack.Now
		}
	})
}
