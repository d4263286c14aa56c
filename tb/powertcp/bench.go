// SPDX-License-Identifier: Apache-2.0

// Package powertcp is the bench of the PowerTCP window unit: constrained random
// stimulus, the golden model behind the unit's ports, and the coverage points.
package powertcp

import (
	_ "embed" // the assertions
	"errors"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/powertcp"
	model "github.com/nicgen/nicgen/model/powertcp"
	"github.com/nicgen/nicgen/tb/bench"
)

// assertions are attached to the unit by bind: invariants of its
// ports, independent of the golden model.
//
//go:embed nic_powertcp_sva.sv
var assertions string

const unitName = "powertcp"

// Unit makes benches of the PowerTCP window unit.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}

// New returns the bench of a configuration, which must be a valid *params.Params.
func New(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) }

// maxHops is the largest number of hops that a unit can use.
const maxHops = 16

// maxAckHops is the largest number of hops that an ACK can name.
const maxAckHops = 1<<params.HopCntBits - 1

// pins are the places of the unit's ports in the vectors. Those that a variant does
// not have are zero.
type pins struct {
	rst                                       bench.Pin `port:"rst"`
	now                                       bench.Pin `optional:"now_ns"`
	ackValid, ackConn, seq, sndNxt            bench.Pin `port:"s_ack_valid s_ack_conn s_ack_seq s_ack_snd_nxt"`
	theta, hopCnt                             bench.Pin `optional:"s_ack_theta s_ack_hop_cnt"`
	path                                      bench.Pin `port:"s_ack_path"`
	hop, rate, time, bytes, qlen              bench.Pin `optional:"s_ack_hop s_ack_hop_rate s_ack_hop_time s_ack_hop_bytes s_ack_hop_qlen"` // of all hops that enter in a cycle
	rttValid, rtt                             bench.Pin `optional:"s_ack_rtt_valid s_ack_rtt_ns"`
	flushValid, flushConn                     bench.Pin `port:"s_flush_valid s_flush_conn"`
	rateValid, rateReady, rateCode, rateEntry bench.Pin `optional:"s_rate_valid s_rate_ready s_rate_code s_rate_entry"`
	cfg                                       [settings]bench.Pin
	ready, ackReady, flushReady               bench.Pin   `port:"sts_ready s_ack_ready s_flush_ready"`
	winValid, winConn, window                 bench.Pin   `port:"m_win_valid m_win_conn m_win_bytes"`
	winHop                                    bench.Pin   `optional:"m_win_hop"`
	pace, norm, power, cause                  bench.Pin   `port:"m_win_rate m_win_norm m_win_power m_win_cause"`
	counter                                   []bench.Pin `each:"sts_%s_cnt"`
	corrected, correctedCount                 bench.Pin   `optional:"evt_corrected sts_corrected_cnt"` // reports of upsets; none without state protection

	field [maxHops]fields // of each hop that enters in a cycle
}

// fields are the places of a hop's telemetry within the port that brings it.
type fields struct{ rate, time, bytes, qlen field }

// field is a part of a port.
type field struct {
	port *bench.Pin
	at   int // its lowest bit
	bits int
}

func (f *field) get(v []uint64) uint64    { return f.port.Bits(v, f.at, f.bits) }
func (f *field) put(v []uint64, x uint64) { f.port.PutBits(v, f.at, f.bits, x) }

// The run-time settings, each a port.
const (
	setGamma = iota
	setBeta
	setTauM
	setTauE
	setTau
	setMin
	setMax
	setInit
	setFloor
	setTarget
	settings
)

var settingNames = [settings]string{"cfg_gamma", "cfg_beta", "cfg_inv_tau_m", "cfg_inv_tau_e", "cfg_tau_ns",
	"cfg_min_window", "cfg_max_window", "cfg_init_power", "cfg_theta_floor", "cfg_inv_target"}

// has reports whether a variant has a setting.
func has(p *params.Params, setting int) bool {
	switch setting {
	case setTauM, setTauE:
		return p.HasINT() && !p.Observes()
	case setFloor, setTarget:
		return p.HasTheta()
	}
	return true
}

// apply hands the value of a setting's port to the model.
func apply(s *model.Settings, setting int, x uint64) {
	v := uint32(x)
	switch setting {
	case setGamma:
		s.Gamma = v
	case setBeta:
		s.Beta = v
	case setTauM:
		s.InvTau.M = v
	case setTauE:
		s.InvTau.E = int(v)
	case setTau:
		s.Tau = v
	case setMin:
		s.MinWindow = v
	case setMax:
		s.MaxWindow = v
	case setInit:
		s.InitPower = v
	case setFloor:
		s.ThetaFloor = v
	case setTarget:
		s.InvTarget = v
	}
}

func newPins(p *params.Params, l *cosim.Layout) (*pins, error) {
	x := &pins{}
	err := bench.Bind(unitName, l, x, p.CounterNames()...)
	ports := bench.NewPorts(unitName, l)
	for i, name := range settingNames {
		if has(p, i) {
			x.cfg[i] = ports.Pin(name)
		}
	}
	if p.HasINT() {
		x.telemetry(p)
	}
	return x, errors.Join(err, ports.Err())
}

// telemetry finds the fields of each hop that enters in a cycle.
func (x *pins) telemetry(p *params.Params) {
	widths := [4]int{int(p.RateBits), int(p.TimeBits), int(p.TxBits), int(p.QlenBits)}
	all := [4]*bench.Pin{&x.rate, &x.time, &x.bytes, &x.qlen}
	word := p.HopFormat == params.Word
	for lane := range int(p.Lanes()) {
		f := &x.field[lane]
		low := lane * int(p.WordBits())
		for i, to := range []*field{&f.rate, &f.time, &f.bytes, &f.qlen} {
			if word {
				*to = field{&x.hop, low, widths[i]}
				low += widths[i]
			} else {
				*to = field{all[i], lane * widths[i], widths[i]}
			}
		}
	}
}
