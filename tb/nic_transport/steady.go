// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	lookup "github.com/nicgen/nicgen/model/nic_lookup"
	"github.com/nicgen/nicgen/model/nic_lookup/place"
	model "github.com/nicgen/nicgen/model/nic_transport"
	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/traffic"
)

// steadyTraffic is a stimulus with one reset. Conversations follow one another: after each, software opens waiting
// connections, lets all frames leave, reads counters, and renews the connections for the next one.
type steadyTraffic struct {
	*stimulus
	manner
	frames int // of a conversation

	places *place.Table
	keys   []lookup.Key // the conversation's keys
	conns  int          // its connections
	most   int          // connections that had a conversation
	held   int          // packets in queues
	still  int          // cycles without a frame or an event
	began  bool         // the first conversation has
	events []*event     // traced ones that tell that something is under way

	seeds *rand.Rand       // of conversations that are generated ahead
	ahead <-chan generated // the next one; nil: none was begun
}

// manner holds the variations of traffic around conversations.
type manner struct {
	hostile  bool // stalls, bad frames, and changes of connections within a conversation
	restless bool // two connections, whose profiles change all the time
}

// Phases after a conversation.
const (
	opening  phase = settling + 1 + iota // software opens windows and rates
	draining                             // waiting packets leave
	reading                              // counters
)

func newSteadyTraffic(p *params.Params, l *cosim.Layout, seed uint64, how manner, frames int) (*steadyTraffic, error) {
	x, err := newStimulus(p, l, seed)
	if err != nil {
		return nil, err
	}
	s := &steadyTraffic{seeds: rand.New(rand.NewPCG(seed, 1)), stimulus: x.(*stimulus), manner: how, frames: frames, places: place.New(p.Lookup())}
	for name, e := range s.pins.trace {
		if name != "lost" { // by timers, long after
			s.events = append(s.events, e)
		}
	}
	return s, s.conversation()
}

// Hooks implements cosim.Stimulus.
func (s *steadyTraffic) Hooks() cosim.StimulusHooks {
	return cosim.StimulusHooks{React: s.react, Ready: func() bool { return s.began }}
}

// generated is a conversation, or the error of its generation.
type generated struct {
	trace *traffic.Trace
	err   error
}

// generate generates the frames of a conversation in a goroutine while the run goes on: the two sides of a run share two threads.
func (s *steadyTraffic) generate() <-chan generated {
	c := traffic.Default()
	c.Seed, c.Frames = s.seeds.Uint64(), s.frames
	c.Conns = int(min(16, uint64(s.p.Connections)))
	c.MTU, c.Loss, c.Duplicate, c.Reorder, c.Crafted = 1024, 0, 0, 0, 0
	done := make(chan generated, 1)
	go func() {
		trace, err := traffic.Generate(c)
		done <- generated{trace, err}
	}()
	return done
}

// next returns the frames of the next conversation.
func (s *steadyTraffic) next() (*traffic.Trace, error) {
	p, rng := s.p, s.rng
	if !s.hostile {
		if s.ahead == nil {
			s.ahead = s.generate()
		}
		x := <-s.ahead
		s.ahead = s.generate()
		return x.trace, x.err
	}
	c := traffic.Default()
	c.Seed, c.Frames = rng.Uint64(), s.frames
	c.Conns = int(min(2+uint64(rng.IntN(30)), uint64(p.Connections)))
	c.Peers = 1 + rng.IntN(4)
	c.MTU = []int{256, 256, 256, 512, 1024, 0}[rng.IntN(6)]
	c.Tags = rng.IntN(3)
	c.Loss, c.Duplicate, c.Reorder = rng.Float64()*.05, rng.Float64()*.05, rng.Float64()*.05
	c.Mark = rng.Float64() * .5
	c.Other, c.Crafted = rng.Float64()*.4, rng.Float64()*.8
	if s.restless {
		c.Conns = 2
	}
	return traffic.Generate(c)
}

// conversation begins the next one.
func (s *steadyTraffic) conversation() error {
	p, rng := s.p, s.rng
	trace, err := s.next()
	if err != nil {
		return fmt.Errorf("tb/nic_transport: traffic: %w", err)
	}
	s.program = nil
	s.renew(trace.Conns)
	for i := range s.side {
		s.side[i] = source{s: s.side[i].s}
		s.stall[i] = pattern{}
		if s.hostile {
			s.side[i].gaps, s.stall[i] = s.pattern(), s.pattern()
		}
	}
	templates := map[int]bool{}
	limit := [2]uint64{userBits(p.TxUserBits - 1), userBits(p.RxUserBits - 1)}
	for i := range trace.Frames {
		f := &trace.Frames[i]
		to := rx
		if f.Dir == capture.TX {
			to = tx
		}
		if p.Profile == params.UET {
			f.Data = s.uet(f.Data)
		}
		x := frame{bytes: f.Data, order: i, tag: rng.Uint64() & limit[to]}
		if t, ok := s.template(f.Data); ok && p.List > 0 && to == tx && f.Kind == traffic.Conversation && !templates[f.Conn] {
			templates[f.Conn] = true
			for k, w := range t {
				s.give("feedback.s_template", "conn", uint64(f.Conn), "word", uint64(k), "data", uint64(w))
			}
		} else if ok && p.List > 0 && to == rx && rng.IntN(8) == 0 {
			x.bytes, _ = t.Make(s.list())
		}
		if to == rx && rng.IntN(2) == 0 {
			if p.HasLAPS() {
				x.bytes = s.named(x.bytes)
			} else if p.HasINT() {
				x.bytes = s.telemetry(x.bytes)
			}
		}
		if s.hostile {
			x.bytes = s.spoil(x.bytes)
			x.bad = rng.IntN(50) == 0
		}
		s.side[to].frames = append(s.side[to].frames, x)
	}
	return s.err
}

// renew writes what software knows of the connections of the next conversation, in place of those before.
func (s *steadyTraffic) renew(conns []traffic.Conn) {
	p, rng := s.p, s.rng
	for _, k := range s.keys {
		list, err := s.places.Delete(k)
		if err != nil {
			s.err = err
			return
		}
		s.entries(list)
	}
	s.keys, s.conns = s.keys[:0], len(conns)
	if p.HasLAPS() && !s.began {
		s.laps(int(p.Connections))
	}
	for i, c := range conns {
		if i < s.most { // the others are as after a reset
			s.flush(uint64(i))
		}
		s.give("transport.s_profile", "conn", uint64(i), "word", uint64(s.role().Word()))
		if s.hostile && rng.IntN(2) == 0 {
			s.limits(uint64(i))
		}
		for _, x := range []struct {
			d  lookup.Direction
			qp uint32
		}{{lookup.Received, c.Sides[0].QP}, {lookup.Sent, c.Sides[1].QP}} {
			k, ok := s.key(c.Sides[1].IP, x.d, x.qp)
			if !ok || slices.Contains(s.keys, k) {
				continue
			}
			list, err := s.places.Insert(k, uint32(i))
			if err != nil {
				continue // no place
			}
			s.keys = append(s.keys, k)
			s.entries(list)
		}
	}
	s.most = max(s.most, len(conns))
	if s.hostile {
		s.setting("transport", "cfg_label_high", rng.Uint64N(16))
		s.setting("echo", "cfg_ecn_or", rng.Uint64N(2))
		s.setting("gate", "cfg_stall_ns", []uint64{500, 5000, 50_000}[rng.IntN(3)])
		s.setting("queue", "cfg_quota", []uint64{4, 64, 1024, 8192}[rng.IntN(4)])
		longest := uint64(9214)
		if rng.IntN(8) == 0 {
			longest = 600
		}
		s.setting("parse_tx", "cfg_max_frame", longest)
		s.setting("parse_rx", "cfg_max_frame", longest)
	}
}

// role is the profile of a connection: a random one, or all of queue and path.
func (s *steadyTraffic) role() model.Profile {
	if s.hostile {
		return s.profile()
	}
	return model.Profile{Queue: true, Path: true, EchoTX: true, ECNOn: true, ECN: 2, Dst: s.dst()}
}

// meddleEvery is the mean number of cycles between such changes.
const meddleEvery = 200

// meddle returns software's possible changes within a conversation: another profile, window
// or rate.
func (s *steadyTraffic) meddle() {
	conn := s.rng.Uint64N(uint64(s.conns))
	if s.restless || s.rng.IntN(2) == 0 {
		s.give("transport.s_profile", "conn", conn, "word", uint64(s.profile().Word()))
	} else {
		s.limits(conn)
	}
}

// open opens windows and rates, and shortens the stall rule, for rings that are full: all that waits leaves.
func (s *steadyTraffic) open() {
	s.program = nil
	s.setting("gate", "cfg_stall_ns", 500)
	for i := range s.most {
		s.command("gate.s_window", "conn", uint64(i), "bytes", uint64(1)<<s.p.Gate().ByteBits-1)
		s.command("pace.s_rate", "conn", uint64(i), "inv", uint64(1))
	}
}

// read reads the counters that are compared.
func (s *steadyTraffic) read() {
	s.program = nil
	for _, name := range counted(s.p) {
		at, err := s.m.Find(name)
		if err != nil {
			s.err = err
			return
		}
		s.program = append(s.program, access{address: at.Address(), read: true})
	}
}

// Next implements cosim.Stimulus.
func (s *steadyTraffic) Next(in []uint64) {
	x := s.pins
	s.clock(in)
	if s.phase == resetting {
		x.rst.Raise(in)
		return
	}
	if s.phase > clearing {
		if s.hostile && s.phase == talking && len(s.program) == 0 && (s.restless || s.rng.IntN(meddleEvery) == 0) {
			s.meddle()
		}
		s.access(in)
	}
	for i, r := range []*stream{&x.wireTX, &x.hostRX} {
		if s.phase != talking || !s.stall[i].next(s.rng) {
			r.ready.Raise(in)
		}
	}
	if s.phase == talking {
		s.offer(in)
	}
}

func (s *steadyTraffic) react(got []uint64) {
	x := s.pins
	if s.phase <= clearing {
		if s.left--; s.left <= 0 {
			s.begin(s.phase + 1)
		}
		return
	}
	if e := x.trace["enter"]; e.valid.On(got) && e.get(got, "dropped") == 0 {
		s.held++
	}
	if x.trace["release"].valid.On(got) {
		s.held--
	}
	s.still++
	if x.wireTX.valid.On(got) || x.hostRX.valid.On(got) {
		s.still = 0
	}
	for _, e := range s.events {
		if e.valid.On(got) {
			s.still = 0
		}
	}
	done := s.accessed(got)
	switch s.phase {
	case programming:
		if done {
			s.began = true
			s.begin(talking)
		}
	case talking:
		if s.taken(got) && done {
			s.open()
			s.begin(opening)
		}
	case opening:
		if done {
			s.begin(draining)
		}
	case draining:
		if s.held == 0 && s.still > Settled+512 {
			s.read()
			s.begin(reading)
		}
	case reading:
		if done {
			s.begin(programming)
			if err := s.conversation(); err != nil {
				panic(err) // the first one was made
			}
		}
	}
}
