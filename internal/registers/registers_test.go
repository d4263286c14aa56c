// SPDX-License-Identifier: Apache-2.0

package registers_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	niccsr "github.com/nicgen/nicgen/gen/nic_csr"
	"github.com/nicgen/nicgen/internal/registers"
	model "github.com/nicgen/nicgen/model/nic_csr"
)

func regs(t testing.TB, set string) *csr.Map {
	t.Helper()
	p := niccsr.Default()
	if err := gen.Configure(p, set); err != nil {
		t.Fatal(err)
	}
	m, err := p.Map()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// golden is the golden model as a device. Its units take a window's word after some reads.
type golden struct {
	*model.Registers
	blocks int
	levels map[string]uint64
	take   int // reads until a word is taken; negative: never
	writes []string
}

func (g *golden) Size() uint64 { return 1 << 16 }
func (g *golden) Close() error { return nil }

func (g *golden) Read32(at uint32) (uint32, error) {
	v, _ := g.Read(at, func(_ int, port string) uint64 { return g.levels[port] })
	if g.take == 0 {
		for i := range g.blocks {
			for _, w := range g.Windows(i) {
				w.Take()
			}
		}
	}
	if g.take > 0 {
		g.take--
	}
	return v, nil
}

func (g *golden) Write32(at, v uint32) error {
	g.writes = append(g.writes, fmt.Sprintf("%04x=%x", at, v))
	g.Write(at, v)
	return nil
}

func device(m *csr.Map) *golden {
	return &golden{Registers: model.New(m), blocks: len(m.Blocks), levels: map[string]uint64{}}
}

func attach(t *testing.T, d registers.Device, m *csr.Map) *registers.NIC {
	t.Helper()
	n, err := registers.Attach(d, m, false)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func find(t *testing.T, m *csr.Map, name string) csr.Place {
	t.Helper()
	p, err := registers.Find(m, name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func says(t *testing.T, what string, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: error %v, want %s", what, err, want)
	}
}

// A file with the reset image, mapped: values are read and written where the map has them, and nowhere else.
func TestMapped(t *testing.T) {
	if runtime.GOOS != "linux" {
		_, err := registers.Open(filepath.Join(t.TempDir(), "bar"), 0, 0)
		says(t, "mmap", err, "on Linux only")
		return
	}
	m := regs(t, "")
	const before = 5000 // neither a page nor a block
	file := filepath.Join(t.TempDir(), "bar")
	image := append(make([]byte, before&^3), m.Image()...)
	if err := os.WriteFile(file, image, 0o666); err != nil {
		t.Fatal(err)
	}
	d, err := registers.Open(file, before&^3, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := attach(t, d, m)
	if n.Size() != uint64(m.Size()) {
		t.Errorf("%d bytes, want %d", n.Size(), m.Size())
	}
	read := 0
	for _, p := range m.Places() {
		if p.Bit != nil || !p.Register.Readable() {
			continue
		}
		read++
		if v, err := n.Get(p); err != nil || v != p.Register.Reset {
			t.Errorf("%s is %d, %v, want %d", p.Name(), v, err, p.Register.Reset)
		}
	}
	if read < 100 {
		t.Errorf("only %d registers", read)
	}
	for _, x := range []struct {
		name  string
		value uint64
	}{{"reps.cfg_freezing_timeout_ns", 0x5_1234_5678}, {"reps.cfg_ev_base", 0xc000}} {
		p := find(t, m, x.name)
		if err := n.Assign([]registers.Assignment{{Place: p, Value: new(big.Int).SetUint64(x.value)}}); err != nil {
			t.Fatal(err)
		}
		at := before&^3 + p.Address()
		binary.LittleEndian.PutUint32(image[at:], uint32(x.value))
		if p.Register.Bits > 32 {
			binary.LittleEndian.PutUint32(image[at+4:], uint32(x.value>>32))
		}
		binary.LittleEndian.PutUint32(image[before&^3+0x1024:], 1) // nothing clears the commit
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(image) {
			t.Errorf("%s: the file is not what it should be", x.name)
		}
	}
	for _, at := range []uint32{2, m.Size(), m.Size() - 2, 1<<32 - 4} {
		if _, err := n.Read32(at); err == nil {
			t.Errorf("a read at 0x%x", at)
		}
		if err := n.Write32(at, 0); err == nil {
			t.Errorf("a write at 0x%x", at)
		}
	}
	// The device goes away.
	if err := os.Truncate(file, 4096); err != nil {
		t.Fatal(err)
	}
	if _, err := n.Read32(m.Size() - 4); !errors.Is(err, registers.ErrFault) {
		t.Errorf("a read of what is gone: %v", err)
	}
	if err := n.Write32(m.Size()-4, 1); !errors.Is(err, registers.ErrFault) {
		t.Errorf("a write to what is gone: %v", err)
	}
	if err := n.Close(); err != nil {
		t.Error(err)
	}
	for _, x := range []struct {
		name         string
		offset, size uint64
		want         string
	}{
		{file, 2, 0, "want multiples of 4"},
		{file, 0, 8192, "0x2000 at 0x0 are beyond"},
		{file, 8192, 0, "are beyond"},
		{file + "x", 0, 0, "no such file"},
		{filepath.Dir(file), 0, 0, "directory"},
		{"/dev/null", 0, 0, "has an unknown size"},
		{"/dev/null", 0, 4096, "mmap"},
	} {
		_, err := registers.Open(x.name, x.offset, x.size)
		says(t, x.name, err, x.want)
	}
}

// words are a device that is a table of words.
type words map[uint32]uint32

func (w words) Size() uint64                      { return 1 << 16 }
func (w words) Close() error                      { return nil }
func (w words) Read32(at uint32) (uint32, error)  { return w[at], nil }
func (w words) Write32(at uint32, v uint32) error { w[at] = v; return nil }

// block adds a header.
func (w words) block(base, kind, next, hash uint32) words {
	w[base], w[base+4], w[base+8], w[base+12], w[base+16] = kind, csr.Version, next, 12, hash
	return w
}

// The device's list of blocks is followed, regardless of the map, and an impossible list is an
// error.
func TestEnumerate(t *testing.T) {
	d := words{}.block(0, 0x4e470001, 0x2000, 7).block(0x2000, 0xc005, 0x2100, 0).block(0x2100, 0x4e470002, 0, 7)
	list, err := registers.Enumerate(d)
	if err != nil || len(list) != 3 || list[1].Own() || list[2].Base != 0x2100 || list[2].Hash != 7 || list[0].Size != 4096 {
		t.Errorf("%+v, %v", list, err)
	}
	for want, d := range map[string]words{
		"all ones":                {0: 0xffffffff},
		"vendor 0x4E47":           words{}.block(0, 0xc005, 0, 0),
		"is to begin at 0x1000":   words{}.block(0, 0x4e470001, 0x1000, 0).block(0x1000, 0x4e470002, 0x1000, 0),
		"is to begin at 0xfffffc": words{}.block(0, 0x4e470001, 0xfffffc, 0),
		"is to begin at 0x1002":   words{}.block(0, 0x4e470001, 0x1002, 0),
		"version 0x02000000":      {0: 0x4e470001, 4: 0x02000000, 12: 12},
		"2^60 bytes":              {0: 0x4e470001, 4: csr.Version, 12: 60},
	} {
		_, err := registers.Enumerate(d)
		says(t, want, err, want)
	}
}

// A device of another map is refused; by force its blocks are found where its own list has them.
func TestAttach(t *testing.T) {
	m, other := regs(t, ""), regs(t, "window=none")
	_, err := registers.Attach(device(other), m, false)
	var differs *registers.Mismatch
	if !errors.As(err, &differs) {
		t.Fatalf("error %v", err)
	}
	says(t, "another map", err, fmt.Sprintf("the device's hash is 0x%08x, the map's 0x%08x", other.Hash, m.Hash))
	says(t, "another map", err, "no block of the unit powertcp")

	// powertcp is at 0x1000 here, 0x3000 in the map.
	small := regs(t, "path=none")
	_, err = registers.Attach(device(small), m, false)
	says(t, "moved", err, "block powertcp begins at 0x1000, in the map at 0x3000")
	n, err := registers.Attach(device(small), m, true)
	if err != nil {
		t.Fatal(err)
	}
	p := find(t, m, "powertcp.cfg_tau_ns")
	if v, err := n.Get(p); err != nil || v != p.Register.Reset {
		t.Errorf("τ is %d, %v, want %d", v, err, p.Register.Reset)
	}
	_, err = n.Get(find(t, m, "reps.cfg_mode"))
	says(t, "a block that is not there", err, "reps.cfg_mode: the device has no such block")
	err = n.Assign([]registers.Assignment{{Place: p, Value: big.NewInt(1)}, {Place: find(t, m, "reps.cfg_mode"), Value: big.NewInt(1)}})
	says(t, "a block that is not there", err, "reps.cfg_mode: the device has no such block")
	if v, _ := n.Get(p); v != p.Register.Reset {
		t.Error("a list that cannot be written is written in part")
	}
	if _, err := registers.Attach(device(m), m, false); err != nil {
		t.Error(err)
	}
	mixed := words{}
	for _, b := range m.Blocks {
		mixed.block(b.Base, b.Type, b.Next, m.Hash)
	}
	mixed[0x2010]++
	_, err = registers.Attach(mixed, m, false)
	says(t, "one hash", err, "block reps_detector has another hash than the first")
}

// Settings of a block are written, then committed once; flags keep their neighbours; all of a list is
// checked before the first write.
func TestAssign(t *testing.T) {
	m := regs(t, "")
	d := device(m)
	n := attach(t, d, m)
	list := func(pairs ...any) (out []registers.Assignment) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, registers.Assignment{Place: find(t, m, pairs[i].(string)), Value: big.NewInt(int64(pairs[i+1].(int)))})
		}
		return out
	}
	if err := n.Assign(list("powertcp.cfg_tau_ns", 5, "reps.cfg_mode", 2, "powertcp.cfg_inv_tau_e", 3)); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(d.writes, " "); strings.Count(got, "3024=1") != 1 || strings.Count(got, "1024=1") != 1 ||
		!strings.HasSuffix(got, "3024=1 1024=1") || len(d.writes) != 5 {
		t.Errorf("writes %s", got)
	}
	if d.Setting(3, "cfg_tau_ns") != 5 || d.Setting(1, "cfg_mode") != 2 {
		t.Error("settings do not count")
	}
	if err := n.Assign(list("reps.irq_freeze", 1)); err != nil {
		t.Fatal(err)
	}
	if err := n.Assign(list("reps.irq_illegal", 1)); err != nil {
		t.Fatal(err)
	}
	d.Raise(1, 7)
	if err := n.Assign(list("reps.evt_thaw", 1)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]uint64{"reps.enable": 5, "reps.events": 5, "reps.evt_thaw": 0, "reps.irq_illegal": 1} {
		if v, err := n.Get(find(t, m, name)); err != nil || v != want {
			t.Errorf("%s is %d, %v, want %d", name, v, err, want)
		}
	}
	d.writes = nil
	err := n.Assign(list("reps.cfg_mode", 1, "reps.sts_ack_cnt", 1, "reps.cfg_ev_base", 1<<16, "reps.s_flush.conn", 1, "reps.cfg_mode", 0))
	for _, want := range []string{"reps.sts_ack_cnt is read only", "reps.cfg_ev_base: 65536 does not fit 16 bits", "field of the window reps.s_flush", "reps.cfg_mode is there twice"} {
		says(t, "a list", err, want)
	}
	if len(d.writes) > 0 {
		t.Errorf("writes %v", d.writes)
	}
	// Another writer wrote and did not commit.
	d.Write(find(t, m, "reps.cfg_freezing").Address(), 0)
	if got, err := n.Waiting(list("reps.cfg_mode", 1, "powertcp.cfg_tau_ns", 1, "reps.irq_thaw", 0)); err != nil || len(got) != 1 || got[0] != "reps" {
		t.Errorf("waiting: %v, %v", got, err)
	}
}

// The low word of a counter is read first, and holds the high one.
func TestWideCounter(t *testing.T) {
	m := regs(t, "path=none window=none counter_bits=64")
	d := device(m)
	n := attach(t, d, m)
	d.levels["sts_illegal_cnt"] = 0x1_ffff_ffff
	n.Device = &growing{d}
	if v, err := n.Get(find(t, m, "csr.sts_illegal_cnt")); err != nil || v != 0x1_ffff_ffff {
		t.Errorf("0x%x, %v, want 0x1ffffffff", v, err)
	}
}

// growing is a device whose counter grows with each access.
type growing struct{ *golden }

func (g *growing) Read32(at uint32) (uint32, error) {
	v, err := g.golden.Read32(at)
	g.levels["sts_illegal_cnt"]++
	return v, err
}

func offer(t *testing.T, m *csr.Map, window string, pairs ...any) registers.Offer {
	t.Helper()
	b, w, err := registers.FindWindow(m, window)
	if err != nil {
		t.Fatal(err)
	}
	o := registers.Offer{Block: b, Window: w, Values: map[string]*big.Int{}}
	for i := 0; i < len(pairs); i += 2 {
		v, _ := new(big.Int).SetString(pairs[i+1].(string), 0)
		o.Values[pairs[i].(string)] = v
	}
	return o
}

// A word is offered when the window is free, and waited for; each failure has a different error.
func TestOffer(t *testing.T) {
	m := regs(t, "path=laps")
	d := device(m)
	n := attach(t, d, m)
	laps := 1
	w := d.Windows(laps)[0]
	d.take = 5
	o := offer(t, m, "laps.s_cfg", "anchors", "0x1234567890abcdef0011223344556677", "op", "2")
	if err := n.Offer(t.Context(), o, time.Minute); err != nil {
		t.Fatal(err)
	}
	if got := w.Data["s_cfg_anchors"].Text(16); got != "1234567890abcdef0011223344556677" || w.Data["s_cfg_op"].Int64() != 2 || w.Offered {
		t.Errorf("offered %s, %v", got, w)
	}
	// Fields that are not named are 0, regardless of their old value; a write that was lost before
	// does not count.
	w.Missed, d.take = true, 0
	if err := n.Offer(t.Context(), offer(t, m, "laps.s_cfg", "dst", "3"), time.Minute); err != nil {
		t.Fatal(err)
	}
	if w.Data["s_cfg_anchors"].Sign() != 0 || w.Data["s_cfg_op"].Sign() != 0 || w.Data["s_cfg_dst"].Int64() != 3 || w.Missed {
		t.Errorf("the second word: %v", w)
	}
	d.take = -1
	err := n.Offer(t.Context(), o, time.Millisecond)
	if !errors.Is(err, registers.ErrBusy) {
		t.Errorf("never taken: %v", err)
	}
	says(t, "never taken", err, "window laps.s_cfg: after 1ms")
	d.writes = nil
	if err := n.Offer(t.Context(), o, time.Millisecond); !errors.Is(err, registers.ErrBusy) || len(d.writes) > 0 {
		t.Errorf("not free: %v, writes %v", err, d.writes)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := n.Offer(ctx, o, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	w.Take()
	n.Device = &meddler{d, 0x1804}
	d.take = 0
	if err := n.Offer(t.Context(), o, time.Minute); !errors.Is(err, registers.ErrMissed) {
		t.Errorf("somebody else: %v", err)
	}
	err = n.Offer(t.Context(), offer(t, m, "laps.s_cfg", "pid", "65536", "pit", "1"), time.Minute)
	says(t, "fields", err, "laps.s_cfg.pid: 65536 does not fit 16 bits")
	says(t, "fields", err, "laps.s_cfg has no field pit, its fields are op, pid, dst, scale, latency, base, anchors")
}

// idler counts how often it is idle.
type idler struct {
	*golden
	turns int
}

func (i *idler) Idle() bool {
	i.turns++
	return i.turns < 100
}

// Time passes in a device between accesses, until it has enough.
func TestIdle(t *testing.T) {
	m := regs(t, "")
	d := &idler{golden: device(m)}
	d.levels["sts_illegal_cnt"] = 7
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	idle := make(chan struct{})
	go func() { done <- registers.Serve(ctx, l, signalling{d, idle}) }()
	<-idle
	s, err := registers.Open(registers.SimPrefix+path, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if v, err := s.Read32(0x404); err != nil || v != 7 {
		t.Errorf("after being idle: %d, %v", v, err)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if d.turns != 100 {
		t.Errorf("%d turns, want 100", d.turns)
	}
}

// signalling reports when its device becomes idle.
type signalling struct {
	*idler
	idle chan struct{}
}

func (s signalling) Idle() bool {
	more := s.idler.Idle()
	if !more {
		close(s.idle)
	}
	return more
}

// meddler is a device that something else writes too, while a word is offered.
type meddler struct {
	*golden
	at uint32
}

func (m *meddler) Write32(at, v uint32) error {
	err := m.golden.Write32(at, v)
	if at == m.at-4 && v == 1 {
		m.golden.Write(m.at, 9)
	}
	return err
}

func TestNames(t *testing.T) {
	m := regs(t, "")
	for name, want := range map[string]string{
		"reps.cfg_mode": "reps.cfg_mode", "cfg_mode": "reps.cfg_mode", "mode": "reps.cfg_mode", "reps.mode": "reps.cfg_mode",
		"reps.s_flush.conn": "reps.s_flush.conn", "s_seed.word": "reps.s_seed.word", "evt_freeze": "reps.evt_freeze", "powertcp.id": "powertcp.id",
		"reps.flush_cnt": "reps.sts_flush_cnt", "timeout_ns": "reps.cfg_freezing_timeout_ns",
	} {
		if p, err := registers.Find(m, name); err != nil || p.Name() != want {
			t.Errorf("%s is %v, want %s", name, err, want)
		}
	}
	for name, want := range map[string]string{
		"id":           `register "id" may be csr.id, reps.id, reps_detector.id, powertcp.id`,
		"cnt":          "and ",
		"reps.cfg":     `no register "reps.cfg"`,
		"ode":          `no register "ode"`,
		"":             `no register ""`,
		"reps.":        `no register "reps."`,
		"freeze":       "reps.evt_freeze, reps.irq_freeze",
		"reps.cfg_mod": "nearest: reps.cfg_mode",
	} {
		_, err := registers.Find(m, name)
		says(t, name, err, want)
	}
	_, _, err := registers.FindWindow(m, "s_flush")
	says(t, "s_flush", err, "reps.s_flush, reps_detector.s_flush, powertcp.s_flush")
	if b, w, err := registers.FindWindow(m, "seed"); err != nil || b.Name+"."+w.Name != "reps.s_seed" {
		t.Errorf("seed: %v", err)
	}
	list, err := registers.Select(m, []string{"*.hash", "reps.cfg_mode", "mode", "powertcp.cfg_t?u_ns"})
	var got []string
	for _, p := range list {
		got = append(got, p.Name())
	}
	if want := "csr.hash reps.hash reps.cfg_mode reps_detector.hash powertcp.hash powertcp.cfg_tau_ns"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("%v, %v, want %s", got, err, want)
	}
	_, err = registers.Select(m, []string{"reps.x*"})
	says(t, "no match", err, `no register's name is as "reps.x*"`)
	_, err = registers.Select(m, []string{"[a"})
	says(t, "pattern", err, "pattern")
}

func TestValues(t *testing.T) {
	m, spray := regs(t, ""), regs(t, "path=spray")
	for _, x := range []struct {
		name, text string
		value      uint64
		shown      string
	}{
		{"reps.cfg_freezing_timeout_ns", "10ms", 10_000_000, "10000000 ns (10 ms)"},
		{"reps.cfg_freezing_timeout_ns", "1.5us", 1500, "1500 ns (1.5 us)"},
		{"reps.cfg_freezing_timeout_ns", "0x1_F", 31, "31 ns"},
		{"reps.cfg_mode", "ecmp", 2, "2 ECMP"},
		{"reps.cfg_mode", "OPS", 1, "1 OPS"},
		{"reps.cfg_mode", "3", 3, "3 OPS"},
		{"powertcp.cfg_beta", "64KiB", 1 << 18, "262144 = 65536 bytes (64 KiB)"},
		{"powertcp.cfg_beta", "1.5", 6, "6 = 1.5 bytes"},
		{"powertcp.cfg_beta", "7", 7, "7 = 1.75 bytes"},
		{"powertcp.cfg_gamma", "0.5", 1 << 15, "32768 = 0.5"},
		{"powertcp.param_variant", "theta", 1, "1 theta"},
		{"powertcp.hash", "16", 16, "0x00000010"},
		{"reps.status", "3", 3, "0x3 sts_ready sts_seeded"},
		{"reps.status", "0", 0, "0x0"},
		{"reps.evt_thaw", "1", 1, "1"},
		{"powertcp.param_qlen_unit_bytes", "2048", 2048, "2048 bytes (2 KiB)"},
	} {
		p := find(t, m, x.name)
		v, err := registers.Parse(p, x.text)
		if err != nil || v.Uint64() != x.value {
			t.Errorf("%s=%s is %v, %v, want %d", x.name, x.text, v, err, x.value)
		}
		if got := registers.Show(p, x.value); got != x.shown {
			t.Errorf("%s %d shows as %q, want %q", x.name, x.value, got, x.shown)
		}
	}
	if got := registers.Show(find(t, spray, "spray.cfg_mode"), 3); got != "3 round robin" {
		t.Errorf("one port: %q", got)
	}
	ports := csr.Place{Block: m.Blocks[0], Register: &csr.Register{Name: "cfg_mode", Bits: 6, Format: "2 bits a NIC port: 0 REPS, 1 OPS, 2 ECMP"}}
	if got := registers.Show(ports, 0b11_10_01); got != "57 OPS ECMP ?" {
		t.Errorf("three ports: %q", got)
	}
	for _, x := range [][3]string{
		{"reps.cfg_mode", "4", "does not fit 2 bits"},
		{"reps.cfg_mode", "ops1", `"ops1", want a number, decimal or behind 0x hexadecimal, or one of REPS, OPS, ECMP`},
		{"reps.cfg_mode", "-1", "want a number"},
		{"reps.cfg_mode", "", "want a number"},
		{"reps.cfg_mode", "0x", "want a number"},
		{"reps.cfg_mode", "1ms", "want a number"},
		{"reps.cfg_mode", "1.0", "want a number"},
		{"reps.evt_thaw", "2", "does not fit 1 bits"},
		{"reps.cfg_freezing_timeout_ns", "0.5ns", "no multiple"},
		{"reps.cfg_freezing_timeout_ns", "40s", "does not fit 35 bits"},
		{"reps.cfg_freezing_timeout_ns", "1KiB", "with the unit ns us ms s"},
		{"powertcp.cfg_beta", "0.1", "no multiple"},
	} {
		_, err := registers.Parse(find(t, m, x[0]), x[1])
		says(t, x[0]+"="+x[1], err, x[2])
	}
	if _, err := registers.Parse(ports, "OPS"); err == nil {
		t.Error("a name for a list of three")
	}
}

// The socket carries accesses to the device, even from several programs at the same time, and
// refuses anything else.
func TestSocket(t *testing.T) {
	m := regs(t, "")
	d := device(m)
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- registers.Serve(ctx, l, d) }()
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			s, err := registers.Open(registers.SimPrefix+path, 0, 0)
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			n, err := registers.Attach(s, m, false)
			if err != nil {
				t.Error(err)
				return
			}
			p, _ := m.Find([]string{"reps.cfg_ev_base", "reps.cfg_num_pkts_cwnd", "powertcp.cfg_tau_ns", "reps_detector.cfg_window_ns"}[i])
			for v := range uint64(50) {
				if err := n.Assign([]registers.Assignment{{Place: p, Value: new(big.Int).SetUint64(v)}}); err != nil {
					t.Error(err)
				}
				if got, err := n.Get(p); err != nil || got != v {
					t.Errorf("%s is %d, %v, want %d", p.Name(), got, err, v)
				}
			}
		})
	}
	all.Wait()
	s, err := registers.Open(registers.SimPrefix+path, 0x1000, 0x20)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.Read32(0); err != nil || v != m.Blocks[1].Type {
		t.Errorf("at the offset: 0x%x, %v", v, err)
	}
	if _, err := s.Read32(0x20); err == nil {
		t.Error("a read beyond the size")
	}
	raw, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.Write(append([]byte{9}, make([]byte, 11)...)); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 8)
	if _, err := io.ReadFull(raw, answer); err != nil || answer[0] != 1 {
		t.Errorf("an unknown operation: %v, %v", answer, err)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := s.Read32(0); err == nil {
		t.Error("a read from a server that is gone")
	}
	_, err = registers.Open(registers.SimPrefix+path, 0, 0)
	says(t, "no server", err, "simulated NIC")
	_, err = registers.Open(registers.SimPrefix+path, 2, 0)
	says(t, "offset", err, "multiple of 4")
}
