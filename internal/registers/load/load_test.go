// SPDX-License-Identifier: Apache-2.0

package load_test

import (
	"fmt"
	"math/big"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	"github.com/nicgen/nicgen/gen/laps"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	niccsr "github.com/nicgen/nicgen/gen/nic_csr"
	niclookup "github.com/nicgen/nicgen/gen/nic_lookup"
	nicpace "github.com/nicgen/nicgen/gen/nic_pace"
	nictransport "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/internal/registers"
	"github.com/nicgen/nicgen/internal/registers/load"
	pathplace "github.com/nicgen/nicgen/model/laps_paths/place"
	model "github.com/nicgen/nicgen/model/nic_csr"
	feedback "github.com/nicgen/nicgen/model/nic_feedback"
	lookup "github.com/nicgen/nicgen/model/nic_lookup"
	"github.com/nicgen/nicgen/packet/roce"
)

// block is a unit with a window for profiles and one for windows, as a whole NIC has.
type block struct{ *niccsr.Params }

func (block) Unit() string        { return "nic_transport" }
func (block) Fields() []gen.Field { return nil }
func (block) Ports() []gen.Port {
	var l gen.PortList
	for _, s := range [][2]string{{"s_profile", "word"}, {"s_window", "bytes"}, {"s_template", "data"}} {
		l.In(s[0]+"_valid", "", 1, "flag", "", "A word.")
		l.Out(s[0]+"_ready", "", 1, "flag", "", "It is taken.")
		l.In(s[0]+"_conn", "", 16, "connection", "", "Whose.")
		l.In(s[0]+"_"+s[1], "", 32, map[string]string{"bytes": "unsigned, bytes"}[s[1]], "", "What.")
	}
	l.In("cfg_label_high", "", 4, "any", "", "A setting.")
	return l.Ports
}
func (block) PortValues() map[string]uint64 { return map[string]uint64{"cfg_label_high": 1} }

func configured(t *testing.T, cfg gen.Config, set string) gen.Config {
	t.Helper()
	if err := gen.Configure(cfg, set); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// nic returns the map of a NIC with all that a file may have.
func nic(t *testing.T) *csr.Map {
	t.Helper()
	p := niccsr.Default()
	p.Units = []csr.Unit{
		{Name: "transport", Config: block{p}, Streams: []string{"s_profile", "s_window", "s_template"}},
		{Name: "lookup", Config: configured(t, niclookup.New(), "key_bits=154 rows=512 ways=2 hash_seed=77"), Streams: []string{"s_write"}},
		{Name: "pace", Config: nicpace.New()},
		{Name: "reps", Config: configured(t, reps.New(), "nic_ports=2")},
		{Name: "laps", Config: configured(t, laps.New(), "banks=4 rows=8 destinations=8 anchors=2")},
		{Name: "powertcp", Config: powertcp.New()},
	}
	m, err := p.Map()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// unit is a device whose units take each word immediately, and record it.
type unit struct {
	*model.Registers
	m     *csr.Map
	taken []string // "lookup.s_write way=1 ..." without fields that are 0
	last  map[string]*big.Int
	each  func(window string, values map[string]*big.Int)
}

func newUnit(m *csr.Map) *unit { return &unit{Registers: model.New(m), m: m} }

func (u *unit) Size() uint64 { return 1 << 16 }
func (u *unit) Close() error { return nil }
func (u *unit) Read32(at uint32) (uint32, error) {
	v, _ := u.Read(at, func(int, string) uint64 { return 0 })
	return v, nil
}

func (u *unit) Write32(at, v uint32) error {
	u.Write(at, v)
	for i, b := range u.m.Blocks {
		for k, w := range u.Windows(i) {
			if !w.Offered {
				continue
			}
			w.Take()
			values := map[string]*big.Int{}
			text := b.Name + "." + b.Windows[k].Name
			for _, f := range b.Windows[k].Fields {
				name := strings.TrimPrefix(f.Name, b.Windows[k].Name+".")
				values[name] = new(big.Int).Set(w.Data[f.Port])
				if values[name].Sign() != 0 {
					text += " " + name + "=" + values[name].String()
				}
			}
			u.taken = append(u.taken, text)
			if u.each != nil {
				u.each(b.Name+"."+b.Windows[k].Name, values)
			}
		}
	}
	return nil
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// loaded carries out a file.
func loaded(t *testing.T, m *csr.Map, u *unit, name string, o load.Options) []load.Step {
	t.Helper()
	f, err := load.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := load.Plan(m, f, o)
	if err != nil {
		t.Fatal(err)
	}
	n, err := registers.Attach(u, m, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := load.Do(t.Context(), n, steps, time.Minute); err != nil {
		t.Fatal(err)
	}
	return steps
}

const whole = `
settings:
  reps.cfg_mode: 5
  tau_ns: 20us
  transport.label_high: 0xA
  powertcp.cfg_inv_tau_m: 107374
  powertcp.cfg_inv_tau_e: 15
seeds:
  reps: [0x1234, 7]
  laps: 9
link_rates: {0: 100000, 1: 25000}
profiles:
  bulk: {queue: true, path: true, flow: false, window: true, dscp: 26, ecn: 1}
  plain: {}
connections:
  - {conn: 3, address: 10.0.0.2, remote_qp: 0x11, local_qp: 0x22, profile: bulk, window: 64KiB, rate_gbps: 50,
     writes: [{transport.s_template: {data: 0xdeadbeef}}]}
  - {conn: 9, address: "fe80::2", local_qp: 0x33, profile: plain}
  - {conn: 200}
writes:
  - reps.s_flush: {conn: 255, port: 1}
`

// All that a file has arrives where it should, settings first, then tables, then the state of
// connections, and their keys last.
func TestWhole(t *testing.T) {
	m := nic(t)
	u := newUnit(m)
	steps := loaded(t, m, u, file(t, "nic.yaml", whole), load.Options{})
	block := func(name string) int {
		for i, b := range m.Blocks {
			if b.Name == name {
				return i
			}
		}
		t.Fatal(name)
		return 0
	}
	for _, x := range []struct {
		block, port string
		want        uint64
	}{{"reps", "cfg_mode", 5}, {"powertcp", "cfg_tau_ns", 20_000}, {"powertcp", "cfg_inv_tau_e", 15}, {"transport", "cfg_label_high", 10}} {
		if got := u.Setting(block(x.block), x.port); got != x.want {
			t.Errorf("%s.%s is %d, want %d", x.block, x.port, got, x.want)
		}
	}
	cfg := powertcp.Default()
	cfg.TauNS = 20_000
	cfg.LinkRatesMbps[0], cfg.LinkRatesMbps[1] = 100_000, 25_000
	inv := 8.0 / 50 * 65536
	var want []string
	add := func(format string, args ...any) { want = append(want, fmt.Sprintf(format, args...)) }
	add("laps.s_seed word=9")
	add("reps.s_seed word=%d", 0x1234)
	add("reps.s_seed word=7")
	add("powertcp.s_rate entry=%d", cfg.Rate(0).Entry())
	add("powertcp.s_rate code=1 entry=%d", cfg.Rate(1).Entry())
	add("reps.s_flush conn=255 port=1")
	for _, c := range []int{3, 9, 200} {
		add("pace.s_flush conn=%d", c)
		add("reps.s_flush conn=%d", c)
		add("reps.s_flush conn=%d port=1", c)
		add("powertcp.s_flush conn=%d", c)
		add("laps.s_open flow=%d", c)
		switch c {
		case 3:
			add("transport.s_profile conn=3 word=%d", 1|1<<1|1<<6|1<<8|26<<9|1<<15|1<<16)
			add("transport.s_window conn=3 bytes=65536")
			add("pace.s_rate conn=3 inv=%d", int(inv+0.5))
			add("transport.s_template conn=3 data=%d", 0xdeadbeef)
		case 9:
			add("transport.s_profile conn=9")
		}
	}
	n := len(want)
	if got := u.taken[:min(n, len(u.taken))]; strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, x := range u.taken[n:] {
		if !strings.HasPrefix(x, "lookup.s_write ") {
			t.Errorf("among the keys: %s", x)
		}
	}
	if len(u.taken)-n != 3 {
		t.Errorf("%d keys, want 3", len(u.taken)-n)
	}
	if got := steps[0].String(); got != "transport.cfg_label_high=10" {
		t.Errorf("the first step is %q", got)
	}
	if got := steps[len(steps)-1].String(); !strings.HasPrefix(got, "lookup.s_write way=") || !strings.Contains(got, " key=0x") || !strings.HasSuffix(got, " conn=9") {
		t.Errorf("the last step is %q", got)
	}
}

// The file that docs/registers.md shows suits a whole NIC.
func TestExample(t *testing.T) {
	for _, set := range []string{"", "telemetry=int path=plb", "profile=uet path=none"} {
		p := nictransport.Default()
		if err := gen.Configure(p, set); err != nil {
			t.Fatal(err)
		}
		m, err := p.Map()
		if err != nil {
			t.Fatal(err)
		}
		f, err := load.Read("testdata/nic.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if p.Path != nictransport.REPS { // the file's words for REPS have nowhere to go
			f.Seeds, f.Writes = nil, nil
		}
		steps, err := load.Plan(m, f, load.Options{})
		if err != nil {
			t.Fatalf("%q: %v", set, err)
		}
		u := newUnit(m)
		n, err := registers.Attach(u, m, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := load.Do(t.Context(), n, steps, time.Minute); err != nil {
			t.Fatal(err)
		}
		searches := 0
		for _, x := range u.taken {
			if strings.HasPrefix(x, "lookup.s_write") {
				searches++
			}
		}
		if searches != 4 || len(u.taken) < 20 {
			t.Errorf("%q: %d words, %d keys, want 4", set, len(u.taken), searches)
		}
		if !slices.Contains(u.taken, fmt.Sprintf("transport.s_profile conn=1 word=%d", 0b10_1_011010_1_0_1_0_1_1_0_1_1)) {
			t.Errorf("%q: no profile of connection 1 among %v", set, u.taken)
		}
	}
}

// The keys of many connections are found, with any moves, at every moment after they are written;
// Clear removes the earlier entries.
func TestSearches(t *testing.T) {
	m := nic(t)
	u := newUnit(m)
	p := configured(t, niclookup.New(), "key_bits=154 rows=512 ways=2 hash_seed=77").(*niclookup.Params)
	table := lookup.New(p)
	key := func(conn uint32, d lookup.Direction, id uint32) lookup.Key {
		k, err := lookup.KeyOf(true, netip.AddrFrom4([4]byte{10, 0, 1, byte(conn)}), d, id, 24)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	old, err := lookup.KeyOf(true, netip.MustParseAddr("10.9.9.9"), lookup.Sent, 1, 24)
	if err != nil {
		t.Fatal(err)
	}
	rows := table.Rows(old)
	if err := table.Write(lookup.Write{Way: 0, Row: rows[0], Entry: lookup.Entry{Set: true, Key: old, Conn: 1}}); err != nil {
		t.Fatal(err)
	}
	const conns = 110 // two keys each: 0.21 of the places
	added, moves := map[lookup.Key]uint32{}, 0
	u.each = func(window string, v map[string]*big.Int) {
		if window != "lookup.s_write" {
			return
		}
		var e lookup.Entry
		e.Set = v["set"].Sign() != 0
		for i := range e.Key {
			e.Key[i] = new(big.Int).And(new(big.Int).Rsh(v["key"], uint(64*i)), new(big.Int).SetUint64(1<<64-1)).Uint64()
		}
		e.Conn = uint32(v["conn"].Uint64())
		if err := table.Write(lookup.Write{Way: int(v["way"].Int64()), Row: int(v["row"].Int64()), Entry: e}); err != nil {
			t.Fatal(err)
		}
		if e.Set {
			if _, there := added[e.Key]; there {
				moves++
			}
			added[e.Key] = e.Conn
		}
		for k, c := range added {
			if a := table.Search(k); !a.Hit || a.Conn != c || a.Conflict {
				t.Fatalf("a key of connection %d is not found: %+v", c, a)
			}
		}
	}
	var b strings.Builder
	b.WriteString("connections:\n")
	for c := range conns {
		fmt.Fprintf(&b, "  - {conn: %d, address: 10.0.1.%d, remote_qp: %d, local_qp: %d}\n", c, c, 1000+c, 5000+7*c)
	}
	loaded(t, m, u, file(t, "nic.yaml", b.String()), load.Options{Clear: true})
	if len(added) != 2*conns || moves == 0 {
		t.Errorf("%d keys, %d moves", len(added), moves)
	}
	for c := range uint32(conns) {
		for d, id := range []uint32{1000 + c, 5000 + 7*c} {
			if a := table.Search(key(c, lookup.Direction(d), id)); !a.Hit || a.Conn != c {
				t.Errorf("connection %d, %d: %+v", c, id, a)
			}
		}
	}
	if table.Search(old).Hit {
		t.Error("the earlier entry is still present")
	}
}

const csvTable = `destination,path,base_ns,latency_ns,anchors
88,10,1000,1000,8
88,11,2000,2500,9 4
90,12,1000,1000,
`

// A path table, as CSV, YAML, by name in a file, or as nicgen place wrote it, gives the words that place says.
func TestPaths(t *testing.T) {
	m := nic(t)
	p := configured(t, lapspaths.New(), "banks=4 rows=8 destinations=8 anchors=2").(*lapspaths.Params)
	table, err := pathplace.ReadCSV("x", strings.NewReader(csvTable))
	if err != nil {
		t.Fatal(err)
	}
	placed, err := pathplace.Assign(p, table, 1)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range placed.Files(uint64(p.Beta)) {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "by.yaml"), []byte("paths: sequence.csv\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	names := []string{dir, filepath.Join(dir, "sequence.csv"), filepath.Join(dir, "by.yaml"), file(t, "paths.csv", csvTable), file(t, "paths.yaml", `
source: 80
paths:
  - {destination: 88, path: 10, base_ns: 1000, latency_ns: 1000, anchors: [8]}
  - {destination: 88, path: 11, base_ns: 2000, latency_ns: 2500, anchors: [9, 4]}
  - {destination: 90, path: 12, base_ns: 1000, latency_ns: 1000}
`)}
	for _, name := range names {
		u := newUnit(m)
		at := 0
		seq := placed.Sequence()
		u.each = func(window string, v map[string]*big.Int) {
			if window != "laps.s_cfg" || at >= len(seq) {
				t.Fatalf("%s: word %d for %s", name, at, window)
			}
			want := map[string]uint64{}
			c := seq[at]
			want["op"] = uint64(c.Op)
			switch c.Op {
			case lapspaths.OpList:
				want["pid"] = uint64(c.Pid)
			case lapspaths.OpCommit:
				want["dst"], want["scale"] = uint64(c.Dst), c.Scale.Word()
			case lapspaths.OpPath:
				want["pid"], want["dst"], want["latency"], want["base"] = uint64(c.Pid), uint64(c.Dst), uint64(c.Delay), uint64(c.Base)
				want["anchors"] = uint64(c.Anchors[0]) | uint64(c.Anchors[1])<<32
			}
			for f, x := range v {
				if !x.IsUint64() || x.Uint64() != want[f] {
					t.Errorf("%s: word %d, %s is %v, want %d", name, at, f, x, want[f])
				}
			}
			at++
		}
		loaded(t, m, u, name, load.Options{})
		if at != len(seq) {
			t.Errorf("%s: %d words, want %d", name, at, len(seq))
		}
	}
}

// A path without a latency begins with the latency of its empty path, as CSV and as YAML.
func TestLatencyDefault(t *testing.T) {
	m := nic(t)
	for _, name := range []string{
		file(t, "paths.csv", "\ufeffdestination,path,base_ns,latency_ns,anchors\n88,10,1000,,8\n88,11,2000,0,\n88,12,3000,3500,\n"),
		file(t, "paths.yaml", "paths: [{destination: 88, path: 10, base_ns: 1000}, {destination: 88, path: 11, base_ns: 2000, latency_ns: 0}, {destination: 88, path: 12, base_ns: 3000, latency_ns: 3500}]"),
	} {
		u := newUnit(m)
		var got []string
		u.each = func(_ string, v map[string]*big.Int) {
			if v["op"].Uint64() == lapspaths.OpPath {
				got = append(got, fmt.Sprintf("%v %v", v["base"], v["latency"]))
			}
		}
		loaded(t, m, u, name, load.Options{})
		if slices.Sort(got); !slices.Equal(got, []string{"1000 1000", "2000 0", "3000 3500"}) {
			t.Errorf("%s: base and latency %q", name, got)
		}
	}
}

// The template of a connection's feedback packets makes packets of that connection, right in all checksums; the word
// that makes it valid is the first one to be cleared, and the last one to be written.
func TestFeedback(t *testing.T) {
	m, err := configured(t, nictransport.Default(), "list=16").(*nictransport.Params).Map()
	if err != nil {
		t.Fatal(err)
	}
	u := newUnit(m)
	made := map[uint64]*feedback.Template{}
	writes := map[uint64][]uint64{}
	u.each = func(window string, v map[string]*big.Int) {
		if window != "feedback.s_template" {
			return
		}
		c, k := v["conn"].Uint64(), v["word"].Uint64()
		if made[c] == nil {
			made[c] = &feedback.Template{}
			for i := range made[c] {
				made[c][i] = 0xA5A5A5A5 // the earlier content
			}
		}
		made[c][k] = uint32(v["data"].Uint64())
		writes[c] = append(writes[c], k)
	}
	loaded(t, m, u, "testdata/feedback.yaml", load.Options{})
	if len(made) != 2 {
		t.Fatalf("templates of %d connections, want 2", len(made))
	}
	list := feedback.List{PSN: 0x123456, EVs: []uint16{0xC001, 0xC7FE, 0xCABC}, Marks: []bool{false, true, false}}
	for c, words := range writes {
		if n := len(words); n < 3 || words[0] != 0 || words[n-1] != 0 || slices.Contains(words[1:n-1], 0) {
			t.Errorf("connection %d: words in the order %v", c, words)
		}
	}
	for c, want := range []struct {
		src, dst    string
		tags        []uint16
		dscp, ttl   uint8
		qp          uint32
		key         uint16
		port, label uint32
	}{
		{"10.0.0.1", "10.0.0.2", nil, 48, 64, 0x11, 0xFFFF, 0xCABC, 0},
		{"fd00::1", "fd00::7", []uint16{10, 200}, 0, 3, 0x12, 0x8001, 0, 0xCABC},
	} {
		f, ok := made[uint64(c)].Make(list)
		if !ok {
			t.Fatalf("connection %d has no template", c)
		}
		if err := roce.Verify(f); err != nil {
			t.Errorf("connection %d: %v", c, err)
		}
		g := gopacket.NewPacket(f, layers.LayerTypeEthernet, gopacket.Default)
		eth := g.Layer(layers.LayerTypeEthernet).(*layers.Ethernet)
		if eth.SrcMAC.String() != "02:4e:47:00:00:01" || eth.DstMAC.String() != "02:4e:47:00:00:02" {
			t.Errorf("connection %d: from %v to %v", c, eth.SrcMAC, eth.DstMAC)
		}
		var tags []uint16
		for _, l := range g.Layers() {
			if q, ok := l.(*layers.Dot1Q); ok {
				tags = append(tags, q.VLANIdentifier)
			}
		}
		if !slices.Equal(tags, want.tags) {
			t.Errorf("connection %d: tags %v, want %v", c, tags, want.tags)
		}
		x, err := roce.Parse(f)
		if err != nil {
			t.Fatalf("connection %d: %v", c, err)
		}
		if x.IPv4 != nil {
			if x.IPv4.SrcIP.String() != want.src || x.IPv4.DstIP.String() != want.dst || x.IPv4.TOS != want.dscp<<2 || x.IPv4.TTL != want.ttl {
				t.Errorf("connection %d: %+v", c, x.IPv4)
			}
			sum := uint32(0)
			for i := 14; i < 34; i += 2 {
				sum += uint32(f[i])<<8 | uint32(f[i+1])
			}
			if sum&0xFFFF+sum>>16 != 0xFFFF {
				t.Errorf("connection %d: the IPv4 checksum is wrong", c)
			}
		} else if x.IPv6.SrcIP.String() != want.src || x.IPv6.DstIP.String() != want.dst || x.IPv6.TrafficClass != want.dscp<<2 || x.IPv6.HopLimit != want.ttl || x.IPv6.FlowLabel != want.label {
			t.Errorf("connection %d: %+v", c, x.IPv6)
		}
		if x.UDP.DstPort != roce.Port || uint32(x.UDP.SrcPort) != want.port || x.BTH.Opcode != roce.Feedback || x.BTH.DestQP != want.qp || x.BTH.PKey != want.key || x.BTH.PSN != list.PSN {
			t.Errorf("connection %d: %+v %+v", c, x.UDP, x.BTH)
		}
	}
}

// Mistakes are reported, all of a file at once, and nothing is planned.
func TestRefused(t *testing.T) {
	m := nic(t)
	plan := func(name string) error {
		f, err := load.Read(name)
		if err != nil {
			return err
		}
		steps, err := load.Plan(m, f, load.Options{})
		if err != nil && steps != nil {
			t.Error("steps together with an error")
		}
		return err
	}
	for text, wants := range map[string][]string{
		"settings: {reps.cfg_mod: 1, reps.cfg_mode: 16, reps.sts_ack_cnt: 1, reps.cfg_freezing: [1]}": {"want a number or a word"},
		"settings: {reps.cfg_mod: 1, reps.cfg_mode: 16, reps.sts_ack_cnt: 1}":                         {"nearest: reps.cfg_mode", "does not fit 4 bits", "read only"},
		"settings: {mode: 1, reps.cfg_mode: 1}":                                                       {"reps.cfg_mode is there twice"},
		"seeds: {pace: 1, nothing: 1, reps: 70000}":                                                   {`no block "pace"`, `no block "nothing"`, "does not fit 16 bits"},
		"link_rates: {9: 1, 0: -5}":                                                                   {"code 9, want 0 to 7", "cannot use -5 Mbit/s"},
		"profiles: {a: {queu: true}, b: {dscp: 64}, c: {path: 1}}":                                    {"profile a: queu, want queue, path", "dscp: 64, want 0 to 63", "path: 1, want true or false"},
		"connections: [{conn: 1, profile: x}, {conn: 300}, {conn: 2, rate_gbps: -1}, {conn: 4, rate_gbps: 1e-9}, {conn: 5, window: 5GiB}]": {
			`connection 1: no profile "x"`, "connection 300: block pace has 0 to 255", "rate_gbps -1: want a number above 0", "rate_gbps 1e-09 is beyond", "5GiB does not fit 32 bits"},
		"connections: [{conn: 1}, {conn: 1}, {remote_qp: 1}, {conn: 2, remote_qp: 1}, {conn: 3, address: 10.0.0.1}, {conn: 4, address: x, local_qp: 1}]": {
			"connection 1 is there twice", "entry 3 of connections has no conn", "connection 2: address and remote_qp or local_qp", "connection 3: address and", `connection 4: address "x"`},
		"connections: [{conn: 1, address: 10.0.0.1, remote_qp: 5, local_qp: 6}, {conn: 2, address: 10.0.0.1, remote_qp: 6, local_qp: 6}, {conn: 3, address: 10.0.0.1, local_qp: 0x1000000}]": {
			"connection 2, local_qp: connection 1 has the same address and number", "does not fit into 24 bits"},
		"connections: [{conn: 1, address: 10.0.0.1, remote_qp: 5, feedback: {mac: 1, source: 'fd00::1', dscp: 64, tags: [1, 2, 4096]}}, {conn: 2, feedback: {ttl: 0}}]": {
			`connection 1: feedback: mac "1", want an Ethernet address`, `peer_mac ""`, "of the kind of the peer's, 10.0.0.1", "dscp 64, want 0 to 63", "their number 3, want 0 to 2", "4096, want 0 to 4095",
			"connection 2: feedback: want address and remote_qp", "ttl 0, want 1 to 255"},
		"connections: [{conn: 1, address: 10.0.0.1, remote_qp: 5, feedback: {mac: '02:00:00:00:00:01', peer_mac: '02:00:00:00:00:02', source: 10.0.0.2}}]": {
			"connection 1: feedback: the map has 0 windows s_template"},
		"connection: []":                     {"1:1: "},
		"writes: [{reps.s_flus: {conn: 1}}]": {`no window "reps.s_flus", nearest: reps.s_flush`},
		"writes: [{reps.s_flush: {con: 1}}]": {"reps.s_flush has no field con, its fields are conn, port"},
		"writes: [{s_flush: {conn: 1}}]":     {`"s_flush" may be pace.s_flush, reps.s_flush`},
		"paths: nothing.csv":                 {"no such file"},
		"paths: [{destination: 1}]":          {"entry 1 of paths"},
		"paths: [{destination: 1, path: 1, base_ns: 5}, {destination: 2, path: 1, base_ns: 5}]": {"path 1 leads to destinations 1 and 2"},
		"seeds: &a {}":                                              {"anchors are not supported"},
		"seeds: " + strings.Repeat("[", 100):                        {"brackets in brackets"},
		strings.Repeat("#", 1<<20+1):                                {"want at most 1048576"},
		"beta: 100\npaths: [{destination: 1, path: 1, base_ns: 5}]": {"β′ 100, want from 0 to 64"},
	} {
		err := plan(file(t, "nic.yaml", text))
		for _, want := range wants {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%.90s: error %v\nwant %s", text, err, want)
			}
		}
	}
	for text, want := range map[string]string{
		"op,pid,dst,scale,latency_ns,base_ns,anchors\nmove,1,,,,,\n":   `"move", want a number, decimal or behind 0x hexadecimal, or one of list, commit, path, remove`,
		"op,pid,dst,scale,latency_ns,base_ns,anchors\nlist,32,,,,,\n":  "pid 32, want 0 to 31",
		"op,pid,dst,scale,latency_ns,base_ns,anchors\ncommit,,8,,,,\n": "dst 8, want 0 to 7",
		"op,pid,dst,scale,latency_ns,base_ns,anchors\n,1,,,,,\n":       "no operation",
		"op,pid,dst\n": "column",
	} {
		err := plan(file(t, "sequence.csv", text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
	if err := plan(file(t, "nic.txt", "")); err == nil || !strings.Contains(err.Error(), "want a name that ends in .yaml") {
		t.Error(err)
	}
	if err := plan(file(t, "nic.yaml", "")); err != nil {
		t.Errorf("an empty file: %v", err)
	}
	// A map without the registers that the file needs.
	small, err := niccsr.Default().Map()
	if err != nil {
		t.Fatal(err)
	}
	f, err := load.Read(file(t, "nic.yaml", whole))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := load.Plan(small, f, load.Options{}); err == nil || !strings.Contains(err.Error(), "connections: the map has 0 windows s_write") {
		t.Errorf("error %v", err)
	}
}

// Any text is a file that can be planned, or refused.
func FuzzRead(f *testing.F) {
	f.Add(whole)
	f.Add("paths: [{destination: 1, path: 1, base_ns: 5}]")
	f.Add("settings: {a: 1.5, b: true, c: 'x'}\nbeta: 0\nsource: 3\n")
	p := niccsr.Default()
	m, err := p.Map()
	if err != nil {
		f.Fatal(err)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "paths:") && !strings.Contains(text, "destination") {
			return // it may name any file
		}
		name := filepath.Join(dir, "x.yaml")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		file, err := load.Read(name)
		if err != nil {
			return
		}
		steps, err := load.Plan(m, file, load.Options{})
		if err == nil {
			for _, s := range steps {
				if s.String() == "" {
					t.Error("an empty step")
				}
			}
		}
	})
}
