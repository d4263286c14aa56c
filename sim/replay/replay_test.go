// SPDX-License-Identifier: Apache-2.0

package replay_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/traffic"
	"github.com/nicgen/nicgen/packet/tshark"
	"github.com/nicgen/nicgen/sim/device/devicetest"
	"github.com/nicgen/nicgen/sim/replay"
)

// quiet is a checker that lets all pass, until a cycle.
type quiet struct {
	until int // 0: for ever
	owes  error
	n     int
}

var errQuiet = errors.New("port x: 1, want 2")

func (q *quiet) Step([]uint64, []uint64) error {
	if q.n++; q.n == q.until {
		return errQuiet
	}
	return nil
}

func (q *quiet) End() error { return q.owes }

// config replays through a block whose streams are wires.
func config(t *testing.T) replay.Config {
	t.Helper()
	p := params.Default()
	lib, m := devicetest.Wires(t, p)
	return replay.Config{Library: lib, Params: p, Map: m, Checker: &quiet{}, Drain: 1_000_000}
}

func generate(t *testing.T, seed uint64, frames int) *traffic.Trace {
	t.Helper()
	c := traffic.Default()
	c.Seed, c.Frames = seed, frames
	trace, err := traffic.Generate(c)
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// Wires change nothing: all frames leave as they came, in order, with the times that the wires take.
func TestWires(t *testing.T) {
	cfg := config(t)
	in := generate(t, 3, 400).Packets()
	for _, lineRate := range []bool{false, true} {
		cfg.LineRate = lineRate
		cfg.Stall, cfg.Idle = 0.1, 0.1
		if !lineRate {
			cfg.Stall, cfg.Idle = 0, 0
		}
		res, err := replay.Run(context.Background(), in, cfg)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range []capture.Direction{capture.TX, capture.RX} {
			var a, b [][]byte
			for _, p := range in {
				if p.Dir == dir {
					a = append(a, p.Data)
				}
			}
			for _, p := range res.Out {
				if p.Dir == dir {
					b = append(b, p.Data)
				}
			}
			if len(a) != len(b) {
				t.Fatalf("%d frames came, %d left", len(a), len(b))
			}
			for i := range a {
				if !bytes.Equal(a[i], b[i]) {
					t.Fatalf("frame %d differs", i)
				}
			}
		}
		total := 0
		for _, r := range res.Rows {
			if r.In != r.Out || r.Edited+r.Gone+r.Made+r.Bad > 0 {
				t.Errorf("%+v", r)
			}
			if r.Latency[0] != 0 {
				t.Errorf("%s %s: %d ps through wires", r.Dir, r.Kind, r.Latency[0])
			}
			total += r.In
		}
		if total != len(in) || res.Opened == 0 {
			t.Errorf("%d frames in rows, %d came, %d connections", total, len(in), res.Opened)
		}
		took := in[len(in)-1].Time.Sub(in[0].Time)
		if got := time.Duration(res.Took); !lineRate && (got < took-time.Microsecond || got > took+2*time.Microsecond) {
			t.Errorf("took %v, the capture %v", got, took)
		}
	}
}

// The report counts as packets of RoCEv2 those that the block reads: here none that has a tag.
func TestTags(t *testing.T) {
	cfg := config(t)
	p := *cfg.Params
	p.Tags = 0
	cfg.Params = &p
	in := generate(t, 3, 200).Packets()
	want := 0
	for _, f := range in {
		r, err := roce.Parse(f.Data)
		if err == nil && len(r.Tags) == 0 {
			want++
		}
	}
	res, err := replay.Run(context.Background(), in, cfg)
	if err != nil {
		t.Fatal(err)
	}
	got := 0
	for _, r := range res.Rows {
		if r.Kind != replay.Other && r.Kind != replay.Unknown {
			got += r.In
		}
	}
	if got == 0 || got > want {
		t.Errorf("%d frames are counted as RoCEv2, and %d have no tag", got, want)
	}
}

// A capture of which nearly all is silence takes few cycles.
func TestSilence(t *testing.T) {
	cfg := config(t)
	in := generate(t, 4, 60).Packets()
	for i := range in {
		in[i].Time = in[0].Time.Add(time.Duration(i) * 10 * time.Millisecond)
	}
	res, err := replay.Run(context.Background(), in, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if each := res.Cycles / uint64(len(in)); each > 5000 {
		t.Errorf("%d cycles for each of %d frames that are 2,500,000 cycles apart", each, len(in))
	}
	for i, p := range res.Out {
		if d := p.Time.Sub(in[i].Time); d < 0 || d > 10*time.Microsecond {
			t.Fatalf("frame %d left %v after it came", i, d)
		}
	}
}

// Connections are found as they were made: for RC both queue pairs.
func TestFind(t *testing.T) {
	for seed := range uint64(5) {
		c := traffic.Default()
		c.Seed, c.Frames, c.Crafted = seed, 3000, 0
		if seed%2 == 1 {
			c.Crafted = 0.05 // among them are packets of queue pairs that are none
		}
		trace, err := traffic.Generate(c)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, c := range replay.Find(trace.Packets()) {
			found[fmt.Sprintf("%v %v %x %x", c.Service, c.Remote, c.RemoteQP, c.LocalQP)] = true
			if !c.HasTX || !c.HasRX {
				if c.Service == roce.RC && seed%2 == 0 {
					t.Errorf("half of a connection: %+v", c)
				}
			}
		}
		for _, c := range trace.Conns {
			if c.Service == roce.RC && !found[fmt.Sprintf("%v %v %x %x", c.Service, c.Sides[1].IP, c.Sides[1].QP, c.Sides[0].QP)] {
				t.Errorf("seed %d: %v, queue pairs %x, %x is not found", seed, c.Sides[1].IP, c.Sides[0].QP, c.Sides[1].QP)
			}
		}
	}
}

// Without directions the NIC is the one that all frames have.
func TestDirect(t *testing.T) {
	trace := generate(t, 5, 500)
	want := trace.Packets()
	in := trace.Packets()
	for i := range in {
		in[i].Dir = capture.Unknown
	}
	got, _, err := replay.Prepare([]*capture.File{{Packets: in}}, replay.Selection{})
	if err != nil || len(got) != len(want) {
		t.Fatal(len(got), err)
	}
	for i := range got {
		if got[i].Dir != want[i].Dir && trace.Frames[i].Kind == traffic.Conversation {
			t.Errorf("frame %d is %v, want %v", i, got[i].Dir, want[i].Dir)
		}
	}
	var one []capture.Packet
	for i := range want {
		if trace.Frames[i].Conn == trace.Frames[0].Conn {
			p := want[i]
			p.Dir = capture.Unknown
			one = append(one, p)
		}
	}
	if _, _, err := replay.Prepare([]*capture.File{{Packets: one}}, replay.Selection{}); !errors.Is(err, replay.ErrSides) {
		t.Errorf("want %v, got %v", replay.ErrSides, err)
	}
}

// A finding of the checker, or an expectation still open at the end, is a difference;
// Ctrl-C is not.
func TestDifference(t *testing.T) {
	cfg := config(t)
	in := generate(t, 6, 100).Packets()
	for _, q := range []*quiet{{until: 1}, {until: 2000}, {until: 5000}, {owes: errQuiet}} {
		cfg.Checker = q
		_, err := replay.Run(context.Background(), in, cfg)
		var d *replay.Difference
		if q.until > 1 || q.owes != nil {
			if !errors.As(err, &d) || !errors.Is(err, errQuiet) || q.until > 0 && d.Cycle+1 != uint64(q.until) {
				t.Errorf("%+v: %v", q, err)
			}
		} else if err == nil {
			t.Errorf("%+v: no error", q)
		}
	}
	// Of frames from a file the message names the last one that went in.
	cfg.Checker = &quiet{owes: errQuiet}
	named := slices.Clone(in)
	for i := range named {
		named[i].File, named[i].Record = "a.pcap", i+1
	}
	if _, err := replay.Run(context.Background(), named, cfg); err == nil || !strings.HasSuffix(err.Error(), fmt.Sprintf("; the last frame that went in is a.pcap: frame %d", len(in))) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	cfg.Checker = &quiet{}
	if _, err := replay.Run(ctx, in, cfg); !errors.Is(err, context.Canceled) {
		t.Errorf("want %v, got %v", context.Canceled, err)
	}
	if _, err := replay.Run(context.Background(), nil, cfg); err == nil || !strings.Contains(err.Error(), "no packets") {
		t.Errorf("%v", err)
	}
	late := slices.Clone(in)
	late[len(late)-1].Time = in[0].Time.Add(101 * 24 * time.Hour)
	if _, err := replay.Run(context.Background(), late, cfg); err == nil || !strings.Contains(err.Error(), "the recording lasts 101.0 days: want at most 100.0 days; cut its gaps (--max-gap)") {
		t.Errorf("%v", err)
	}
	in[7].Data, in[7].File, in[7].Record = nil, "a.pcap", 8
	if _, err := replay.Run(context.Background(), in, cfg); err == nil || err.Error() != "a.pcap: frame 8 has 0 bytes: leave it out" {
		t.Errorf("%v", err)
	}
}

// Of packets captured in part the headers are replayed, and zeros behind them; connections are found as before.
func TestHeadersOnly(t *testing.T) {
	cfg := config(t)
	trace := generate(t, 8, 400)
	whole := trace.Packets()
	cut := trace.Packets()
	missing := 0
	for i := range cut {
		p := &cut[i]
		if n := len(p.Data) - 128; n > 0 {
			p.Data = append(bytes.Clone(p.Data[:128]), make([]byte, n)...)
			p.Missing = n
			missing++
		}
	}
	in, _, err := replay.Prepare([]*capture.File{{Packets: cut}}, replay.Selection{})
	if err != nil || len(in) != len(whole) || missing < 100 {
		t.Fatalf("%d of %d frames, %d in part: %v", len(in), len(whole), missing, err)
	}
	if a, b := fmt.Sprint(replay.Find(in)), fmt.Sprint(replay.Find(whole)); a != b {
		t.Errorf("connections %s, want %s", a, b)
	}
	res, err := replay.Run(context.Background(), in, cfg)
	if err != nil || len(res.Out) != len(in) {
		t.Fatalf("%d of %d frames left: %v", len(res.Out), len(in), err)
	}
}

// The frames that leave form a capture that tshark reads: times, directions, queue pairs,
// PSNs.
func TestTshark(t *testing.T) {
	cfg := config(t)
	res, err := replay.Run(context.Background(), generate(t, 7, 400).Packets(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := capture.WritePcapng(&b, res.Out); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "out.pcapng")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	rows, err := tshark.Fields(t.Context(), file, []string{"frame.time_epoch", "frame.interface_name", "frame.len", "infiniband.bth.psn", "infiniband.bth.destqp"})
	var missing *tool.Missing
	if errors.As(err, &missing) {
		t.Fatal("tshark is not there, make deps-tests installs it")
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(res.Out) {
		t.Fatalf("tshark sees %d frames, want %d", len(rows), len(res.Out))
	}
	packets := 0
	for i, p := range res.Out {
		at := fmt.Sprintf("%d.%09d", p.Time.Unix(), p.Time.Nanosecond())
		want := []string{at, p.Dir.String(), fmt.Sprint(len(p.Data)), "", ""}
		if r, err := roce.Parse(p.Data); err == nil && rows[i][3] != "" {
			want[3], want[4] = fmt.Sprint(r.BTH.PSN), fmt.Sprintf("0x%06x", r.BTH.DestQP)
			packets++
		} else {
			want[3], want[4] = rows[i][3], rows[i][4]
		}
		if strings.Join(rows[i], " ") != strings.Join(want, " ") {
			t.Errorf("frame %d: tshark sees %v, want %v", i+1, rows[i], want)
		}
	}
	if packets < 300 {
		t.Errorf("only %d packets of RoCEv2", packets)
	}
}
