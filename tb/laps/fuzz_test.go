// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"strings"
	"testing"

	params "github.com/nicgen/nicgen/gen/laps"
)

// Any text is a trace that the golden model can play, or is refused.
func FuzzTrace(f *testing.F) {
	head := strings.Join(Header, ",") + "\n"
	path := head + "0,PATH,d,p,1000,,,,,\n0,PATH,d,q,2000,,,,,\n"
	for _, text := range []string{
		"", head, path, path + "1,OPEN,,,,f,,,100,1\n2,PACKET,d,p,,f,7,,,\n3,ACK,,p,,f,7,900,50,\n4,ANSWER,,q,,,,5,,\n",
		path + "5,PACKET,d,,,,,,,\n4,PACKET,d,,,,,,,\n", path + "1,ACK,,p,,\"f\n\",,2147483647,1e18,0\n", "\x1f\x8b\x08\x00",
	} {
		f.Add([]byte(text))
	}
	p := params.Default()
	p.Tables.Destinations, p.Tables.Banks, p.Tables.Rows, p.Rate.Flows = 4, 4, 4, 4
	f.Fuzz(func(t *testing.T, text []byte) {
		trace := &trace{p: p, name: "t.csv", net: &Routes{}}
		if err := trace.read(strings.NewReader(string(text))); err != nil {
			return
		}
		var last uint64
		for _, e := range trace.records {
			if e.now < last || e.op == opPath || e.pair >= trace.net.Pairs && e.op == opPacket || e.path >= len(trace.net.Paths) ||
				e.path < 0 && e.op != opOpen && e.op != opPacket || int(e.segment.Flow) >= trace.net.Flows || e.delay>>31 != 0 {
				t.Fatalf("line %d: %+v", e.line, e)
			}
			last = e.now
		}
	})
}

// A segment that the ring has no room for ends the playing of a trace: nothing would find its loss.
func TestTraceFull(t *testing.T) {
	p, l := tiny(t, 8)
	for n, want := range map[int]string{8: "", 9: "t.csv: line 12: packet of flow 0 at 1 ns: the ring of path 0 is full: lower the rate or raise depth"} {
		x := &trace{p: p, name: "t.csv", net: &Routes{}}
		err := x.read(strings.NewReader(strings.Join(Header, ",") + "\n0,PATH,d,p,1000,,,,,\n1,OPEN,,,,f,,,,\n" + strings.Repeat("1,PACKET,d,,,f,7,,,\n", n)))
		if err == nil {
			_, err = x.play(l)
		}
		if err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%d segments: %v, want %q", n, err, want)
		}
	}
}
