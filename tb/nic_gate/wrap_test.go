// SPDX-License-Identifier: Apache-2.0

package nicgate_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_gate"
	"github.com/nicgen/nicgen/internal/sample"
	model "github.com/nicgen/nicgen/model/nic_gate"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// long is one connection of the RTL and of the model. The test keeps its own count of
// bytes.
type long struct {
	*gate
	g     *model.Gate
	conn  uint32
	psn   uint64 // the next one
	bytes uint64 // released, in 64 bits
	shut  uint64 // turns that found the window shut
}

// openFlow resets RTL and model, whose first PSN is close to the end of their range.
func openFlow(t *testing.T, p *params.Params) *long {
	f := &long{gate: open(t, p), g: model.New(p), conn: uint32(p.Connections - 1), psn: 1<<p.PSNBits - 100}
	f.g.Settings = model.Settings{InitWindow: uint64(p.InitWindow), Quantum: 65535, GoBackN: true}
	f.Set("cfg_quantum", 65535)
	f.Set("cfg_stall_ns", 1<<22) // the time is constant
	for _, port := range []string{"s_enter_conn", "s_release_conn", "s_ack_conn", "s_window_conn", "s_due_conn"} {
		f.Set(port, uint64(f.conn))
	}
	f.Set("s_enter_counts", 1)
	f.Set("s_release_counts", 1)
	return f
}

// TestBytesWrap brings the bytes released and acknowledged of a connection across 2^24, 2^31 and 2^32, by packets of
// 65,535 bytes, one a cycle: 2 GB are 170 ms of a line. Around each of these it goes step by step, through a window
// that shuts, a NAK, and packets that are sent again.
func TestBytesWrap(t *testing.T) {
	for i, c := range corners {
		p := suite.Configure(t, c.Set)
		if i > 0 && (p.ByteBits == params.Default().ByteBits || sample.LeftOut(t.Name()+"/"+c.Name)) {
			continue // entries are as wide as in the default
		}
		size, boundaries := uint64(65535), []uint64{1 << 24, 1 << 31, 1 << 32}
		if p.ByteBits == 16 { // half of an entry's range may be in flight, so a million packets are needed
			if size = 3500; testing.Short() {
				continue
			}
		}
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			f := openFlow(t, p)
			const rounds = 6
			for _, boundary := range boundaries {
				f.stream(size, (boundary-f.bytes)/size-rounds/2*packets-2) // passed while packets are in flight
				before := f.bytes
				for n := range uint64(rounds) {
					f.round(size - 1000*n/3)
				}
				if before >= boundary || f.bytes <= boundary {
					t.Fatalf("from %d to %d bytes were released, which does not pass %d", before, f.bytes, boundary)
				}
			}
			if n := f.Get("sts_illegal_cnt"); n != 0 || f.g.Count.Illegal != 0 {
				t.Errorf("%d illegal events, and %d of the model", n, f.g.Count.Illegal)
			}
		})
	}
}

// at returns the PSN n behind the next one.
func (f *long) at(n uint64) uint64 { return (f.psn + n) & (1<<f.p.PSNBits - 1) }

// samples checks a sample of RTL and model against the test's counts: its ACK acknowledges a number of bytes, the
// last of which is number una, while nxt bytes are released.
func (f *long) samples(who string, moved, acked, una, nxt uint64, got map[string]uint64) {
	f.t.Helper()
	for name, want := range map[string]uint64{"moved": moved, "acked": acked, "una": una & (1<<32 - 1), "nxt": nxt & (1<<32 - 1)} {
		if got[name] != want {
			f.t.Fatalf("%s, at byte 0x%x: %s is 0x%x, want 0x%x", who, una, name, got[name], want)
		}
	}
}

func (f *long) modelSample(s model.Sample) map[string]uint64 {
	return map[string]uint64{"moved": benchtest.Bit(s.Moved), "acked": s.Acked, "una": s.Una, "nxt": s.Nxt}
}

func (f *long) rtlSample() map[string]uint64 {
	got := map[string]uint64{}
	for _, name := range []string{"moved", "acked", "una", "nxt"} {
		got[name] = f.Get("m_sample_" + name)
	}
	return got
}

// stream has n packets enter, leave and be acknowledged, each in a cycle.
func (f *long) stream(size, n uint64) {
	f.t.Helper()
	const leave = 5
	back := leave + uint64(f.p.ToRing()) + 3 // cycles from ENTER to ACK
	seen := uint64(0)
	for k := range n + back + uint64(f.p.SampleLatency()) + 1 {
		in, out, ack := k < n, k >= leave && k < n+leave, k >= back && k < n+back
		f.Set("s_enter_valid", benchtest.Bit(in))
		f.Set("s_enter_psn", f.at(k))
		f.Set("s_release_valid", benchtest.Bit(out))
		f.Set("s_release_psn", f.at(k-leave))
		f.Set("s_release_bytes", size)
		f.Set("s_ack_valid", benchtest.Bit(ack))
		f.Set("s_ack_psn", f.at(k-back))
		if in {
			f.enters(f.at(k))
		}
		if out {
			f.leaves(f.at(k-leave), size)
		}
		if ack {
			gone := min(k-leave, n-1) + 1
			f.samples("model", 1, size, f.bytes+size*(k-back+1), f.bytes+size*gone, f.modelSample(f.acks(f.at(k-back), false)))
		}
		f.Step(1)
		if f.Get("m_sample_valid") != 0 {
			seen++
			got := f.rtlSample()
			una := f.bytes + size*seen
			// The bytes released meanwhile depend on cycles: a few packets more.
			more := (got["nxt"] - una) & (1<<32 - 1)
			if more%size != 0 || more/size > back+uint64(f.p.SampleLatency()) {
				f.t.Fatalf("at byte 0x%x, 0x%x were released", una, got["nxt"])
			}
			f.samples("RTL", 1, size, una, got["nxt"], got)
		}
	}
	if seen != n {
		f.t.Fatalf("%d samples of %d ACKs", seen, n)
	}
	f.psn, f.bytes = f.at(n), f.bytes+n*size
}

// packets is the number of packets that leave in a round.
const packets = 7

// round sends five packets, and two of them again.
func (f *long) round(size uint64) {
	window, base := 3*size+1, f.bytes
	f.event(map[string]uint64{"s_window_valid": 1, "s_window_bytes": window})
	f.g.SetWindow(f.conn, window)
	for k := range uint64(5) {
		f.enter(f.at(k))
	}
	for k := range uint64(4) {
		f.due(window-k*size, k)
		f.release(f.at(k), size, k == 0)
	}
	f.due(0, 4) // four are more than the window
	f.Set("m_push_ready", 0)
	f.ack(f.at(0), false, size, base+size)
	f.opens()
	f.due(1, 3)
	f.release(f.at(4), size, false)
	f.ack(f.at(3), true, 2*size, base+3*size)
	f.enter(f.at(3)) // all in flight is lost
	f.due(window, 2)
	f.release(f.at(3), size, true)
	f.ack(f.at(3), false, size, base+6*size)
	f.enter(f.at(4))
	f.release(f.at(4), size, true)
	f.ack(f.at(4), false, size, base+7*size)
	f.psn = f.at(5)
}

func (f *long) enters(psn uint64) {
	s, _ := f.g.State(f.conn)
	if out, _ := f.g.Enter(f.conn, psn, true, s, 0); out.Again || out.Restart {
		f.g.Again(f.conn, psn, out, s.Sent.Nxt)
	}
}

func (f *long) enter(psn uint64) {
	f.event(map[string]uint64{"s_enter_valid": 1, "s_enter_psn": psn})
	f.enters(psn)
	f.Step(8)
}

// due checks a turn: left is the number of bytes remaining in the window, 0 if it is shut, and used is the
// number of PSNs in the ring.
func (f *long) due(left, used uint64) {
	f.t.Helper()
	f.until("s_due_ready", 64)
	f.event(map[string]uint64{"s_due_valid": 1})
	_, budget := f.g.Due(f.conn, f.g.Flight(f.conn))
	if left == 0 {
		f.Step(16)
		if f.shut++; f.Get("sts_shut_cnt") != f.shut&(1<<f.p.CounterBits-1) || f.g.Count.Shut != f.shut {
			f.t.Fatalf("byte 0x%x: %d turns, of the model %d, found the window shut, want %d", f.bytes, f.Get("sts_shut_cnt"), f.g.Count.Shut, f.shut)
		}
		return
	}
	f.until("m_pop_valid", 100)
	want := min(left, 65535, params.BytesPerPSN*(uint64(f.p.Ring)-used))
	if got := f.Get("m_pop_budget"); got != want || budget != want {
		f.t.Fatalf("byte 0x%x: a budget of %d, of the model %d, want %d", f.bytes, got, budget, want)
	}
	f.Step(1)
}

func (f *long) leaves(psn, size uint64) (idle bool) {
	s, _ := f.g.State(f.conn)
	e, idle, _ := f.g.Release(f.conn, model.Packet{PSN: psn, Bytes: size, Counts: true}, s.In, f.g.Una(f.conn), 0)
	f.g.Put(f.conn, psn, e, 0, 0)
	return idle
}

func (f *long) release(psn, size uint64, idle bool) {
	f.t.Helper()
	f.event(map[string]uint64{"s_release_valid": 1, "s_release_psn": psn, "s_release_bytes": size})
	is := f.leaves(psn, size)
	f.until("m_send_valid", 8)
	if got := f.Get("m_send_idle") != 0; got != idle || is != idle {
		f.t.Fatalf("byte 0x%x: idle is %t, of the model %t, want %t", f.bytes, got, is, idle)
	}
	f.bytes += size
	f.Step(int(f.p.ToRing()))
}

func (f *long) acks(psn uint64, nak bool) model.Sample {
	s, _ := f.g.State(f.conn)
	named := f.g.Named(psn, nak)
	return f.g.Ack(f.conn, named, nak, true, f.g.Find(f.conn, named), s.Sent, s.Restart, 0)
}

func (f *long) ack(psn uint64, nak bool, acked, una uint64) {
	f.t.Helper()
	f.event(map[string]uint64{"s_ack_valid": 1, "s_ack_psn": psn, "s_ack_nak": benchtest.Bit(nak), "s_ack_counts": 1})
	f.samples("model", 1, acked, una, f.bytes, f.modelSample(f.acks(psn, nak)))
	f.until("m_sample_valid", 30)
	f.samples("RTL", 1, acked, una, f.bytes, f.rtlSample())
}

// opens waits for the connection to come back.
func (f *long) opens() {
	f.t.Helper()
	f.until("m_push_valid", 200)
	f.Set("m_push_ready", 1)
	f.Step(1)
	if !f.g.Look(f.conn, f.g.Flight(f.conn)) {
		f.t.Fatalf("byte 0x%x: the model's window stays shut", f.bytes)
	}
}
