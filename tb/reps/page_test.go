// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps"
)

// The scenarios of testdata/page are written from docs/units/reps.md and the paper, without
// golden model: each line states the RTL's expected answer, and TestPage checks that, and
// every cycle's answer, event, counter and ready.
//
// A file starts with its parameters and run-time settings. `scenario` is a reset
// and those settings again; every other line is a cycle, its clauses separated by
// semicolons. A clause with a list happens in as many cycles, from the line's first on,
// and the line is as long as its longest clause. `#` starts a comment.
//
//	now T ...                 now_ns, until changed
//	set key=value ...         run-time settings, until changed; mode=reps,ops names the NIC ports in turn
//	ack C EV ...              ACKs; 7x is marked, 7! is outside the EV set, 7^ ends freezing.
//	                          A carrying ACK joins its EVs by commas, "none" carries none, "9,7|wait" finds the queue full
//	fail C ...                failures; C^ freezes
//	flush C ...               flushes; C|wait is not taken
//	send C -> ANSWER ...      SENDs
//	seed WORD ...             words shifted into the generator
//	idle N                    N cycles
//	reset                     rst is high
//
// An answer is 7 (cached), 7~ (frozen reuse), R (random, injected), G (random,
// generated), O and OG (oblivious), =7 (fixed) or ! (no such connection or port).
// A..B is a run of items, A*N the same one N times, xN before a line repeats it.
// Events that the unit is not ready to take end in |lost.
func TestPage(t *testing.T) {
	files, err := filepath.Glob("testdata/page/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("there are no scenarios")
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txt"), func(t *testing.T) {
			t.Parallel()
			for _, e := range playPage(t, f) {
				t.Error(e)
			}
		})
	}
}

// A scenario that claims something else than the page is refused: the player looks
// at every kind of output.
func TestPageNotices(t *testing.T) {
	for _, c := range []struct{ name, lines, want string }{
		{"value", "ack 1 10\nsend 1 -> 11", "m_ev is 10, want 11"},
		{"source", "ack 1 10\nsend 1 -> 10~", "m_ev_source is 0, want 1"},
		{"answer that does not come", "send 1 -> R|lost", "sts_send_cnt is 1, want 0"},
		{"answer that should come", "reset\nsend 1 -> R", "sts_send_cnt is 0, want 1"},
		{"random", "set ev_base=1\nsend 1 -> 3", "m_ev_source is 2, want 0"},
		{"generated", "seed 1..8; send 1 -> R*7 G\nsend 1 -> R\nsend 1:0 -> O", "m_ev_source is 2, want 3"},
		{"freezing", "fail 1", "evt_freeze is 1, want 0"},
		{"no freezing", "set freezing=0; fail 1^", "evt_freeze is 0, want 1"},
		{"thawing", "fail 1^\nnow 1000; ack 1 9", "evt_thaw is 1, want 0"},
		{"illegal", "ack 1 9!", "evt_illegal is 0, want 1"},
		{"counter", "ack 1 9x; ack 2 9", "two ack clauses"},
		{"flush", "ack 1 9; flush 1", "s_flush_ready is 0, want 1"},
		{"ready", "flush 1|lost", "s_flush_ready is 1, want 0"},
		{"clause", "sned 1 -> R", `unknown clause "sned"`},
		{"setting", "set mod=ops", `unknown setting "mod"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := filepath.Join(t.TempDir(), "scenario.txt")
			text := "params connections=4\nset freezing_timeout_ns=100\nscenario one\n" + c.lines + "\n"
			if err := os.WriteFile(f, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			found := playPage(t, f)
			if !slices.ContainsFunc(found, func(s string) bool { return strings.Contains(s, c.want) }) {
				t.Errorf("found %q, want %q", found, c.want)
			}
		})
	}
}

// Cycles from an event to its effects, as in the page's port table.
const (
	answerLatency = 5 // and ram_latency
	eventLatency  = 4 // evt_ pulses and most counters
	freezeLatency = 5 // the counters of freezes and thaws
	carryLatency  = 2 // a carrying ACK is as an ACK so much later
)

// Values of m_ev_source.
const (
	cached = iota
	frozenReuse
	explored
	oblivious
	fixed
	noSource
)

// pageAnswer is the expected answer of one SEND.
type pageAnswer struct {
	valid      bool
	ev, source uint64
}

// pageCycle holds the expected outputs of one cycle.
type pageCycle struct {
	answer  pageAnswer
	freeze  bool
	thaw    bool
	illegal bool
	seeded  bool
	count   [10]uint64 // additions, in the order of params.CounterNames
	enters  bool       // an EV of a carrying ACK enters the buffer
}

// Indices of params.CounterNames.
const (
	ackCnt = iota
	ecnCnt
	failCnt
	sendCnt
	flushCnt
	freezeCnt
	thawCnt
	illegalConnCnt
	illegalEVCnt
	notReadyCnt
)

// pagePlayer plays a file.
type pagePlayer struct {
	p     *params.Params
	sim   *cosim.Sim
	start map[string]string // settings at the start of a scenario
	place string
	found []string

	cycle     uint64 // since power-up
	due       map[uint64]*pageCycle
	total     [10]uint64
	resetting uint64   // the cycle after a reset cycle
	readyAt   uint64   // first cycle in which sts_ready is high
	entered   uint64   // cycle in which the last EV of a carrying ACK enters
	base      uint64   // cfg_ev_base
	words     uint64   // injected so far
	seeded    bool     // a seed word was given
	stream    []uint64 // random words so far, seeds and drawn ones, oldest first
}

// playPage returns the differences between a file and the RTL, the first of each scenario.
func playPage(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pl := &pagePlayer{start: map[string]string{}, due: map[uint64]*pageCycle{}}
	scenario := ""
	skip := false
	for i, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		pl.place = fmt.Sprintf("%s:%d: %s: %s", filepath.Base(file), i+1, scenario, line)
		word, rest, _ := strings.Cut(line, " ")
		var err error
		switch {
		case word == "params":
			pl.p = suite.Configure(t, rest)
			pl.sim = openPage(t, pl.p)
			defer func() {
				if err := pl.sim.Close(); err != nil {
					t.Error(err)
				}
			}()
		case word == "set" && scenario == "":
			for _, kv := range strings.Fields(rest) {
				k, v, _ := strings.Cut(kv, "=")
				pl.start[k] = v
			}
		case word == "scenario":
			if scenario != "" && !skip {
				if err := pl.drain(); err != nil {
					pl.found = append(pl.found, fmt.Sprintf("end of %s: %v", scenario, err))
				}
			}
			scenario, skip = rest, false
			pl.place = fmt.Sprintf("%s:%d: %s", filepath.Base(file), i+1, scenario)
			err = pl.scenario()
		case !skip:
			err = pl.line(line)
		}
		if err != nil {
			pl.found = append(pl.found, fmt.Sprintf("%s: %v", pl.place, err))
			skip = true
		}
	}
	if scenario == "" {
		t.Fatalf("%s has no scenario", file)
	}
	if !skip {
		if err := pl.drain(); err != nil {
			pl.found = append(pl.found, fmt.Sprintf("%s: %v", pl.place, err))
		}
	}
	return pl.found
}

func openPage(t *testing.T, p *params.Params) *cosim.Sim {
	t.Helper()
	files, err := p.Files()
	if err != nil {
		t.Fatal(err)
	}
	src := cosim.Source{Top: p.Top()}
	for _, f := range files {
		src.Files = append(src.Files, cosim.File{Name: f.Name, Text: f.Text})
	}
	sim, err := cosim.Open(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	return sim
}

// answer is the number of cycles from a SEND to its answer.
func (pl *pagePlayer) answer() uint64 { return answerLatency + uint64(pl.p.RAMLatency) }

func (pl *pagePlayer) carry() bool { return pl.p.Coalescing == params.Carry }

// at returns the expected outputs of cycle c.
func (pl *pagePlayer) at(c uint64) *pageCycle {
	if pl.due[c] == nil {
		pl.due[c] = &pageCycle{}
	}
	return pl.due[c]
}

// scenario resets the device and waits until it is ready.
func (pl *pagePlayer) scenario() error {
	pl.idle()
	pl.sim.Set("now_ns", 0)
	for _, kv := range []string{"mode=reps", "freezing=1", "freezing_timeout_ns=100", "num_pkts_cwnd=16", "ev_base=0"} {
		k, v, _ := strings.Cut(kv, "=")
		if s, ok := pl.start[k]; ok {
			v = s
		}
		if err := pl.set(k, v); err != nil {
			return err
		}
	}
	if err := pl.reset(); err != nil {
		return err
	}
	for pl.cycle < pl.readyAt {
		if err := pl.step(); err != nil {
			return err
		}
	}
	return nil
}

// reset runs a cycle with rst high. Events in flight are lost; because the unit registers
// rst, its outputs continue for one more cycle.
func (pl *pagePlayer) reset() error {
	pl.sim.Set("rst", 1)
	pl.sim.Step(1)
	pl.sim.Set("rst", 0)
	pl.cycle++
	clear(pl.due)
	pl.total = [10]uint64{}
	pl.entered = 0
	pl.seeded = false
	pl.resetting = pl.cycle
	pl.readyAt = pl.cycle + 1 + 2*uint64(pl.p.Rows())
	return pl.sim.Err()
}

// drain runs until nothing is due any more.
func (pl *pagePlayer) drain() error {
	pl.idle()
	for last := pl.cycle + pl.answer() + 1; pl.cycle < last || pl.cycle <= pl.entered+pl.answer(); {
		if err := pl.step(); err != nil {
			return err
		}
	}
	return nil
}

// idle takes all events away.
func (pl *pagePlayer) idle() {
	for _, s := range []string{"s_ack_valid", "s_fail_valid", "s_flush_valid", "s_send_valid", "s_send_inject", "s_seed_valid", "rst"} {
		pl.sim.Set(s, 0)
	}
}

// want compares an output.
func (pl *pagePlayer) want(port string, v uint64) error {
	got := pl.sim.Get(port)
	if err := pl.sim.Err(); err != nil {
		return err
	}
	if got != v {
		return fmt.Errorf("cycle %d after ready: %s is %d, want %d", int64(pl.cycle-pl.readyAt), port, got, v)
	}
	return nil
}

func asBit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// step compares the outputs of the present cycle and goes on to the next.
func (pl *pagePlayer) step() error {
	e := pl.at(pl.cycle)
	ready := pl.cycle >= pl.readyAt
	for i, n := range e.count {
		pl.total[i] += n
	}
	pl.seeded = pl.seeded || e.seeded
	check := []struct {
		port string
		v    uint64
	}{
		{"sts_ready", asBit(ready)},
		{"m_ev_valid", asBit(e.answer.valid)},
		{"evt_freeze", asBit(e.freeze)},
		{"evt_thaw", asBit(e.thaw)},
		{"evt_illegal", asBit(e.illegal)},
		{"s_flush_ready", asBit(ready && !e.enters)},
		{"sts_seeded", asBit(pl.seeded)},
	}
	for i, n := range params.CounterNames {
		check = append(check, struct {
			port string
			v    uint64
		}{"sts_" + n + "_cnt", pl.total[i] & (1<<pl.p.CounterBits - 1)})
	}
	if pl.cycle == pl.resetting {
		check = check[:1]
	}
	for _, c := range check {
		if err := pl.want(c.port, c.v); err != nil {
			return err
		}
	}
	if e.answer.valid {
		if err := pl.want("m_ev_source", e.answer.source); err != nil {
			return err
		}
		if err := pl.want("m_ev", e.answer.ev); err != nil {
			return err
		}
	}
	pl.sim.Step(1)
	delete(pl.due, pl.cycle)
	pl.cycle++
	return pl.sim.Err()
}

// pageClause holds the events of the first len(items) cycles of a line.
type pageClause struct {
	word, subject string
	items         []string
}

// line plays one line.
func (pl *pagePlayer) line(line string) error {
	times := 1
	if first, rest, ok := strings.Cut(line, " "); ok && first[0] == 'x' {
		n, err := strconv.Atoi(first[1:])
		if err != nil {
			return fmt.Errorf("repetition %q is no number", first)
		}
		times, line = n, rest
	}
	var clauses []pageClause
	length := 1
	seen := map[string]bool{}
	for part := range strings.SplitSeq(line, ";") {
		c, err := parsePage(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		if seen[c.word] {
			return fmt.Errorf("two %s clauses in a cycle", c.word)
		}
		seen[c.word] = true
		clauses = append(clauses, c)
		if c.word != "set" {
			length = max(length, len(c.items))
		}
	}
	for range times {
		for i := range length {
			if err := pl.play(clauses, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// parsePage splits a clause.
func parsePage(text string) (pageClause, error) {
	f := strings.Fields(text)
	if len(f) == 0 {
		return pageClause{}, fmt.Errorf("empty clause")
	}
	c := pageClause{word: f[0]}
	f = f[1:]
	switch c.word {
	case "ack", "send":
		if len(f) == 0 {
			return c, fmt.Errorf("%s without a connection", c.word)
		}
		c.subject, f = f[0], f[1:]
		if c.word == "send" && (len(f) == 0 || f[0] != "->") {
			return c, fmt.Errorf("send without ->")
		}
		if c.word == "send" {
			f = f[1:]
		}
	case "idle":
		if len(f) == 1 {
			f = []string{"-*" + f[0]}
		}
	case "reset":
		f = []string{"-"}
	case "now", "set", "fail", "flush", "seed":
	default:
		return c, fmt.Errorf("unknown clause %q", c.word)
	}
	for _, s := range f {
		items, err := expandPage(s)
		if err != nil {
			return c, err
		}
		c.items = append(c.items, items...)
	}
	if len(c.items) == 0 {
		return c, fmt.Errorf("%s without items", c.word)
	}
	return c, nil
}

// expandPage writes runs and repetitions out: 1..3x is 1x 2x 3x, R*3 is R R R.
func expandPage(s string) ([]string, error) {
	if from, to, ok := strings.Cut(s, ".."); ok {
		suffix := strings.TrimLeft(to, "0123456789")
		a, err1 := strconv.ParseUint(from, 10, 64)
		b, err2 := strconv.ParseUint(strings.TrimSuffix(to, suffix), 10, 64)
		if err1 != nil || err2 != nil || a > b {
			return nil, fmt.Errorf("%q is no run of numbers", s)
		}
		var items []string
		for ; a <= b; a++ {
			items = append(items, fmt.Sprint(a)+suffix)
		}
		return items, nil
	}
	if item, times, ok := strings.Cut(s, "*"); ok {
		n, err := strconv.Atoi(times)
		if err != nil {
			return nil, fmt.Errorf("%q is no repetition", s)
		}
		return slices.Repeat([]string{item}, n), nil
	}
	return []string{s}, nil
}

// play plays the i-th cycle of a line.
func (pl *pagePlayer) play(clauses []pageClause, i int) error {
	pl.idle()
	var draw func() error
	drawn := false
	rst := slices.ContainsFunc(clauses, func(c pageClause) bool { return c.word == "reset" && i < len(c.items) })
	if e := pl.at(pl.cycle); pl.carry() {
		e.enters = pl.cycle <= pl.entered && e.enters
	}
	for _, c := range clauses {
		if c.word == "set" {
			if i > 0 {
				continue
			}
			for _, kv := range c.items {
				k, v, _ := strings.Cut(kv, "=")
				if err := pl.set(k, v); err != nil {
					return err
				}
			}
			continue
		}
		if i >= len(c.items) {
			continue
		}
		item, note, _ := strings.Cut(c.items[i], "|")
		if note != "" && note != "lost" && note != "wait" {
			return fmt.Errorf("unknown note %q", note)
		}
		var err error
		switch c.word {
		case "now":
			err = pl.setNumber("now_ns", item)
		case "ack":
			err = pl.ack(c.subject, item, note)
		case "fail":
			err = pl.fail(item, note)
		case "flush":
			err = pl.flush(item, note)
		case "send":
			// After all seeds and settings of the cycle.
			draw = func() error { return pl.send(c.subject, item, note) }
		case "seed":
			var w uint64
			if w, err = pageNumber(item); err == nil {
				pl.sim.Set("s_seed_valid", 1)
				pl.sim.Set("s_seed_word", w)
				pl.stream = append(pl.stream, w|1)
				drawn = true
				if !rst {
					pl.at(pl.cycle + eventLatency).seeded = true
				}
			}
		}
		if dropped := c.word == "fail" || c.word == "send" || c.word == "ack" && !pl.carry(); dropped && note == "lost" && !rst {
			pl.at(pl.cycle + eventLatency).count[notReadyCnt]++
		}
		if err != nil {
			return err
		}
	}
	if draw != nil {
		before := len(pl.stream)
		if !drawn {
			pl.next()
		}
		if err := draw(); err != nil {
			return err
		}
		if a := pl.at(pl.cycle + pl.answer()).answer; !drawn && (!a.valid || a.source == noSource) {
			pl.stream = pl.stream[:before] // only a legal SEND draws
		}
	}
	if rst {
		return pl.reset()
	}
	return pl.step()
}

func pageNumber(s string) (uint64, error) {
	v, err := strconv.ParseUint(s, 0, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no number", s)
	}
	return v, nil
}

func (pl *pagePlayer) setNumber(port, s string) error {
	v, err := pageNumber(s)
	pl.sim.Set(port, v)
	return err
}

// set changes a run-time setting.
func (pl *pagePlayer) set(key, value string) error {
	switch key {
	case "mode":
		var v uint64
		for i, m := range strings.Split(value, ",") {
			code, ok := map[string]uint64{"reps": 0, "ops": 1, "ecmp": 2, "ops3": 3}[m]
			if !ok {
				return fmt.Errorf("unknown mode %q", m)
			}
			v |= code << (2 * i)
		}
		pl.sim.Set("cfg_mode", v)
		return nil
	case "ev_base":
		v, err := pageNumber(value)
		if err != nil {
			return err
		}
		pl.base = v
	case "freezing", "freezing_timeout_ns", "num_pkts_cwnd":
	default:
		return fmt.Errorf("unknown setting %q", key)
	}
	return pl.setNumber("cfg_"+key, value)
}

// place is a connection on a NIC port.
type place struct{ conn, port uint64 }

// parsePlace reads C or C:P; without P, the port is 0.
func parsePlace(s string) (p place, err error) {
	conn, port, named := strings.Cut(s, ":")
	if named {
		if p.port, err = pageNumber(port); err != nil {
			return p, err
		}
	}
	p.conn, err = pageNumber(conn)
	return p, err
}

// name sets the ports that name a place for an event.
func (pl *pagePlayer) name(event string, at place) {
	pl.sim.Set("s_"+event+"_conn", at.conn)
	pl.sim.Set("s_"+event+"_port", at.port)
}

func (pl *pagePlayer) illegal(at place) bool {
	return at.conn >= uint64(pl.p.Connections) || at.port >= uint64(pl.p.NICPorts)
}

// happens books an event of cycle c, illegal in one of two ways or in none.
func (pl *pagePlayer) happens(c uint64, counter int) {
	e := pl.at(c + eventLatency)
	e.count[counter]++
	e.illegal = e.illegal || counter == illegalConnCnt || counter == illegalEVCnt
}

// cache books one EV of an ACK in cycle c.
func (pl *pagePlayer) cache(c uint64, at place, marks string) {
	pl.at(c).enters = true
	switch {
	case pl.illegal(at):
		pl.happens(c, illegalConnCnt)
	case strings.Contains(marks, "!"):
		pl.happens(c, illegalEVCnt)
	case strings.Contains(marks, "x"):
		pl.happens(c, ecnCnt)
	default:
		pl.happens(c, ackCnt)
	}
	if strings.Contains(marks, "^") {
		pl.at(c + eventLatency).thaw = true
		pl.at(c + freezeLatency).count[thawCnt]++
	}
}

func (pl *pagePlayer) ack(subject, item, note string) error {
	at, err := parsePlace(subject)
	if err != nil {
		return err
	}
	pl.sim.Set("s_ack_valid", 1)
	pl.name("ack", at)
	var evs []uint64
	var marks []string
	if item != "none" {
		for s := range strings.SplitSeq(item, ",") {
			digits := strings.TrimRight(s, "x!^")
			ev, err := pageNumber(digits)
			if err != nil {
				return err
			}
			evs, marks = append(evs, ev), append(marks, s[len(digits):])
		}
	}
	if !pl.carry() {
		if len(evs) != 1 {
			return fmt.Errorf("an ACK brings one EV, not %q", item)
		}
		pl.sim.Set("s_ack_ev", evs[0])
		pl.sim.Set("s_ack_ecn", asBit(strings.Contains(marks[0], "x")))
		if note == "" {
			pl.cache(pl.cycle, at, marks[0])
		}
		return nil
	}
	var packed, ecn uint64
	for i, ev := range evs {
		if i < int(pl.p.Ratio) {
			packed |= ev << (16 * i)
			ecn |= asBit(strings.Contains(marks[i], "x")) << i
		}
	}
	pl.sim.Set("s_ack_count", uint64(len(evs)))
	pl.sim.Set("s_ack_ev", packed)
	pl.sim.Set("s_ack_ecn", ecn)
	if err := pl.want("s_ack_ready", asBit(note == "")); err != nil || note != "" {
		return err
	}
	if len(evs) == 0 {
		pl.entered = max(pl.entered+1, pl.cycle+carryLatency)
	}
	for i := range min(len(evs), int(pl.p.Ratio)) {
		pl.entered = max(pl.entered+1, pl.cycle+carryLatency)
		pl.cache(pl.entered, at, marks[i])
	}
	return nil
}

func (pl *pagePlayer) fail(item, note string) error {
	item, froze := strings.CutSuffix(item, "^")
	at, err := parsePlace(item)
	if err != nil {
		return err
	}
	pl.sim.Set("s_fail_valid", 1)
	pl.name("fail", at)
	if note != "" {
		return nil
	}
	if pl.illegal(at) {
		pl.happens(pl.cycle, illegalConnCnt)
		return nil
	}
	pl.happens(pl.cycle, failCnt)
	if froze {
		pl.at(pl.cycle + eventLatency).freeze = true
		pl.at(pl.cycle + freezeLatency).count[freezeCnt]++
	}
	return nil
}

func (pl *pagePlayer) flush(item, note string) error {
	at, err := parsePlace(item)
	if err != nil {
		return err
	}
	pl.sim.Set("s_flush_valid", 1)
	pl.name("flush", at)
	if err := pl.want("s_flush_ready", asBit(note == "")); err != nil || note != "" {
		return err
	}
	if pl.illegal(at) {
		pl.happens(pl.cycle, illegalConnCnt)
	} else {
		pl.happens(pl.cycle, flushCnt)
	}
	return nil
}

// bit is the random bit that was made back bits before the word that comes next.
func (pl *pagePlayer) bit(back int) uint64 {
	n := 16*len(pl.stream) - back
	return pl.stream[n/16] >> (15 - n%16) & 1
}

// next draws a word: b[t] = b[t-28] ^ b[t-61] ^ b[t-93] ^ b[t-127]. Before the whole
// state was loaded the words are not known, and not asked for.
func (pl *pagePlayer) next() {
	var w uint64
	if len(pl.stream) >= 8 {
		for i := range 16 {
			w |= (pl.bit(28-i) ^ pl.bit(61-i) ^ pl.bit(93-i) ^ pl.bit(127-i)) << (15 - i)
		}
	}
	pl.stream = append(pl.stream, w)
}

func (pl *pagePlayer) send(subject, item, note string) error {
	at, err := parsePlace(subject)
	if err != nil {
		return err
	}
	injected := 0x9e37*pl.words + 0x5a5a
	pl.words++
	a := pageAnswer{valid: true}
	random := injected
	if strings.HasSuffix(item, "G") {
		random = pl.stream[len(pl.stream)-1]
	} else {
		pl.sim.Set("s_send_inject", 1)
		pl.sim.Set("s_send_random", injected&0xffff)
	}
	random = random&(1<<pl.p.EVSBits-1) + pl.base
	switch item {
	case "R", "G":
		a.ev, a.source = random, explored
	case "O", "OG":
		a.ev, a.source = random, oblivious
	case "!":
		a.ev, a.source = pl.base, noSource
	default:
		if s, ok := strings.CutPrefix(item, "="); ok {
			item, a.source = s, fixed
		} else if s, ok := strings.CutSuffix(item, "~"); ok {
			item, a.source = s, frozenReuse
		}
		if a.ev, err = pageNumber(item); err != nil {
			return err
		}
	}
	a.ev &= 0xffff
	pl.sim.Set("s_send_valid", 1)
	pl.name("send", at)
	if note != "" {
		return nil
	}
	pl.at(pl.cycle + pl.answer()).answer = a
	if a.source == noSource {
		pl.happens(pl.cycle, illegalConnCnt)
	} else {
		pl.happens(pl.cycle, sendCnt)
	}
	return nil
}
