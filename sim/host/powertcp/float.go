// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"fmt"

	model "github.com/nicgen/nicgen/model/powertcp"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/scenario/bottleneck"
	tbpowertcp "github.com/nicgen/nicgen/tb/powertcp"
)

// newFloat returns the controller of the float64 model of the paper. It refuses
// settings that the model refuses.
func newFloat(s Settings) (Controller, error) {
	p := model.PaperSettings{Gamma: s.Gamma, Beta: s.Beta, Tau: s.Tau, TargetUtil: s.TargetUtil,
		LambdaFloor: s.LambdaFloor, MinWindow: s.MinWindow, MaxWindow: s.MaxWindow, Observed: s.ObservedBase, EveryAck: s.EveryAck}
	if err := p.Check(); err != nil {
		return nil, err
	}
	f := &float{settings: p, step: model.PaperStep, state: make([]model.PaperState, s.Connections)}
	switch s.Variant {
	case bottleneck.INT:
	case bottleneck.Theta:
		f.step = model.PaperThetaStep
	default:
		return nil, fmt.Errorf("variant: found %q, allowed: %s or %s", s.Variant, bottleneck.INT, bottleneck.Theta)
	}
	for i := range f.state {
		f.state[i] = model.PaperStart(p)
	}
	return f, nil
}

type float struct {
	settings model.PaperSettings
	step     func(model.PaperState, model.PaperAck, model.PaperSettings) (model.PaperState, model.PaperResult)
	state    []model.PaperState
	hops     [model.PaperMaxHops]model.PaperHop
}

// Ack implements Controller.
func (f *float) Ack(a *tbpowertcp.Ack) (Window, error) {
	if int(a.Conn) >= len(f.state) {
		return Window{}, fmt.Errorf("connection: found %d, allowed: 0 to %d", a.Conn, len(f.state)-1)
	}
	if len(a.Hops) > len(f.hops) {
		return Window{}, fmt.Errorf("hops: found %d, allowed: 0 to %d", len(a.Hops), len(f.hops))
	}
	p := model.PaperAck{Seq: a.Seq, SndNxt: a.SndNxt, Path: uint32(a.Path), Hops: f.hops[:len(a.Hops)], RTT: a.RTT, Now: a.Now}
	for i, h := range a.Hops {
		if h.Rate < 0 || h.Rate >= len(fabric.LinkRates) || fabric.LinkRates[h.Rate] == 0 {
			return Window{}, fmt.Errorf("hop %d: link-rate code: found %d, allowed: a code of fabric.LinkRates that stands for a rate", i, h.Rate)
		}
		p.Hops[i] = model.PaperHop{QLen: h.QLen, Tx: h.Tx, TS: h.TS, Rate: fabric.LinkRates[h.Rate]}
	}
	var r model.PaperResult
	f.state[a.Conn], r = f.step(f.state[a.Conn], p, f.settings)
	return Window{Bytes: r.Window, Rate: r.Rate}, nil
}
