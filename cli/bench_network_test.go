// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/papers/reps"
	"github.com/nicgen/nicgen/sim/workload"
)

// The command of --against gets the flows and the number of hosts; its rate counts the packet-hops of the run. If it fails, the
// measurement returns its error.
func TestBeside(t *testing.T) {
	x := &reps.Carried{Hosts: 4, Hops: 1_000_000, Flows: []workload.Flow{{Src: 3, Dst: 1, Bytes: 4096, Start: 17}, {Src: 0, Dst: 2, Bytes: 9}}}
	var out bytes.Buffer
	s, err := runAgainst(t.Context(), "cat $NICGEN_FLOWS; echo $NICGEN_HOSTS hosts", x, &out)
	if err != nil {
		t.Fatal(err)
	}
	if want := "source,destination,bytes,start_ps\n3,1,4096,17\n0,2,9,0\n4 hosts\n"; out.String() != want {
		t.Errorf("it printed %q, want %q", out.String(), want)
	}
	if s.Seconds <= 0 || s.Rate != float64(x.Hops)/s.Seconds || s.Model != "" || !strings.HasPrefix(s.Beside, "cat ") {
		t.Errorf("%+v", s)
	}
	if _, err := runAgainst(t.Context(), "echo no such topology; exit 3", x, &out); err == nil || err.Error() != `--against "echo no such topology; exit 3": exit status 3; its output is above` {
		t.Errorf("%v", err)
	}
	if !strings.Contains(out.String(), "no such topology") {
		t.Errorf("what it printed is lost: %q", out.String())
	}
}
