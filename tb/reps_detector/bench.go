// SPDX-License-Identifier: Apache-2.0

// Package repsdetector is the bench of the REPS failure detector: the stimulus
// that looks for trouble, the golden model behind the unit's ports, and the
// coverage points.
package repsdetector

import (
	_ "embed"
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps_detector"
)

//go:embed nic_reps_detector_sva.sv
var assertions string

// Bench drives one configuration of the unit.
type Bench struct {
	P *params.Params
	// Override, if set, is passed to the top module as SystemVerilog parameters;
	// P must then describe the overridden configuration and Emitted the emitted.
	Override map[string]string
	Emitted  *params.Params
	// Edit, if set, changes the emitted text before it is compiled: planted bugs.
	Edit func(name, text string) string

	source cosim.Source
}

// New returns the bench of a configuration, which must be a valid *params.Params.
func New(cfg gen.Config) (cosim.Bench, error) {
	p, ok := cfg.(*params.Params)
	if !ok {
		return nil, fmt.Errorf("tb/reps_detector: configuration of unit %s, want reps_detector", cfg.Unit())
	}
	b := &Bench{P: p}
	return b, b.Prepare()
}

// Prepare generates the RTL. New has done it; a Bench literal needs it.
func (b *Bench) Prepare() error {
	p := b.P
	if b.Emitted != nil {
		p = b.Emitted
	}
	files, err := p.Files()
	if err != nil {
		return err
	}
	b.source = cosim.Source{Top: p.Top(), Params: b.Override}
	for _, f := range files {
		if b.Edit != nil {
			f.Text = b.Edit(f.Name, f.Text)
		}
		b.source.Files = append(b.source.Files, cosim.File(f))
	}
	b.source.Bind = []cosim.File{{Name: "nic_reps_detector_sva.sv", Text: assertions}}
	return nil
}

// Source implements cosim.Bench.
func (b *Bench) Source() cosim.Source { return b.source }

// NewPredictor implements cosim.Bench.
func (b *Bench) NewPredictor(l *cosim.Layout) (cosim.Predictor, error) {
	return newPredictor(b.P, l)
}

// NewBarePredictor implements cosim.Bare.
func (b *Bench) NewBarePredictor(l *cosim.Layout) (cosim.Predictor, error) {
	p, err := newPredictor(b.P, l)
	if err != nil {
		return nil, err
	}
	p.bare = true
	return p, nil
}

// NewStimulus implements cosim.Bench.
func (b *Bench) NewStimulus(l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	return newStimulus(b.P, l, seed)
}

// Points implements cosim.Bench.
func (b *Bench) Points() []cosim.Point { return points(b.P) }

// Measure keeps the settings still and the traffic legal while the speed of the
// unit is measured: all events toggle, over all connections.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	conn := uint64(1)<<(p.ConnIdxBits()-1) - 1 // below connections whatever that is
	if p.Connections == 1<<p.ConnIdxBits() {
		conn = uint64(p.Connections - 1)
	}
	return cosim.MeasureOptions{
		Idle: uint64(p.Connections) + 2,
		Fixed: map[string]uint64{
			"cfg_trimming": 0, "cfg_rtt_threshold_ns": uint64(1) << (p.RTTBits - 1), "cfg_window_ns": uint64(1) << (p.TimerBits - 1), "rst": 0,
		},
		Mask: map[string]uint64{"s_rtt_conn": conn, "s_timeout_conn": conn, "s_flush_conn": conn},
	}
}

// pins are the places of the unit's ports in the vectors.
type pins struct {
	rst, now                    cosim.Slot
	rttValid, rttConn, rtt      cosim.Slot
	timeoutValid, timeoutConn   cosim.Slot
	flushValid, flushConn       cosim.Slot
	trimming, threshold, window cosim.Slot

	ready, flushReady   cosim.Slot
	valid, conn, cause  cosim.Slot
	failValid, failConn cosim.Slot
	evtIllegal          cosim.Slot
	counter             [7]cosim.Slot
}

func newPins(l *cosim.Layout) (*pins, error) {
	var missing error
	at := func(name string) cosim.Slot {
		s, ok := l.Slot(name)
		if !ok && missing == nil {
			missing = fmt.Errorf("tb/reps_detector: the module has no port %s", name)
		}
		return s
	}
	x := &pins{
		rst: at("rst"), now: at("now_ns"),
		rttValid: at("s_rtt_valid"), rttConn: at("s_rtt_conn"), rtt: at("s_rtt_ns"),
		timeoutValid: at("s_timeout_valid"), timeoutConn: at("s_timeout_conn"),
		flushValid: at("s_flush_valid"), flushConn: at("s_flush_conn"),
		trimming: at("cfg_trimming"), threshold: at("cfg_rtt_threshold_ns"), window: at("cfg_window_ns"),
		ready: at("sts_ready"), flushReady: at("s_flush_ready"),
		valid: at("m_timeout_valid"), conn: at("m_timeout_conn"), cause: at("m_timeout_cause"),
		failValid: at("m_fail_valid"), failConn: at("m_fail_conn"), evtIllegal: at("evt_illegal"),
	}
	for i, c := range params.CounterNames {
		x.counter[i] = at("sts_" + c + "_cnt")
	}
	return x, missing
}
