// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net/netip"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/csr"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	pathplace "github.com/nicgen/nicgen/model/laps_paths/place"
	feedback "github.com/nicgen/nicgen/model/nic_feedback"
	lookup "github.com/nicgen/nicgen/model/nic_lookup"
	"github.com/nicgen/nicgen/model/nic_lookup/place"
	model "github.com/nicgen/nicgen/model/nic_transport"
	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/shim"
	"github.com/nicgen/nicgen/packet/traffic"
)

// stimulus plays a NIC's life: after each reset software fills tables and settings, then host and wire
// have conversations, with other and crafted frames among them, then the queues drain.
type stimulus struct {
	p    *params.Params
	pins *pins
	m    *csr.Map
	rng  *rand.Rand
	err  error

	phase phase
	left  int // cycles of it
	now   uint64

	program []access
	bus     struct{ addr, data, answer bool } // the current offer, or the awaited answer

	side  [2]source
	stall [2]pattern // of the readiness of wire and host
	drawn uint64     // conversations so far
	long  int        // frames of a conversation, if not 0
	pids  []uint16   // paths of LAPS
	conns int        // of the conversation
	fresh freshening
}

// freshening renews a connection while others continue: its frames stay away, its packets in the block settle, then
// its state is flushed in all parts.
type freshening struct {
	on      bool
	conn    int
	left    int  // cycles until the flush
	flushed bool // it was asked for
	rest    int  // cycles after it
}

// anyone is the connection of frames that may be of each.
const anyone = -2

type phase int

const (
	resetting phase = iota
	clearing
	programming
	talking
	settling
)

// access is a write to a register.
type access struct {
	address, data uint32
	read          bool   // it is a read
	until         uint32 // bits that must be read as 0; otherwise the read is repeated
}

// frame is a frame that comes in.
type frame struct {
	bytes []byte
	order int // among the frames of both directions
	conn  int // its connection; -1: none
	bad   bool
	tag   uint64
}

// source offers frames.
type source struct {
	s      *stream
	frames []frame
	at     int // bytes of the first that were taken
	on     bool
	gaps   pattern
}

// pattern generates occurrences with a probability, in runs.
type pattern struct {
	p    float64
	run  float64 // probability that it goes on
	last bool
}

func (x *pattern) next(rng *rand.Rand) bool {
	if rng.Float64() >= x.run {
		x.last = rng.Float64() < x.p
	}
	return x.last
}

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	x, err := newPins(p, l)
	if err != nil {
		return nil, err
	}
	m, err := p.Map()
	if err != nil {
		return nil, err
	}
	s := &stimulus{p: p, pins: x, m: m, rng: rand.New(rand.NewPCG(seed, 0x7261))}
	s.side[tx].s, s.side[rx].s = &x.hostTX, &x.wireRX
	s.now = s.rng.Uint64() >> (64 - params.NowBits) >> 1
	s.begin(resetting)
	return s, s.episode()
}

// begin begins a phase.
func (s *stimulus) begin(x phase) {
	s.phase = x
	s.left = map[phase]int{resetting: 4, clearing: s.clear(), settling: Settled + 512}[x]
}

// clear is the number of cycles in which the parts empty their tables, and some more.
func (s *stimulus) clear() int {
	c, p := 1024, s.p
	for _, n := range []int64{p.Rows, p.Connections * p.Ring, 4 * p.Connections} {
		c = max(c, int(n))
	}
	return c + 64
}

// set adds the writes of a setting or of a stream's data.
func (s *stimulus) set(name string, v *big.Int) {
	at, err := s.m.Find(name)
	if err != nil {
		s.err = err
		return
	}
	for n := range at.Register.Words() {
		w := new(big.Int).Rsh(v, uint(32*n)).Uint64()
		s.program = append(s.program, access{address: at.Address() + 4*n, data: uint32(w)})
	}
}

func (s *stimulus) setting(block, port string, v uint64) {
	s.set(block+"."+port, new(big.Int).SetUint64(v))
	s.set(block+".commit", big.NewInt(1))
}

// give offers a word to a stream: names and values alternate.
func (s *stimulus) give(stream string, fields ...any) {
	for i := 0; i < len(fields); i += 2 {
		v, ok := fields[i+1].(*big.Int)
		if !ok {
			v = new(big.Int).SetUint64(fields[i+1].(uint64))
		}
		s.set(stream+"."+fields[i].(string), v)
	}
	s.set(stream+".command", big.NewInt(1))
}

// profile is a random one; most do much.
func (s *stimulus) profile() model.Profile {
	on := func(p float64) bool { return s.rng.Float64() < p }
	return model.Profile{
		Feedback: s.p.List > 0 && on(.6),
		Queue:    on(.7), Path: on(.8), Flow: on(.5), EchoTX: on(.7), EchoRX: on(.4), Window: on(.6), Telemetry: on(.6),
		DSCPOn: on(.5), DSCP: byte(s.rng.IntN(64)), ECNOn: on(.5), ECN: byte(s.rng.IntN(4)), Dst: s.dst(),
	}
}

// dst is a destination of LAPS; one has no paths, and another does not exist.
func (s *stimulus) dst() uint16 {
	if !s.p.HasLAPS() {
		return 0
	}
	return uint16(s.rng.Int64N(s.p.Destinations + 1))
}

// laps writes what LAPS needs: paths, addresses of most destinations, and the connections' first rates.
func (s *stimulus) laps(conns int) {
	p, rng := s.p, s.rng
	tables := p.LAPS().Parts().Paths
	t := &pathplace.Table{}
	for dst := range p.Destinations - 1 {
		for range 1 + rng.Int64N(min(p.PathBanks, p.PathRows)) {
			base := 200 + rng.Uint32N(4000)
			x := pathplace.Path{Name: int64(len(t.Paths)), Destination: dst, BaseNS: base, LatencyNS: base * (1 + rng.Uint32N(2))}
			for range params.Anchors {
				x.Anchors = append(x.Anchors, rng.Uint32())
			}
			t.Paths = append(t.Paths, x)
		}
	}
	placed, err := pathplace.Assign(tables, t, 1)
	if err != nil {
		s.err = err
		return
	}
	s.pids = s.pids[:0]
	for _, e := range placed.Entries {
		s.pids = append(s.pids, uint16(e.Pid))
	}
	for _, c := range placed.Sequence() {
		anchors := new(big.Int)
		for i := len(c.Anchors) - 1; i >= 0; i-- {
			anchors.Or(anchors.Lsh(anchors, 32), new(big.Int).SetUint64(uint64(c.Anchors[i])))
		}
		s.give("laps.s_cfg", "op", uint64(c.Op), "pid", uint64(c.Pid), "dst", uint64(c.Dst), "scale", c.Scale.Word(), "latency", uint64(c.Delay), "base", uint64(c.Base), "anchors", anchors)
	}
	for dst := range uint64(p.Destinations) {
		bytes := new(big.Int).SetUint64(rng.Uint64())
		bytes.Or(bytes.Lsh(bytes, 32), new(big.Int).SetUint64(uint64(rng.Uint32())))
		set := uint64(1)
		if rng.IntN(4) == 0 {
			set = 0
		}
		s.give("probe.s_address", "dst", dst, "set", set, "bytes", bytes)
	}
	for conn := range uint64(conns) {
		s.give("laps.s_open", "flow", conn)
	}
	s.setting("laps", "cfg_rto_min_ns", 5000+rng.Uint64N(50_000))
}

// named puts a shim of LAPS into a frame: of data, an ACK, a probe or an answer.
func (s *stimulus) named(f []byte) []byte {
	if len(f) < 14 {
		return f
	}
	rng := s.rng
	kind := byte([]int{0, 0, 0, 1, 1, 1, 2, 3}[rng.IntN(8)])
	pid := uint16(rng.Uint32())
	if rng.IntN(8) > 0 {
		pid = s.pids[rng.IntN(len(s.pids))]
	}
	// The delay of an ACK or an answer; else a time, soon or long ago.
	time := rng.Uint64N(1 << (8 + rng.IntN(10)))
	if kind == 0 || kind == 2 {
		time += s.now
	}
	if rng.IntN(16) == 0 {
		time = rng.Uint64()
	}
	b := append([]byte(nil), f[:12]...)
	b = append(b, byte(shim.EtherType>>8), byte(shim.EtherType&0xff), kind<<4|params.Anchors, byte(rng.IntN(5))<<4|1)
	b = binary.BigEndian.AppendUint64(b, uint64(pid)<<48|time&(1<<48-1))
	for range params.Anchors {
		b = binary.BigEndian.AppendUint32(b, rng.Uint32())
	}
	b = append(b, 0, 0, 0, 0)
	if kind >= 2 && rng.IntN(4) > 0 { // as the block makes them
		return append(b, make([]byte, 16)...)
	}
	return append(b, f[12:]...)
}

// episode makes the next conversations, and what software does before.
func (s *stimulus) episode() error {
	p, rng := s.p, s.rng
	c := traffic.Default()
	c.Seed, s.drawn = rng.Uint64(), s.drawn+1
	c.Conns = int(min(2+uint64(rng.IntN(14)), uint64(p.Connections)))
	c.Peers = 1 + rng.IntN(4)
	c.Frames = 100 + rng.IntN(400)
	if s.long > 0 {
		c.Frames = s.long
	}
	c.MTU = []int{256, 256, 512, 1024, 4096, 0}[rng.IntN(6)]
	c.Tags = rng.IntN(3)
	c.Loss, c.Duplicate, c.Reorder = rng.Float64()*.05, rng.Float64()*.05, rng.Float64()*.05
	c.Mark = rng.Float64() * .5
	c.Other, c.Crafted = rng.Float64()*.3, rng.Float64()*.2
	trace, err := traffic.Generate(c)
	if err != nil {
		return fmt.Errorf("tb/nic_transport: traffic: %w", err)
	}
	s.program, s.conns, s.fresh = nil, len(trace.Conns), freshening{}
	s.bus.addr, s.bus.data, s.bus.answer = false, false, false // a reset may have come within an access
	s.software(trace.Conns)
	for i := range s.side {
		s.side[i] = source{s: s.side[i].s, gaps: s.pattern()}
		s.stall[i] = s.pattern()
	}
	templates := map[int]bool{}
	limit := [2]uint64{userBits(p.TxUserBits - 1), userBits(p.RxUserBits - 1)}
	for i := range trace.Frames {
		f := &trace.Frames[i]
		if p.Profile == params.UET {
			f.Data = s.uet(f.Data)
		}
		x := frame{bytes: s.mutate(f.Data), order: i, conn: f.Conn}
		if f.Kind == traffic.Crafted {
			x.conn = anyone
		}
		if t, ok := s.template(f.Data); ok && p.List > 0 && f.Kind == traffic.Conversation {
			if c := f.Conn; f.Dir == capture.TX && !templates[c] {
				templates[c] = true
				for k, w := range t {
					s.give("feedback.s_template", "conn", uint64(c), "word", uint64(k), "data", uint64(w))
				}
			} else if f.Dir == capture.RX && rng.IntN(8) == 0 {
				x.bytes, _ = t.Make(s.list())
				if rng.IntN(6) == 0 { // its end is missing
					x.bytes = x.bytes[:len(x.bytes)-1-rng.IntN(16)]
				}
			}
		}
		to := rx
		if f.Dir == capture.TX {
			to = tx
		} else if s.p.HasLAPS() && rng.IntN(2) == 0 {
			x.bytes = s.named(x.bytes)
		} else if s.p.HasINT() && rng.IntN(2) == 0 {
			x.bytes = s.telemetry(x.bytes)
		}
		if x.tag = rng.Uint64() & limit[to]; rng.IntN(8) == 0 {
			x.tag = 0
		}
		x.bad = rng.IntN(50) == 0
		if n := len(x.bytes); rng.IntN(50) == 0 {
			x.bytes = x.bytes[:1+rng.IntN(n)]
		}
		s.side[to].frames = append(s.side[to].frames, x)
	}
	s.again()
	return s.err
}

// again lets the host send some frames again, as by its timer, and most of those that were bad.
func (s *stimulus) again() {
	d, rng := &s.side[tx], s.rng
	var list []frame
	for i, f := range d.frames {
		list = append(list, f)
		x := f
		switch {
		case f.bad && rng.IntN(4) > 0:
			x.bad = false
		case rng.IntN(24) == 0:
			x = d.frames[max(0, i-rng.IntN(24))]
			x.order = f.order
		default:
			continue
		}
		list = append(list, x)
	}
	d.frames = list
}

// mutate changes what conversations do not have: services that are as reliable connections, syndromes, marks. Some become wrong
// by that, also in their ICRC.
func (s *stimulus) mutate(f []byte) []byte {
	rng := s.rng
	at, err := roce.Locate(f)
	if err != nil || rng.IntN(4) > 0 {
		return f
	}
	f = bytes.Clone(f)
	op := &f[at.L4+8]
	switch rng.IntN(5) {
	case 0: // XRC
		if *op < 0x18 {
			*op |= byte(roce.XRC)
		}
	case 1:
		*op = *op&0xe0 | byte(rng.IntN(0x18))
	case 2:
		if o := roce.Opcode(*op).Operation(); o == roce.Acknowledge || o == roce.AtomicAck || o == roce.ResponseOnly {
			f[at.L4+20] = byte(rng.Uint32())
		}
	case 3:
		f[at.L4+12] ^= byte(rng.IntN(4)) << 6 // FECN, BECN
	default:
		if !at.V6 {
			break
		}
		f[at.L3+1] |= 0x30 // CE
		f[at.L3+3] ^= byte(rng.Uint32())
	}
	return f
}

// place finds the headers of a frame of RoCEv2, or of UET as uet makes it.
func (s *stimulus) place(f []byte) (roce.Place, error) {
	at, err := roce.Locate(f)
	if err == nil || s.p.Profile != params.UET {
		return at, err
	}
	f = bytes.Clone(f)
	for i := 14 + 20 + 2; i <= 14+8+40+2 && i+2 <= len(f); i += 2 {
		if port := binary.BigEndian.Uint16(f[i:]); port == uint16(s.p.Parse().UETPort) {
			binary.BigEndian.PutUint16(f[i:], roce.Port)
			if at, err = roce.Locate(f); err == nil && at.L4+2 == i {
				return at, nil
			}
			binary.BigEndian.PutUint16(f[i:], port)
		}
	}
	return at, err
}

// uet makes a packet of UET of one of RoCEv2, of the same connection and PSN: ACKs of ACKs, requests of all else.
func (s *stimulus) uet(f []byte) []byte {
	at, err := roce.Locate(f)
	if err != nil {
		return f
	}
	rng := s.rng
	f = bytes.Clone(f)
	binary.BigEndian.PutUint16(f[at.L4+2:], uint16(s.p.Parse().UETPort))
	pds := f[at.L4+8:][:12]
	psn, qp := binary.BigEndian.Uint32(pds[8:])&roce.Mask24, binary.BigEndian.Uint32(pds[4:])
	op := roce.Opcode(pds[0])
	kind := []byte{2, 3, 13, 14}[rng.IntN(4)]
	offset := uint16(rng.Uint32())
	if o := op.Operation(); o == roce.Acknowledge || o == roce.AtomicAck {
		kind = []byte{7, 8, 9}[rng.IntN(3)]
		offset = uint16([]int{rng.IntN(8), -rng.IntN(8), rng.IntN(1<<16) - 1<<15}[rng.IntN(3)])
		psn -= uint32(int16(offset))
	}
	pds[0], pds[1] = kind<<3, byte(rng.Uint32())
	binary.BigEndian.PutUint16(pds[2:], offset)
	binary.BigEndian.PutUint32(pds[4:], psn)
	binary.BigEndian.PutUint16(pds[8:], uint16(rng.Uint32()))
	binary.BigEndian.PutUint16(pds[10:], uint16(qp))
	return f
}

// template returns the template of feedback packets of a frame's connection.
func (s *stimulus) template(f []byte) (t feedback.Template, ok bool) {
	at, err := roce.Locate(f)
	if err != nil || at.Tags > int(s.p.Tags) || at.V6 && !s.p.IPv6 {
		return t, false
	}
	head := bytes.Clone(f[:at.L4+20])
	head[at.L4+8], head[at.L4+9] = byte(roce.Feedback), head[at.L4+9]&0xcf
	if !at.V6 {
		ip := head[at.L3:at.L4]
		ip[2], ip[3], ip[10], ip[11] = 0, 0, 0, 0
		sum := uint32(0)
		for i := 0; i < len(ip); i += 2 {
			sum += uint32(ip[i])<<8 | uint32(ip[i+1])
		}
		for sum > 0xffff {
			sum = sum>>16 + sum&0xffff
		}
		ip[10], ip[11] = byte(^sum>>8), byte(^sum)
	}
	return feedback.NewTemplate(head, feedback.Place{Lane: (at.L4 - 2) / 4, V6: at.V6, Label: at.V6 && s.rng.IntN(2) == 0}), true
}

// list is a random list.
func (s *stimulus) list() (l feedback.List) {
	l.PSN, l.Again = s.rng.Uint32()&0xffffff, s.rng.IntN(4) == 0
	for range 1 + s.rng.IntN(16) {
		l.EVs = append(l.EVs, uint16(s.p.EVBase)+uint16(s.rng.IntN(1<<s.p.EVSBits)))
		l.Marks = append(l.Marks, s.rng.IntN(3) == 0)
	}
	return l
}

// telemetry puts a shim of INT into a frame, as switches leave it.
func (s *stimulus) telemetry(f []byte) []byte {
	if len(f) < 14 {
		return f
	}
	rng := s.rng
	b := append([]byte(nil), f[:12]...)
	kind := byte(rng.IntN(2))
	hops := 1 + rng.IntN(5)
	b = append(b, byte(shim.EtherType>>8), byte(shim.EtherType&0xff), kind<<4|5, 2, byte(rng.IntN(16)), byte(rng.IntN(4)), 0, byte(hops))
	for range 5 {
		w := shim.MakeWord(uint8(rng.IntN(8)), rng.Uint32(), rng.Uint32(), rng.Uint32N(1000))
		for k := range 8 {
			b = append(b, byte(w>>(8*k)))
		}
	}
	return append(b, f[12:]...)
}

// pattern is one of those that the stall matrix has: never, always but seldom, at random, in long runs.
func (s *stimulus) pattern() pattern {
	switch s.rng.IntN(5) {
	case 0, 1:
		return pattern{}
	case 2:
		return pattern{p: s.rng.Float64() * .5}
	case 3:
		return pattern{p: .5, run: .98}
	}
	return pattern{p: .9 * s.rng.Float64(), run: .5}
}

// key returns the search key of a queue pair's packets; ok reports whether it has one.
func (s *stimulus) key(ip netip.Addr, d lookup.Direction, qp uint32) (k lookup.Key, ok bool) {
	p := s.p
	if ip.Is6() && !p.IPv6 {
		return k, false
	}
	k, err := lookup.KeyOf(p.IPv6, ip, d, qp&uint32(1<<p.NumberBits()-1), int(p.NumberBits()))
	if err != nil {
		s.err = err
		return k, false
	}
	return k, true
}

// entries writes entries of the table.
func (s *stimulus) entries(list []lookup.Write) {
	for _, w := range list {
		bits := new(big.Int)
		for i := len(w.Entry.Key) - 1; i >= 0; i-- {
			bits.Or(bits.Lsh(bits, 64), new(big.Int).SetUint64(w.Entry.Key[i]))
		}
		set := uint64(0)
		if w.Entry.Set {
			set = 1
		}
		s.give("lookup.s_write", "read", uint64(0), "way", uint64(w.Way), "row", uint64(w.Row), "set", set, "key", bits, "conn", uint64(w.Entry.Conn))
	}
}

// software makes software's writes before packets come.
func (s *stimulus) software(conns []traffic.Conn) {
	p, rng := s.p, s.rng
	places := place.New(p.Lookup())
	insert := func(ip netip.Addr, d lookup.Direction, qp uint32, conn int) {
		k, ok := s.key(ip, d, qp)
		if !ok {
			return
		}
		list, err := places.Insert(k, uint32(conn))
		if err != nil {
			return // known, of another connection
		}
		s.entries(list)
	}
	if p.HasLAPS() {
		s.laps(len(conns))
	}
	for i, c := range conns {
		insert(c.Sides[1].IP, lookup.Sent, c.Sides[1].QP, i)
		if rng.IntN(16) > 0 {
			insert(c.Sides[1].IP, lookup.Received, c.Sides[0].QP, i)
		}
		s.give("transport.s_profile", "conn", uint64(i), "word", uint64(s.profile().Word()))
		if rng.IntN(3) == 0 {
			s.give("gate.s_window", "conn", uint64(i), "bytes", rng.Uint64N(1<<(8+rng.IntN(8))))
		}
	}
	s.setting("gate", "cfg_stall_ns", []uint64{1000, 5000, 1_000_000}[rng.IntN(3)])
	s.setting("gate", "cfg_flight_ns", []uint64{0, 0, 1000}[rng.IntN(3)])
	s.setting("transport", "cfg_label_high", rng.Uint64N(16))
	s.setting("echo", "cfg_ecn_or", rng.Uint64N(2))
	if rng.IntN(4) == 0 {
		s.setting("queue", "cfg_quota", 1+rng.Uint64N(64))
	}
	if rng.IntN(2) == 0 {
		switch p.Path {
		case params.REPS, params.Spray:
			for range 8 {
				s.give(p.Path+".s_seed", "word", rng.Uint64N(1<<16))
			}
			s.setting(p.Path, "cfg_mode", rng.Uint64N(3))
		case params.PLB:
			s.setting("plb", "cfg_mode", rng.Uint64N(3))
		}
	}
	if rng.IntN(8) == 0 {
		s.setting("parse_tx", "cfg_max_frame", 600)
		s.setting("parse_rx", "cfg_max_frame", 600)
	}
}

// command gives a stream a word, and waits until it was taken.
func (s *stimulus) command(stream string, fields ...any) {
	s.give(stream, fields...)
	at, err := s.m.Find(stream + ".command")
	if err != nil {
		s.err = err
		return
	}
	s.program = append(s.program, access{address: at.Address(), read: true, until: 1 << csr.WindowStart})
}

// has reports whether a block has a stream that software drives.
func (s *stimulus) has(stream string) bool {
	return s.m.Has(stream + ".command")
}

// flush makes a connection's state new in all parts.
func (s *stimulus) flush(conn uint64) {
	for _, name := range []string{"gate", "pace", "echo", "reps", "reps_detector", "spray", "powertcp"} {
		switch stream := name + ".s_flush"; {
		case !s.has(stream):
		case name == "reps" || name == "spray":
			s.command(stream, "conn", conn, "port", uint64(0))
		default:
			s.command(stream, "conn", conn)
		}
	}
	if s.has("laps.s_open") {
		s.command("laps.s_open", "flow", conn)
	}
}

// limits gives a connection a random window and rate.
func (s *stimulus) limits(conn uint64) {
	s.give("gate.s_window", "conn", conn, "bytes", s.rng.Uint64N(1<<(8+s.rng.IntN(12))))
	s.give("pace.s_rate", "conn", conn, "inv", s.rng.Uint64N(1<<(1+s.rng.IntN(17))))
}

// meddling makes software's writes while frames come: other profiles, windows and rates, and renewed connections.
func (s *stimulus) meddling() {
	x, rng := &s.fresh, s.rng
	switch {
	case len(s.program) > 0:
	case !x.on && rng.IntN(freshEvery) == 0:
		*x = freshening{on: true, conn: rng.IntN(s.conns), left: settles, rest: 64}
	case !x.on && rng.IntN(meddleEvery) == 0:
		conn := rng.Uint64N(uint64(s.conns))
		if rng.IntN(3) == 0 {
			s.give("transport.s_profile", "conn", conn, "word", uint64(s.profile().Word()))
		} else {
			s.limits(conn)
		}
	case !x.on:
	case x.left > 0:
		x.left--
	case !x.flushed:
		x.flushed = true
		s.flush(uint64(x.conn))
	default:
		if x.rest--; x.rest == 0 {
			x.on = false
		}
	}
}

const (
	freshEvery = 1500 // mean number of cycles until a connection is made new
	settles    = 1536 // cycles in which a connection's packets in the block leave, except those in its queue
)

// away reports whether a frame has to stay away.
func (s *stimulus) away(f *frame) bool {
	return s.fresh.on && (f.conn == s.fresh.conn || f.conn == anyone)
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x, rng := s.pins, s.rng
	s.clock(in)
	if s.phase == resetting {
		x.rst.Raise(in)
		return
	}
	if s.phase == talking {
		s.meddling()
	}
	if s.phase == programming || s.phase == talking {
		s.access(in)
	}
	settled := s.phase != talking || s.fresh.on && s.fresh.left > 0
	for i, r := range []*stream{&x.wireTX, &x.hostRX} {
		if settled || !s.stall[i].next(rng) {
			r.ready.Raise(in)
		}
	}
	if s.phase == talking {
		s.offer(in)
	}
}

// clock lets time go on.
func (s *stimulus) clock(in []uint64) {
	if s.now += 1 + s.rng.Uint64N(6); s.rng.IntN(2000) == 0 {
		s.now += s.rng.Uint64N(2000)
	}
	s.pins.now.Put(in, s.now)
	s.pins.bReady.Raise(in)
	s.pins.rReady.Raise(in)
}

// access drives the bus of the registers.
func (s *stimulus) access(in []uint64) {
	x := s.pins
	if s.bus.answer || len(s.program) == 0 {
		return
	}
	w := s.program[0]
	if w.read {
		x.arValid.Raise(in)
		x.arAddr.Put(in, uint64(w.address))
		return
	}
	if !s.bus.addr {
		x.awValid.Raise(in)
		x.awAddr.Put(in, uint64(w.address))
	}
	if !s.bus.data {
		x.wValid.Raise(in)
		x.wData.Put(in, uint64(w.data))
		x.wStrb.Put(in, 15)
	}
}

// accessed looks at the bus after a cycle; done: that was the last access.
func (s *stimulus) accessed(got []uint64) (done bool) {
	x := s.pins
	if len(s.program) == 0 {
		return true
	}
	w := s.program[0]
	switch {
	case s.bus.answer && w.read:
		if x.rValid.On(got) {
			s.bus.answer = false
			if x.rData.Get(got)&uint64(w.until) == 0 {
				s.program = s.program[1:]
			}
		}
	case s.bus.answer:
		if x.bValid.On(got) {
			s.bus.answer = false
			s.program = s.program[1:]
		}
	case w.read:
		s.bus.answer = x.arReady.On(got)
	default:
		s.bus.addr = s.bus.addr || x.awReady.On(got)
		s.bus.data = s.bus.data || x.wReady.On(got)
		if s.bus.addr && s.bus.data {
			s.bus.addr, s.bus.data, s.bus.answer = false, false, true
		}
	}
	return len(s.program) == 0
}

// ahead is the number of frames of one direction that may go before their turn.
const ahead = 12

// offer offers beats of both directions. A beat that was offered stays.
func (s *stimulus) offer(in []uint64) {
	for i := range s.side {
		d, other := &s.side[i], &s.side[1-i]
		if len(d.frames) == 0 {
			continue
		}
		for len(d.frames) > 0 && !d.on && d.at == 0 && s.away(&d.frames[0]) {
			d.frames = d.frames[1:]
		}
		if len(d.frames) == 0 {
			continue
		}
		f := &d.frames[0]
		if !d.on {
			if d.at == 0 && len(other.frames) > 0 && f.order > other.frames[0].order+ahead || d.gaps.next(s.rng) {
				continue
			}
			d.on = true
		}
		n := min(64, len(f.bytes)-d.at)
		for k := range n {
			d.s.data.PutBits(in, 8*k, 8, uint64(f.bytes[d.at+k]))
		}
		d.s.keep.PutBits(in, 0, 64, ^uint64(0)>>(64-n))
		d.s.valid.Raise(in)
		user := f.tag << 1
		if d.at+n == len(f.bytes) {
			d.s.last.Raise(in)
			if f.bad {
				user |= 1
			}
		}
		d.s.user.Put(in, user)
	}
}

// Hooks implements cosim.Stimulus.
func (s *stimulus) Hooks() cosim.StimulusHooks { return cosim.StimulusHooks{React: s.react} }

func (s *stimulus) react(got []uint64) {
	switch s.phase {
	case resetting, clearing, settling:
		if s.left--; s.left > 0 {
			return
		}
		if s.phase == settling {
			s.begin(resetting)
			if err := s.episode(); err != nil {
				panic(err) // the first one was made
			}
			return
		}
		s.begin(s.phase + 1)
	case programming:
		if s.accessed(got) {
			s.begin(talking)
		}
	case talking:
		done := s.accessed(got)
		if s.taken(got) && done && !s.fresh.on {
			s.begin(settling)
		}
	}
}

// taken looks at the beats that were offered; done: all frames went in.
func (s *stimulus) taken(got []uint64) (done bool) {
	for i := range s.side {
		d := &s.side[i]
		if !d.on || !d.s.ready.On(got) {
			continue
		}
		d.on = false
		if d.at = min(d.at+64, len(d.frames[0].bytes)); d.at == len(d.frames[0].bytes) {
			d.frames, d.at = d.frames[1:], 0
		}
	}
	return len(s.side[tx].frames)+len(s.side[rx].frames) == 0
}
