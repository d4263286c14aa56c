// SPDX-License-Identifier: Apache-2.0

package lapsloss_test

import (
	"fmt"
	"strings"
	"testing"

	model "github.com/nicgen/nicgen/model/laps_loss"
)

// clockNS is the length of a cycle here, close to the period of 322 MHz.
const clockNS = 3

// The time to detect a lost segment from which nothing returns, by minimum timeout and path
// latency: with 8 ms, as in the authors' simulator, it is 8 ms for any latency. The table
// is docs/units/laps_loss_timeouts.md.
func TestTimeouts(t *testing.T) {
	const paths = 1024
	p := suite.Configure(t, "paths=1024 pid_bits=10 depth=64")
	r := open(t, p)
	round := uint64(clockNS * p.ScanCycles() * paths) // in which each timer is read once
	now := uint64(1000)
	rows := ""
	for _, floor := range []uint64{0, 20_000, 100_000, 1_000_000, 8_000_000} {
		for _, latency := range []uint64{2_000, 10_000, 50_000, 500_000} {
			timeout := max(2*latency, floor)
			r.rtoMin(floor)
			// Segments on 16 paths all over the round; nothing returns.
			sent := map[uint64]uint64{}
			for i := range uint64(16) {
				pid := i*(paths/16) + i
				r.put("send", uint32(pid), model.Segment{Seq: i}, latency, now)
				sent[pid] = now
				now += clockNS
			}
			if timeout > 2*round { // nothing happens till then
				now += timeout - 2*round
			}
			least, most := ^uint64(0), uint64(0)
			for len(sent) > 0 && most <= timeout+3*round {
				r.s.Set("now_ns", now)
				if r.s.Get("m_lost_valid") == 1 {
					pid := r.s.Get("m_lost_pid")
					if r.s.Get("m_lost_timeout") != 1 || sent[pid] == 0 {
						t.Fatalf("path %d is reported, which was not sent on", pid)
					}
					took := now - sent[pid]
					least, most = min(least, took), max(most, took)
					delete(sent, pid)
				}
				r.s.Step(1)
				now += clockNS
			}
			// One turn of the scan and the slack of the page's bound for 16 timers at once.
			if bound := timeout + clockNS*uint64(p.MostLate(16)); least <= timeout || most > bound || len(sent) > 0 {
				t.Errorf("least timeout %d ns, latency %d ns: lost after %d to %d ns, %d missing; want more than %d and at most %d",
					floor, latency, least, most, len(sent), timeout, bound)
			}
			by := "2 × realVal"
			if floor >= 2*latency {
				by = "the floor"
			}
			us := func(ns uint64) string { return fmt.Sprintf("%.1f", float64(ns)/1000) }
			rows += "| " + strings.Join([]string{us(floor), us(latency), by, us(timeout), us(least) + " to " + us(most)}, " | ") + " |\n"
		}
	}
	if t.Failed() {
		return
	}
	suite.Page(t, "timeouts", "# Time to detect a tail loss\n\n"+
		"How long after it was sent a segment is reported of whose path nothing returns: no ACK of it, and none of a later one.\n"+
		"That is what the timer of [the loss detector of LAPS](laps_loss.md) is for; a lost segment with later ones on its path is\n"+
		"known when the first ACK of these comes, whatever the timeout. 1,024 paths, a segment on each of 16, a clock of 3 ns:\n"+
		fmt.Sprintf("each timer is read every %.1f µs, which is what the last column has beyond the timeout. The timeout is\n", float64(round)/1000)+
		"max(2 × realVal, `cfg_rto_min_ns`).\n\n"+
		"Written by `go test ./tb/laps_loss -run TestTimeouts -update`, which also checks it: the RTL is co-simulated.\n\n"+
		"| `cfg_rto_min_ns`, µs | realVal, µs | what acts | timeout, µs | lost segment reported after, µs |\n|---:|---:|---|---:|---|\n"+rows)
}
