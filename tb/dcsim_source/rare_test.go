// SPDX-License-Identifier: Apache-2.0

package dcsimsource_test

import (
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/dcsim_source"
	model "github.com/nicgen/nicgen/model/dcsim_source"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// tiny is a configuration whose slots, copies and places are soon used again: 14 SIMs and DATAs
// from the queue to the line, 14 copies, 4 places.
const tiny = "flows=2 flow_bits=2 outstanding=16 port_bits=8 copies=16 repeats=4 tag_bits=5 seq_bits=8 want_bits=10 time_bits=12 " +
	"hops=2 rtt_ns=1000 data_timeout_ns=4000 packet_bytes=256 full_rate=false"

// ports are the source ports of the first SIMs after a reset, in order.
var ports = func() []uint64 {
	p := params.Default()
	if err := gen.SetAll(p, tiny); err != nil {
		panic(err)
	}
	m := model.New(p)
	var out []uint64
	for range 256 {
		sim, _ := m.Queue(0)
		m.Number(sim)
		m.Step()
		out = append(out, m.Port(sim))
	}
	return out
}()

// drive is a cycle of a script.
type drive struct{ benchtest.Drive }

// host sets the times; a token comes in each cycle, and the line takes all that is offered.
func (d drive) host(rttMax, timeout uint64) {
	for port, v := range map[string]uint64{"cfg_token_gain": 1, "cfg_token_cost": 1, "cfg_sim_queue": 12, "cfg_rtt_max": rttMax,
		"cfg_data_timeout": timeout, "m_sim_ready": 1, "m_data_ready": 1} {
		d.Set(port, v)
	}
}

func (d drive) data(flow, count uint64) {
	d.Set("s_data_valid", 1)
	d.Set("s_data_flow", flow)
	d.Set("s_data_count", count)
}

// simAck acknowledges the n-th SIM since the reset.
func (d drive) simAck(n int) {
	d.Set("s_sim_ack_valid", 1)
	d.Set("s_sim_ack_port", ports[n])
}

// all acknowledges the first n SIMs in turn, whether they are in flight or not.
func (d drive) all(c, n int) {
	if c >= 0 {
		d.simAck(c % n)
	}
}

// laps: SIM-ACKs in the first lap of the ring, none later.
func laps(d drive, c int) {
	d.host(200, 2000)
	switch {
	case c == 0:
		d.data(0, 60)
	case c >= 150 && c < 162:
		d.simAck(c - 150)
	}
}

// cleared: a reset with SIMs that are acknowledged; after it none is.
func cleared(d drive, c int) {
	d.host(200, 2000)
	switch {
	case c == 0 || c == 220:
		d.data(0, 10)
	case c >= 100 && c < 108:
		d.simAck(c - 100)
	case c >= 110 && c < 113:
		d.Set("rst", 1)
	}
}

// late: ten DATAs are sent; then the timeout is so short that all of them are late.
func late(d drive, c int) {
	timeout := uint64(2000)
	if c > 400 {
		timeout = 8
	}
	d.host(150, timeout)
	switch {
	case c == 0:
		d.data(0, 10)
	case c >= 100 && c < 110:
		d.simAck(c - 100)
	}
}

// burst sends the SIM-ACKs of all SIMs in a row, just before the first of them is due, and the first
// SIM's ACK last.
func burst(d drive, c int) {
	d.host(100, 2000)
	switch {
	case c == 0:
		d.data(0, 40)
	case c == 2:
		d.data(1, 40)
	case c >= 90 && c < 104:
		d.simAck(103 - c)
	}
}

// unacknowledged: DATAs are sent and none is acknowledged.
func unacknowledged(d drive, c int) {
	d.host(150, 2000)
	if c == 0 {
		d.data(0, 60)
	}
	d.all(c, 64)
}

// blocked: the line takes SIMs, and no DATA.
func blocked(d drive, c int) {
	unacknowledged(d, c)
	d.Set("m_data_ready", 0)
}

// forgotten: SIMs time out while new DATAs of another flow always wait.
func forgotten(d drive, c int) {
	d.host(40, 2000)
	switch {
	case c == 0:
		d.data(0, 2)
	case c > 2:
		d.data(1, 1)
	}
}

// again: DATAs time out, three and three.
func again(d drive, c int) {
	d.host(150, 300)
	if c == 0 {
		d.data(0, 3)
	}
	d.all(c, 100)
}

// resets: a reset of one cycle while DATAs that timed out get SIM-ACKs, each time a cycle later; behind it more DATAs
// time out than there are places.
func resets(d drive, c int) {
	const round = 1200
	n, c := (c+sweep)/round, (c+sweep)%round
	at := sweep + 500 + n%26 + n/26*100 // SIM-ACKs of the second SIMs come from 500 on, or from 600 on
	switch {
	case c < at:
		again(d, c-sweep)
	default:
		late(d, c-at-1-sweep)
	}
	if c == at || c == round-1 {
		d.Set("rst", 1)
	}
}

// scripted makes a script of a situation, which begins when the unit is ready: before, there are
// settings only.
func scripted(f func(d drive, c int)) func(benchtest.Drive, int) {
	return func(d benchtest.Drive, c int) { f(drive{d}, c-sweep) }
}

const sweep = 32

// rare are mistakes that random traffic shows late, with a situation in which they show soon.
var rare = []benchtest.Rare{
	{Play: scripted(laps), Cycles: 800, Bug: benchtest.Bug{Name: "marks are left for the next lap", File: fileRing, Set: tiny, Edits: []string{
		"(d2_valid_q && d2_sent_mark != d2_left_mark)", "(1'b0 && d2_valid_q)"}}},
	{Play: scripted(cleared), Cycles: 800, Bug: benchtest.Bug{Name: "marks are not cleared after reset", File: "nic_dcsim_source_marks.sv", Set: tiny, Edits: []string{
		"wr_bits    = clear ? '0 :", "wr_bits    = clear ? own_row :"}}},
	{Play: scripted(late), Cycles: 600, Bug: benchtest.Bug{Name: "the next packet leaves while one is marked", File: fileRing, Set: tiny, Edits: []string{
		"assign busy     = d1_valid_q || d2_valid_q;", "assign busy     = 1'b0 && d1_valid_q;"}}},
	{Play: scripted(burst), Cycles: 400, Bug: benchtest.Bug{Name: "a DATA is offered without its number", File: fileDatas, Set: tiny, Edits: []string{
		"look_q && found_mark == queue_mark && !load", "look_q && (found_mark == queue_mark || 1'b1) && !load"}}},
	{Play: scripted(unacknowledged), Cycles: 1200, Bug: benchtest.Bug{Name: "no room is kept for copies", File: fileRing, Set: tiny, Edits: []string{
		"flying < PTR_W'((1 << IDX_W) - 2)", "flying < PTR_W'((1 << IDX_W) - 1)"}}},
	{Play: scripted(blocked), Cycles: 800, Bug: benchtest.Bug{Name: "a slot is free before its DATA was sent", File: fileDatas, Set: tiny, Edits: []string{
		"end else if (coming_q == '0) begin", "end else begin"}}},
	{Play: scripted(forgotten), Cycles: 800, Bug: benchtest.Bug{Name: "a SIM that timed out is forgotten", File: fileWant, Set: tiny, Edits: []string{
		"late_valid || again_valid || serve;", "(late_valid && !data_valid) || again_valid || serve;"}}},
	{Play: scripted(again), Cycles: 1500, Bug: benchtest.Bug{Name: "DATAs that timed out go behind the others", File: fileMatch, Set: tiny, Edits: []string{
		"some_d      = !clear && (again_q ||", "some_d      = !clear && ((again_q && !some_q) ||"}}},
	{Play: scripted(late), Cycles: 600, Bug: benchtest.Bug{Name: "a place is given twice", File: fileMatch, Set: tiny, Edits: []string{
		"- (SPOT_W+1)'(again_valid && free)", "- (SPOT_W+1)'(s3_q && again_q)"}}},
	{Play: scripted(again), Cycles: 2500, Bug: benchtest.Bug{Name: "a free place is lost", File: fileMatch, Set: tiny, Edits: []string{
		"free_q <= head_q;", "free_q <= spot_next;"}}},
	{Play: scripted(resets), Cycles: 62_400, Bug: benchtest.Bug{Name: "a match begins in a reset", File: fileMatch, Set: tiny, Edits: []string{
		"    if (rst) begin\n      s1_q <= 1'b0;\n", "    if (rst) begin\n"}}},
	{Play: scripted(resets), Cycles: 62_400, Bug: benchtest.Bug{Name: "a match goes on in a reset", File: fileMatch, Set: tiny, Edits: []string{
		"      s2_q <= 1'b0;\n", ""}}},
	{Play: scripted(resets), Cycles: 62_400, Bug: benchtest.Bug{Name: "a match ends after a reset", File: fileMatch, Set: tiny, Edits: []string{
		"      s3_q <= 1'b0;\n", ""}}},
}

func TestRare(t *testing.T) {
	suite.Rare(t, func(*params.Params) int { return 3 }, rare)
}
