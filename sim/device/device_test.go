// SPDX-License-Identifier: Apache-2.0

package device_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	niclookup "github.com/nicgen/nicgen/model/nic_lookup"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
	"github.com/nicgen/nicgen/sim/device/devicetest"
)

func open(t *testing.T, c device.Config) *device.Device {
	t.Helper()
	d, err := device.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func frames(seed uint64, n int) [][]byte {
	r := rand.New(rand.NewPCG(seed, 1))
	var out [][]byte
	for range n {
		f := make([]byte, 60+r.IntN(200))
		if r.IntN(8) == 0 {
			f = make([]byte, 1500+r.IntN(8000))
		}
		for i := range f {
			f[i] = byte(r.Uint32())
		}
		out = append(out, f)
	}
	return out
}

// Frames leave unchanged and in order under all patterns; the line is never faster than its rate,
// and full if there is enough to send.
func TestFrames(t *testing.T) {
	p := params.Default()
	lib, _ := devicetest.Wires(t, p)
	for i, c := range []device.Config{
		{}, {Period: device.Period322}, {HostStall: 0.3}, {HostIdle: 0.6}, {WireIdle: 0.6}, {HostStall: 0.5, HostIdle: 0.5, WireIdle: 0.5}, {LineRate: 3.125},
	} {
		c.Library, c.Seed = lib, uint64(i)
		cycles := 0
		c.Follow = func([]uint64, []uint64) error { cycles++; return nil }
		d := open(t, c)
		host, wire := frames(uint64(2*i), 300), frames(uint64(2*i+1), 300)
		for _, f := range host {
			d.Host(d.Now(), f)
		}
		at, bytesIn := d.Now(), 0
		for _, f := range wire {
			d.Wire(at, f)
			at += d.WireTime(len(f))
			bytesIn += max(60, len(f)) + device.Gap
		}
		var entered int
		d.Entered = func(e device.Entered) { entered++ }
		got := map[bool][][]byte{}
		var first, gone agenda.Instant
		total := 0
		start := d.Now()
		for k := 1; d.Busy(); k++ {
			err := d.Run(context.Background(), start+agenda.Instant(k)*1_000_000, func(l device.Left) {
				got[l.ToHost] = append(got[l.ToHost], l.Data)
				if l.Last < l.First || l.Gone < l.Last {
					t.Errorf("times %d, %d, %d", l.First, l.Last, l.Gone)
				}
				if !l.ToHost {
					if total == 0 {
						first = l.First
					}
					if l.Gone < gone+d.WireTime(len(l.Data)) && gone > 0 {
						t.Errorf("a frame of %d bytes is gone %d ps after the one before it", len(l.Data), l.Gone-gone)
					}
					gone = l.Gone
					total += max(60, len(l.Data)) + device.Gap
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if !slices.EqualFunc(got[false], host, bytes.Equal) || !slices.EqualFunc(got[true], wire, bytes.Equal) {
			t.Errorf("%d: frames differ: %d and %d left", i, len(got[false]), len(got[true]))
		}
		if entered != 600 || uint64(cycles)+4 < d.Cycle() {
			t.Errorf("%d: %d frames entered, %d of %d cycles were seen", i, entered, cycles, d.Cycle())
		}
		rate := c.LineRate
		if rate == 0 {
			rate = 12.5
		}
		if use := float64(total) / (float64(gone-first) / agenda.PS * rate); use > 1.001 || c.HostIdle == 0 && use < 0.95 {
			t.Errorf("%d: the line was used to %.4f", i, use)
		}
	}
}

// A device without patterns does the same with and without batches of cycles: one that follows sees
// the same vectors.
func TestBatches(t *testing.T) {
	p := params.Default()
	lib, _ := devicetest.Wires(t, p)
	run := func(step agenda.Instant) (sum uint64, cycles uint64) {
		c := device.Config{Library: lib}
		c.Follow = func(in, out []uint64) error {
			for _, w := range append(slices.Clone(in), out...) {
				sum = sum*0x9E3779B97F4A7C15 + w
			}
			return nil
		}
		d := open(t, c)
		for k, f := range frames(5, 50) {
			d.Host(agenda.Instant(k)*300_000, f)
			d.Wire(agenda.Instant(k)*411_000, f)
		}
		for at := step; at <= 30_000_000; at += step {
			if err := d.Run(context.Background(), at, func(device.Left) {}); err != nil {
				t.Fatal(err)
			}
		}
		return sum, d.Cycle()
	}
	a, n := run(30_000_000)
	b, m := run(4000)
	if a != b || n != m || n != 7500 {
		t.Errorf("%x in %d cycles, %x in %d", a, n, b, m)
	}
}

// Time jumps while nothing is there, and only then.
func TestSkip(t *testing.T) {
	p := params.Default()
	lib, _ := devicetest.Wires(t, p)
	var last uint64
	now := lib.Layout().MustSlot("now_ns")
	d := open(t, device.Config{Library: lib, Pauses: &device.Pauses{}, Follow: func(in, _ []uint64) error {
		if v := now.Get(in); v < last {
			return fmt.Errorf("now_ns goes back from %d to %d", last, v)
		} else {
			last = v
		}
		return nil
	}})
	d.Rebase()
	var at []agenda.Instant
	for k, f := range frames(6, 20) {
		d.Host(agenda.Instant(k)*agenda.At(1_000_000_000), f)
	}
	err := d.Run(context.Background(), agenda.At(20_000_000_000), func(l device.Left) { at = append(at, l.First) })
	if err != nil {
		t.Fatal(err)
	}
	if len(at) != 20 || d.Cycle() > 20*2000 || last < 19_000_000_000 {
		t.Errorf("%d frames, %d cycles, now_ns %d", len(at), d.Cycle(), last)
	}
	for k, x := range at {
		if want := agenda.Instant(k) * agenda.At(1_000_000_000); x < want || x > want+2*device.Period250 {
			t.Errorf("frame %d left at %d, came at %d", k, x, want)
		}
	}
}

// Registers are written and read by name, and mistakes are told.
func TestRegisters(t *testing.T) {
	p := params.Default()
	lib, m := devicetest.Wires(t, p)
	d := open(t, device.Config{Library: lib, Map: m})
	for _, r := range []string{"queue.cfg_quota", "reps.cfg_freezing_timeout_ns", "transport.cfg_label_high"} {
		place, err := m.Find(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []uint64{place.Register.Reset, 1<<place.Register.Bits - 1, 5} {
			if v != place.Register.Reset {
				if err := d.Write(r, uint32(v), uint32(v>>32)); place.Register.Words() == 2 && err != nil {
					t.Fatal(err)
				} else if place.Register.Words() == 1 {
					if err == nil {
						t.Errorf("%s takes two words", r)
					}
					if err := d.Write(r, uint32(v)); err != nil {
						t.Fatal(err)
					}
				}
			}
			if got, err := d.Read(r); err != nil || got != v {
				t.Errorf("%s is %d, want %d (%v)", r, got, v, err)
			}
		}
	}
	if v, err := d.Read("transport.sts_ready"); err != nil || v != 1 {
		t.Errorf("sts_ready %d, %v", v, err)
	}
	if c, err := d.Counters("queue"); err != nil || len(c) < 10 {
		t.Errorf("%v, %v", c, err)
	}
	for name, call := range map[string]func() error{
		"no register":      func() error { return d.Write("queue.cfg_quoat", 1) },
		"not one to write": func() error { return d.Write("queue.sts_stored_cnt", 1) },
		"not one to read":  func() error { _, err := d.Read("echo.s_flush.conn"); return err },
		"does not fit":     func() error { return d.Write("transport.cfg_label_high", 16) },
		"no block":         func() error { _, err := d.Counters("nothing"); return err },
		"and 2 are given":  func() error { return d.Write("queue.cfg_quota", 1, 0) },
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want an error with %q, got %v", name, err)
		}
	}
}

// watch records a connection's setup at the streams of the parts.
type watch struct {
	layout  *cosim.Layout
	streams []string // software's streams, except the one of entries
	list    []string
	table   map[niclookup.Key]uint32
	places  map[[2]uint64]niclookup.Key
}

func (w *watch) follow(in, out []uint64) error {
	if w.layout.MustSlot("rst").Get(in) != 0 {
		return nil
	}
	get := func(n string) uint64 { return w.layout.MustSlot(n).Get(out) }
	for _, s := range w.streams {
		if get(s+"_valid") == 0 {
			continue
		}
		text := s
		for _, f := range []string{"conn", "word", "inv"} {
			if x, ok := w.layout.Slot(s + "_" + f); ok && s != "reps_s_seed" {
				text += fmt.Sprintf(" %s=%d", f, x.Get(out))
			}
		}
		w.list = append(w.list, text)
	}
	if get("lookup_s_write_valid") != 0 {
		place := [2]uint64{get("lookup_s_write_way"), get("lookup_s_write_row")}
		delete(w.table, w.places[place])
		if get("lookup_s_write_set") != 0 {
			var k niclookup.Key
			copy(k[:], w.layout.MustSlot("lookup_s_write_key").Read(out))
			w.table[k], w.places[place] = uint32(get("lookup_s_write_conn")), k
		}
		w.list = append(w.list, fmt.Sprintf("entry conn=%d set=%d", get("lookup_s_write_conn"), get("lookup_s_write_set")))
	}
	return nil
}

// A connection's parts are made new first, and its entries come last; it is closed the other way
// round.
func TestOpen(t *testing.T) {
	p := params.Default()
	p.Connections = 4
	lib, m := devicetest.Wires(t, p)
	w := &watch{layout: lib.Layout(), table: map[niclookup.Key]uint32{}, places: map[[2]uint64]niclookup.Key{}}
	var flushes []string
	for _, b := range m.Blocks {
		for _, x := range b.Windows {
			if x.Name != "s_write" {
				w.streams = append(w.streams, b.Name+"_"+x.Name)
			}
			if x.Name == "s_flush" {
				flushes = append(flushes, b.Name+"_s_flush conn=0")
			}
		}
	}
	if len(flushes) < 5 {
		t.Errorf("only %v", flushes)
	}
	d := open(t, device.Config{Library: lib, Map: m, Follow: w.follow})
	s, err := device.NewProgram(t.Context(), d, p)
	if err != nil {
		t.Fatal(err)
	}
	profile := device.Profile{Queue: true, Path: true, EchoTX: true, EchoRX: true, Window: true, DSCP: -1, ECN: 2}
	a := device.Connection{Remote: netip.MustParseAddr("10.0.0.2"), Numbers: []uint32{0x1234, 0x77}, Profile: profile, Rate: 2}
	n, err := s.Open(t.Context(), a)
	if err != nil || n != 0 {
		t.Fatalf("%d, %v", n, err)
	}
	want := append(flushes, "transport_s_profile conn=0 word=163931", "pace_s_rate conn=0 inv=32768", "entry conn=0 set=1", "entry conn=0 set=1")
	if !slices.Equal(w.list, want) {
		t.Errorf("writes:\n%s\nwant:\n%s", strings.Join(w.list, "\n"), strings.Join(want, "\n"))
	}
	if profile.Word() != 1|1<<1|1<<3|1<<4|1<<6|1<<15|2<<16 {
		t.Errorf("profile 0x%x", profile.Word())
	}
	key := func(c device.Connection, d niclookup.Direction, qp uint32) niclookup.Key {
		k, err := niclookup.KeyOf(true, c.Remote, d, qp, 24)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	b := device.Connection{Remote: netip.MustParseAddr("fd00::9"), Numbers: []uint32{5, 5}}
	if n, err := s.Open(t.Context(), b); err != nil || n != 1 {
		t.Fatalf("%d, %v", n, err)
	}
	for _, c := range []struct {
		key  niclookup.Key
		conn uint32
	}{{key(a, niclookup.Sent, 0x1234), 0}, {key(a, niclookup.Received, 0x77), 0}, {key(b, niclookup.Sent, 5), 1}, {key(b, niclookup.Received, 5), 1}} {
		if got, ok := w.table[c.key]; !ok || got != c.conn {
			t.Errorf("key %x: %d, %v", c.key, got, ok)
		}
	}
	if len(w.table) != 4 {
		t.Errorf("%d entries", len(w.table))
	}
	if _, err := s.Open(t.Context(), device.Connection{Remote: a.Remote, Numbers: []uint32{9, 0x77}}); err == nil || !strings.Contains(err.Error(), "connection 0 has the same") {
		t.Errorf("%v", err)
	}
	w.list = nil
	if err := s.Close(0); err != nil {
		t.Fatal(err)
	}
	if want := []string{"entry conn=0 set=0", "entry conn=0 set=0", "transport_s_profile conn=0 word=0"}; !slices.Equal(w.list, want) || len(w.table) != 2 {
		t.Errorf("%v, %d entries", w.list, len(w.table))
	}
	for i := range 4 {
		_, err = s.Open(t.Context(), device.Connection{Remote: netip.AddrFrom4([4]byte{10, 1, 0, byte(i)}), Numbers: []uint32{1, 2}})
	}
	if !errors.Is(err, device.ErrNumbers) {
		t.Errorf("want %v, got %v", device.ErrNumbers, err)
	}
	w.list = nil
	if err := s.Seed(3); err != nil || len(w.list) != 8 {
		t.Errorf("%v, %v", w.list, err)
	}
	if err := s.Settings("powertcp", p.PowerTCP().PortValues()); err == nil {
		t.Error("settings that the part does not have are written")
	}
	if err := s.Settings("queue", map[string]uint64{"cfg_quota": 7}); err != nil {
		t.Fatal(err)
	}
	if v := w.layout.MustSlot("queue_cfg_quota"); v.Width == 0 {
		t.Error("no port")
	}
}
