// SPDX-License-Identifier: Apache-2.0

// Package powertcp is the bench of the PowerTCP window unit: the stimulus that looks
// for trouble, the golden model behind the unit's ports, and the coverage points.
package powertcp

import (
	_ "embed" // the assertions

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/powertcp"
	model "github.com/nicgen/nicgen/model/powertcp"
	"github.com/nicgen/nicgen/tb/bench"
)

// assertions are attached to the unit by bind: what must hold at its ports whatever
// the golden model says.
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

// maxHops is the largest number of hops that a unit looks at.
const maxHops = 8

// pins are the places of the unit's ports in the vectors. Those that a variant does
// not have are zero.
type pins struct {
	rst, now                                  bench.Pin
	ackValid, ackConn, seq, sndNxt            bench.Pin
	theta, path, hopCnt                       bench.Pin
	hop, rate, time, bytes, qlen              bench.Pin // of all hops that enter in a cycle
	rttValid, rtt                             bench.Pin
	flushValid, flushConn                     bench.Pin
	rateValid, rateReady, rateCode, rateEntry bench.Pin
	cfg                                       [settings]bench.Pin
	ready, ackReady, flushReady               bench.Pin
	winValid, winConn, window, winHop         bench.Pin
	pace, norm, power, cause                  bench.Pin
	counter                                   []bench.Pin
	corrected                                 []bench.Pin // what tells of upsets; none without state protection

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

// has tells whether a variant has a setting.
func has(p *params.Params, setting int) bool {
	switch setting {
	case setTauM, setTauE:
		return p.HasINT()
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
	ports := bench.NewPorts(unitName, l)
	at := ports.Pin
	x := &pins{
		rst: at("rst"), ready: at("sts_ready"),
		ackValid: at("s_ack_valid"), ackReady: at("s_ack_ready"), ackConn: at("s_ack_conn"),
		seq: at("s_ack_seq"), sndNxt: at("s_ack_snd_nxt"), path: at("s_ack_path"),
		flushValid: at("s_flush_valid"), flushReady: at("s_flush_ready"), flushConn: at("s_flush_conn"),
		winValid: at("m_win_valid"), winConn: at("m_win_conn"), window: at("m_win_bytes"), pace: at("m_win_rate"),
		norm: at("m_win_norm"), power: at("m_win_power"), cause: at("m_win_cause"),
	}
	if p.HasINT() {
		x.hopCnt, x.winHop = at("s_ack_hop_cnt"), at("m_win_hop")
		x.rateValid, x.rateReady, x.rateCode, x.rateEntry = at("s_rate_valid"), at("s_rate_ready"), at("s_rate_code"), at("s_rate_entry")
		x.telemetry(p, at)
	}
	if p.HasTheta() {
		x.now, x.rttValid, x.rtt = at("now_ns"), at("s_ack_rtt_valid"), at("s_ack_rtt_ns")
	}
	if p.Variant == params.Both {
		x.theta = at("s_ack_theta")
	}
	for i, name := range settingNames {
		if has(p, i) {
			x.cfg[i] = at(name)
		}
	}
	for _, c := range p.CounterNames() {
		x.counter = append(x.counter, at("sts_"+c+"_cnt"))
	}
	if p.Protection == params.Triple {
		x.corrected = []bench.Pin{at("evt_corrected"), at("sts_corrected_cnt")}
	}
	return x, ports.Err()
}

// telemetry finds the fields of each hop that enters in a cycle.
func (x *pins) telemetry(p *params.Params, at func(string) bench.Pin) {
	widths := [4]int{int(p.RateBits), int(p.TimeBits), int(p.TxBits), int(p.QlenBits)}
	all := [4]*bench.Pin{&x.rate, &x.time, &x.bytes, &x.qlen}
	word := p.HopFormat == params.Word
	if word {
		x.hop = at("s_ack_hop")
	} else {
		for i, name := range []string{"rate", "time", "bytes", "qlen"} {
			*all[i] = at("s_ack_hop_" + name)
		}
	}
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
