// SPDX-License-Identifier: Apache-2.0

package bench_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/event"
	"github.com/nicgen/nicgen/tb/bench"
)

// A small unit with everything that a contract says: a register that SETs write and GETs read. A GET
// waits while there is a SET. Words are loaded at any time, and every answer has the last one.
type (
	set struct {
		Conn  uint8
		Value uint16
	}
	get   struct{ Conn uint8 }
	load  struct{ Word uint8 }
	reply struct {
		Conn  uint8
		Value uint16
		Word  uint8  `port:",always"`
		Scale uint16 `port:",always"`
	}
	config struct{ Scale uint16 }
	clock  struct{ Now uint16 }
)

var (
	sets    = event.Input[set]("set")
	gets    = event.Input[get]("get").Yields("set")
	loads   = event.Input[load]("load").Unready()
	answers = event.Output[reply]("get")
	configs = event.Ports[config]("cfg_")
	clocks  = event.Ports[clock]("")
)

const (
	conns   = 3
	sweep   = 4
	latency = 3
)

func toyContract() *event.Contract {
	return &event.Contract{
		Events: []*event.Stream{loads.Stream, sets.Stream, gets.Stream}, Answers: []event.Answer{{Stream: answers.Stream, To: "get", After: latency}},
		Settings: configs.Stream, Ambient: clocks.Stream, Reset: 1, Sweep: sweep,
		Counters: event.Counters([]string{"set", "get", "illegal", "not_ready"}, map[string]int{"": 2, "get": 4}),
		Illegal:  "illegal", Pulse: "evt_illegal", PulseAfter: 1, Dropped: "not_ready",
	}
}

func toyPorts() []gen.Port {
	var l gen.PortList
	for name, bits := range map[string]int64{"clk": 1, "rst": 1, "s_set_valid": 1, "s_set_conn": 2, "s_set_value": 11, "s_get_valid": 1, "s_get_conn": 2,
		"s_load_valid": 1, "s_load_word": 8, "cfg_scale": 4, "now": 16} {
		l.In(name, "", bits, "", "", "")
	}
	for name, bits := range map[string]int64{"sts_ready": 1, "s_get_ready": 1, "m_get_valid": 1, "m_get_conn": 2, "m_get_value": 11, "m_get_word": 8, "m_get_scale": 4,
		"evt_illegal": 1, "sts_set_cnt": 8, "sts_get_cnt": 9, "sts_illegal_cnt": 8, "sts_not_ready_cnt": 8} {
		l.Out(name, "", bits, "", "", "")
	}
	slices.SortFunc(l.Ports, func(a, b gen.Port) int { return strings.Compare(a.Name, b.Name) })
	return l.Ports
}

// toy is the golden side.
type toy struct {
	regs    [conns]uint16
	word    uint8
	set     config
	time    clock
	answers bench.Out[reply]
}

func newToy(t *testing.T, l *cosim.Layout, resetLast bool) *bench.Frame {
	g := &toy{}
	f, err := bench.NewFrame("toy", l, 0, true, bench.Model{
		Contract: toyContract(), Settings: bench.Into(configs, &g.set), Ambient: bench.Into(clocks, &g.time),
		Rules: []bench.Rule{
			bench.On(loads, func(_ *bench.Now, e *load) bool { g.word = e.Word; return true }),
			bench.On(sets, func(n *bench.Now, e *set) bool {
				if e.Conn >= conns {
					return false
				}
				g.regs[e.Conn] = e.Value * g.set.Scale
				n.Count(0, true)
				return true
			}),
			bench.On(gets, func(n *bench.Now, e *get) bool {
				a := reply{Conn: e.Conn, Word: g.word, Scale: g.set.Scale}
				if e.Conn >= conns {
					g.answers.EmitIllegal(n, &a)
					return false
				}
				a.Value = g.regs[e.Conn]
				n.Count(1, true)
				g.answers.Emit(n, &a)
				return true
			}),
		},
		Bind:  []bench.Binder{bench.Emits(answers, &g.answers)},
		Reset: func() { g.regs = [conns]uint16{} }, ResetLast: resetLast,
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// reference is the same unit written out by hand, cycle by cycle, with what shows later kept by cycle
// and by port.
type reference struct {
	l                *cosim.Layout
	cycle            int
	known, up, reset bool
	cleared          int
	regs             [conns]uint64
	word             uint64
	counters         map[string]uint64
	later            map[int]map[string]uint64 // outputs by cycle; of a counter, what it gains
	cared            map[int][]string
}

func (r *reference) at(cycle int, port string, v uint64) {
	if r.later[cycle] == nil {
		r.later[cycle] = map[string]uint64{}
	}
	r.later[cycle][port] += v
	r.cared[cycle] = append(r.cared[cycle], port)
}

var toyCounters = map[string]int{"sts_set_cnt": 2, "sts_get_cnt": 4, "sts_illegal_cnt": 2, "sts_not_ready_cnt": 2}

func (r *reference) count(port string) { r.at(r.cycle+toyCounters[port], port, 1) }

func (r *reference) step(in, want, care []uint64) {
	v := func(port string) uint64 { return r.l.MustSlot(port).Get(in) }
	put := func(port string, x uint64) {
		s := r.l.MustSlot(port)
		s.Set(want, x&s.Mask())
		s.Set(care, s.Mask())
	}
	if r.known {
		for port := range toyCounters {
			r.counters[port] += r.later[r.cycle][port]
			put(port, r.counters[port])
		}
		for _, port := range append([]string{"m_get_valid", "evt_illegal"}, r.cared[r.cycle]...) {
			if _, counter := toyCounters[port]; !counter {
				put(port, r.later[r.cycle][port])
			}
		}
		put("sts_ready", b2u(r.up))
		put("s_get_ready", b2u(r.up && v("s_set_valid") == 0))
	}
	acting, ready := r.reset, r.up
	rst := v("rst") != 0
	if acting {
		r.known, r.up, r.cleared, r.regs = true, false, 0, [conns]uint64{}
		r.later, r.cared, r.counters = map[int]map[string]uint64{}, map[int][]string{}, map[string]uint64{}
	} else if v("s_load_valid") != 0 {
		r.word = v("s_load_word")
	}
	if r.known {
		r.events(v, ready, rst)
	}
	switch {
	case rst:
		r.up = false
	case r.known && !r.up && !acting:
		r.cleared++
		r.up = r.cleared == sweep
	}
	r.reset = rst
	r.cycle++
}

func (r *reference) events(v func(string) uint64, ready, rst bool) {
	wasSet, wasGet := v("s_set_valid") != 0, v("s_get_valid") != 0
	illegal := func() {
		r.count("sts_illegal_cnt")
		r.at(r.cycle+1, "evt_illegal", 1-r.later[r.cycle+1]["evt_illegal"])
	}
	switch {
	case rst:
	case !ready:
		if wasSet {
			r.count("sts_not_ready_cnt")
		}
	case wasSet && v("s_set_conn") < conns:
		r.regs[v("s_set_conn")] = v("s_set_value") * v("cfg_scale") & 0xffff
		r.count("sts_set_cnt")
	case wasSet:
		illegal()
	case wasGet:
		c := v("s_get_conn")
		r.at(r.cycle+latency, "m_get_valid", 1)
		r.at(r.cycle+latency, "m_get_word", r.word)
		r.at(r.cycle+latency, "m_get_scale", v("cfg_scale"))
		if c >= conns {
			illegal()
			return
		}
		r.at(r.cycle+latency, "m_get_conn", c)
		r.at(r.cycle+latency, "m_get_value", r.regs[c])
		r.count("sts_get_cnt")
	}
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// The frame shows in every cycle what a predictor written by hand does: resets and their cycle, the sweep,
// handshakes, dropped and illegal events, answers, and counters of 8 bits that wrap. The toy's
// registers keep still in the cycle of a reset, so a reset at the end of that cycle looks the same.
func TestFrame(t *testing.T) {
	for _, last := range []bool{false, true} {
		t.Run(fmt.Sprintf("reset last %t", last), func(t *testing.T) { testFrame(t, last) })
	}
}

func testFrame(t *testing.T, resetLast bool) {
	l, err := bench.LayoutOf(toyPorts())
	if err != nil {
		t.Fatal(err)
	}
	f := newToy(t, l, resetLast)
	ref := &reference{l: l, later: map[int]map[string]uint64{}, cared: map[int][]string{}, counters: map[string]uint64{}}
	rnd := rand.New(rand.NewPCG(1, 2))
	in := make([]uint64, l.InWords)
	want, care, refWant, refCare := make([]uint64, l.OutWords), make([]uint64, l.OutWords), make([]uint64, l.OutWords), make([]uint64, l.OutWords)
	seen := map[string]int{}
	for cycle := range 40_000 {
		for _, s := range l.Inputs {
			s.Set(in, rnd.Uint64()&s.Mask())
		}
		l.MustSlot("rst").Set(in, b2u(rnd.IntN(2000) == 0 || cycle%5000 == 3 || cycle%5000 == 5))
		if cycle%8 != 0 && !ref.reset {
			l.MustSlot("s_load_valid").Set(in, 0)
		}
		clear(refWant)
		clear(refCare)
		ref.step(in, refWant, refCare)
		f.Step(in, want, care)
		for _, s := range l.Outputs {
			c := s.Get(refCare)
			if s.Get(care) != c || s.Get(want)&c != s.Get(refWant)&c {
				t.Fatalf("cycle %d, %s: frame %#x of %#x, by hand %#x of %#x\n%s", cycle, s.Name, s.Get(want)&c, s.Get(care), s.Get(refWant)&c, c, f.Explain(in))
			}
			if c != 0 && s.Get(refWant) != 0 {
				seen[s.Name]++
			}
		}
	}
	for _, s := range l.Outputs {
		if seen[s.Name] == 0 {
			t.Errorf("%s was never anything but 0", s.Name)
		}
	}
	if f.Events() == 0 {
		t.Error("no event was counted")
	}
}

// An answer may count in part: some lanes, or some bits; and its fields may be shown without its valid.
func TestAnswersInPart(t *testing.T) {
	type ask struct{ Kind uint8 }
	type told struct {
		One  uint8
		List [4]uint16
	}
	asks, tells := event.Input[ask]("ask"), event.Output[told]("tell")
	var ports gen.PortList
	for _, name := range []string{"rst", "s_ask_valid"} {
		ports.In(name, "", 1, "", "", "")
	}
	ports.In("s_ask_kind", "", 2, "", "", "")
	ports.Out("m_tell_valid", "", 1, "", "", "")
	ports.Out("m_tell_one", "", 8, "", "", "")
	ports.Out("m_tell_list", "", 44, "", "", "")
	l, err := bench.LayoutOf(ports.Ports)
	if err != nil {
		t.Fatal(err)
	}
	var out bench.Out[told]
	a, count := told{One: 5, List: [4]uint16{1, 2, 3, 0xffff}}, told{One: 4, List: [4]uint16{0, 0x7ff, 0, 1}}
	f, err := bench.NewFrame("toy", l, 0, true, bench.Model{
		Contract: &event.Contract{Events: []*event.Stream{asks.Stream}, Answers: []event.Answer{{Stream: tells.Stream, After: 1}}, Lanes: map[string]int{"m_tell_list": 11}},
		Rules: []bench.Rule{bench.On(asks, func(n *bench.Now, e *ask) bool {
			switch e.Kind {
			case 0:
				out.EmitLanes(n, &a, 1<<0|1<<3, 1)
			case 1:
				out.EmitSome(n, &a, &count, 1)
			case 2:
				out.Fields(n, &a, &count, 1)
			}
			return true
		})},
		Bind: []bench.Binder{bench.Emits(tells, &out)}, Begin: func(n *bench.Now) { n.SetReady(true) },
	})
	if err != nil {
		t.Fatal(err)
	}
	in, want, care := make([]uint64, l.InWords), make([]uint64, l.OutWords), make([]uint64, l.OutWords)
	step := func(port string, kind uint64) {
		clear(in)
		l.MustSlot(port).Set(in, 1)
		l.MustSlot("s_ask_kind").Set(in, kind)
		f.Step(in, want, care)
	}
	step("rst", 0)
	step("s_ask_kind", 0)
	// Values in the cycle after each kind, masked by care, and care itself.
	for kind, c := range []struct{ valid, one, list, oneCare, listCare uint64 }{
		{1, 5, 0x7ff<<33 | 1, 0xff, 0x7ff<<33 | 0x7ff},
		{1, 4, 1<<33 | 2<<11, 4, 1<<33 | 0x7ff<<11},
		{0, 4, 1<<33 | 2<<11, 4, 1<<33 | 0x7ff<<11},
	} {
		step("s_ask_valid", uint64(kind))
		step("s_ask_kind", 0)
		for port, x := range map[string][2]uint64{"m_tell_valid": {c.valid, 1}, "m_tell_one": {c.one, c.oneCare}, "m_tell_list": {c.list, c.listCare}} {
			slot := l.MustSlot(port)
			if is, cares := slot.Get(want)&slot.Get(care), slot.Get(care); is != x[0] || cares != x[1] {
				t.Errorf("kind %d, %s: %#x of %#x, want %#x of %#x", kind, port, is, cares, x[0], x[1])
			}
		}
	}
}

// A contract says which of its names are wrong, and which ports it forgets.
func TestContractCheck(t *testing.T) {
	cfg := portsOf{ports: toyPorts()}
	if bad := toyContract().Check(cfg); len(bad) > 0 {
		t.Errorf("%q, want nothing", bad)
	}
	for _, c := range []struct {
		change func(c *event.Contract)
		want   []string
	}{
		{func(c *event.Contract) { c.Settings = nil }, []string{"cfg_scale: the contract does not name this port"}},
		{func(c *event.Contract) { c.Ambient = event.Ports[struct{ Now uint8 }]("").Stream }, []string{"now: 16 bits, but field Now holds 8"}},
		{func(c *event.Contract) { c.Counters = c.Counters[1:] }, []string{"sts_set_cnt: the contract does not name this port"}},
		{func(c *event.Contract) { c.Pulse = "evt_bad" }, []string{"evt_bad: no such port, or named twice", "evt_illegal: the contract does not name this port"}},
		{func(c *event.Contract) { c.Others = []string{"now"} }, []string{"now: no such port, or named twice"}},
		{func(c *event.Contract) { c.Answers[0].Stream = event.Output[struct{ Conn bool }]("get").Stream }, []string{
			"m_get_conn: 2 bits, but field Conn holds 1", "m_get_scale: the contract does not name this port",
			"m_get_value: the contract does not name this port", "m_get_word: the contract does not name this port"}},
	} {
		x := toyContract()
		c.change(x)
		if got := x.Check(cfg); !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// portsOf is a configuration of which only the ports matter.
type portsOf struct {
	gen.Config
	ports []gen.Port
}

// Ports implements gen.Config.
func (p portsOf) Ports() []gen.Port { return p.ports }

// A frame says what is wrong with its rules.
func TestFrameRefuses(t *testing.T) {
	l, err := bench.LayoutOf(toyPorts())
	if err != nil {
		t.Fatal(err)
	}
	rule := bench.On(sets, func(*bench.Now, *set) bool { return true })
	other := bench.On(event.Input[set]("put"), func(*bench.Now, *set) bool { return true })
	over := toyContract()
	over.Events = []*event.Stream{event.Input[get]("get").Yields("put").Stream}
	for _, c := range []struct {
		m    bench.Model
		want string
	}{
		{bench.Model{Contract: toyContract(), Rules: []bench.Rule{rule, rule}}, `event "set" has two rules`},
		{bench.Model{Contract: toyContract(), Rules: []bench.Rule{other}}, `a rule for event "put", which the contract does not have`},
		{bench.Model{Contract: over}, `event "get" yields to "put", which the contract does not have`},
	} {
		if _, err := bench.NewFrame("toy", l, 0, true, c.m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// Arrays are moved by lane; elements that the port does not reach are 0.
func TestWiresLanes(t *testing.T) {
	type wide struct {
		List [4]uint16
		Data [3]uint64
	}
	s := event.Input[wide]("x")
	var ports gen.PortList
	ports.In("s_x_valid", "", 1, "", "", "")
	ports.In("s_x_list", "", 3*11, "", "", "")
	ports.In("s_x_data", "", 150, "", "", "")
	l, err := bench.LayoutOf(ports.Ports)
	if err != nil {
		t.Fatal(err)
	}
	var w bench.Wires[wide]
	if err := bench.Wire("toy", l, &event.Contract{Lanes: map[string]int{"s_x_list": 11}}, bench.WireIn(s, &w)); err != nil {
		t.Fatal(err)
	}
	in := make([]uint64, l.InWords)
	x := wide{List: [4]uint16{0xffff, 1, 0x7ff, 5}, Data: [3]uint64{1, ^uint64(0), ^uint64(0)}}
	w.Drive(in, &x)
	var got wide
	if !w.Read(in, &got) {
		t.Fatal("no transfer")
	}
	if want := (wide{List: [4]uint16{0x7ff, 1, 0x7ff, 0}, Data: [3]uint64{1, ^uint64(0), 1<<22 - 1}}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if text := fmt.Sprint(l.MustSlot("s_x_data").Hex(in)); text != "0x3fffffffffffffffffffff0000000000000001" {
		t.Error(text)
	}
}
