// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"errors"
	"fmt"
	"math"
)

// PaperMaxHops is the most hops of an acknowledgement in the float64 model.
const PaperMaxHops = 16

// PaperSettings are the settings of the float64 model.
type PaperSettings struct {
	Gamma       float64 // γ, weight of the new window: above 0, at most 1
	Beta        float64 // β, additive increase in bytes: at least 0
	Tau         float64 // τ, base round-trip time in ns: above 0
	TargetUtil  float64 // target utilisation of a link: above 0, at most 1
	LambdaFloor float64 // lower bound of the current, as a fraction of the link's rate: at least 0
	MinWindow   float64 // least window in bytes: above 0
	MaxWindow   float64 // largest window in bytes, and the initial one: at least MinWindow

	Observed bool // INT: τ is the least round-trip time of the path, as with θ (P20)
	EveryAck bool // θ: power and window follow every acknowledgement, not one per round trip (T2)

	TxBits   int // the bytes sent by a port wrap at 2^TxBits bytes; 0 means 64
	TimeBits int // a hop's time wraps at 2^TimeBits ns; 0 means 64
	NowBits  int // the time of an acknowledgement wraps at 2^NowBits ns; 0 means 64

	// Literal follows lines 16 to 24 of Algorithm 1 literally: hops are compared and smoothed by
	// power that is not normalised, and nothing has a floor. It shows why the resolved algorithm
	// differs. In PaperThetaStep it only drops the floor.
	Literal bool
}

// Check returns every setting outside its range, or nil.
func (s PaperSettings) Check() error {
	var errs []error
	rule := func(ok bool, name string, found any, allowed string) {
		if !ok {
			errs = append(errs, fmt.Errorf("%s: found %v, allowed: %s", name, found, allowed))
		}
	}
	rule(s.Gamma > 0 && s.Gamma <= 1, "gamma", s.Gamma, "above 0, at most 1")
	rule(s.Beta >= 0 && !math.IsInf(s.Beta, 0), "beta", s.Beta, "a finite number of bytes from 0")
	rule(s.Tau > 0 && !math.IsInf(s.Tau, 0), "tau", s.Tau, "a finite number of ns above 0")
	rule(s.TargetUtil > 0 && s.TargetUtil <= 1, "target utilisation", s.TargetUtil, "above 0, at most 1")
	// Without a floor a draining queue divides by zero.
	rule(s.Literal || s.LambdaFloor > 0 && !math.IsInf(s.LambdaFloor, 0), "lambda floor", s.LambdaFloor, "a finite number above 0")
	rule(s.MinWindow > 0 && !math.IsInf(s.MinWindow, 0), "minimum window", s.MinWindow, "a finite number of bytes above 0")
	rule(s.MaxWindow >= s.MinWindow && !math.IsInf(s.MaxWindow, 0), "maximum window", s.MaxWindow, "a finite number of bytes from the minimum window")
	for _, b := range []struct {
		name string
		bits int
	}{{"bits of bytes sent", s.TxBits}, {"bits of a hop's time", s.TimeBits}, {"bits of the time", s.NowBits}} {
		rule(b.bits >= 0 && b.bits <= 64, b.name, b.bits, "0 to 64")
	}
	return errors.Join(errs...)
}

// PaperHop is the telemetry of one egress port.
type PaperHop struct {
	QLen uint64  // queue length in bytes
	Tx   uint64  // bytes sent since some start, below 2^TxBits
	TS   uint64  // time of the sample in ns, below 2^TimeBits
	Rate float64 // rate of the link in bytes per ns, above 0
}

// PaperAck is one acknowledgement of a connection.
type PaperAck struct {
	Seq    uint32     // sequence number that is acknowledged, in bytes
	SndNxt uint32     // next sequence number that the sender will use, in bytes
	Path   uint32     // identity of the path that the telemetry is of
	Hops   []PaperHop // at most PaperMaxHops; PaperThetaStep ignores them
	RTT    uint64     // round-trip time in ns, 0 without a sample; PaperStep uses it if Observed is set
	Now    uint64     // time of arrival in ns; PaperStep ignores it
}

// PaperState is the float64 model's state of a connection. It is a plain
// value: a test can fill it in from the state of another model.
type PaperState struct {
	Have      bool    // the fields below Marker hold a sample
	Power     float64 // smoothed normalised power
	Window    float64 // bytes
	OldWindow float64 // the window a round-trip ago, in bytes
	Marker    uint32  // sequence number at which the round-trip under way ends

	Path uint32                 // INT: path of the last acknowledgement
	N    int                    // INT: its number of hops
	Prev [PaperMaxHops]PaperHop // INT: the last sample of each hop that had a new time

	Tau     float64 // θ, and INT with Observed: least round-trip time seen, at most PaperSettings.Tau; in ns
	PrevRTT uint64  // θ: round-trip time at the last update, in ns
	PrevNow uint64  // θ: time of the last update, in ns
}

// PaperEvent is the effect of an acknowledgement.
type PaperEvent int

const (
	PaperStored      PaperEvent = iota // the first one: stored, the window is unchanged
	PaperPathChanged                   // path or number of hops differ: as the first one
	PaperSkipped                       // θ: within the round trip, no sample, or no time has passed: at most Tau changed
	PaperKept                          // INT: no hop had a new time: the window was updated from the previous power
	PaperUpdated                       // power and window were updated
)

// String returns the event's name.
func (e PaperEvent) String() string {
	names := [...]string{"stored", "path changed", "skipped", "kept", "updated"}
	if e < 0 || int(e) >= len(names) {
		return fmt.Sprintf("event %d", int(e))
	}
	return names[e]
}

// PaperResult is the answer to an acknowledgement.
type PaperResult struct {
	Event   PaperEvent
	Window  float64 // bytes, within the bounds
	Unbound float64 // bytes, before the bounds were applied; Window without an update
	Rate    float64 // pacing rate in bytes per ns
	Power   float64 // smoothed power
	Norm    float64 // normalised power of the hop that was used, or 0
	Hop     int     // index of that hop, 0 for θ; -1 if there was none
}

// PaperStart returns the state of a new connection: with the whole bandwidth-delay product as
// window, and power 1.
func PaperStart(s PaperSettings) PaperState {
	return PaperState{Power: 1, Window: s.MaxWindow, OldWindow: s.MaxWindow, Tau: s.Tau}
}

// PaperStep implements Algorithm 1 of PowerTCP with decisions P1 to P19: it returns the state after
// one acknowledgement, and the result. Settings must be such that Check accepts them. It panics if
// the acknowledgement has more than PaperMaxHops hops.
func PaperStep(st PaperState, a PaperAck, s PaperSettings) (PaperState, PaperResult) {
	if len(a.Hops) > PaperMaxHops {
		panic(fmt.Sprintf("powertcp: %d hops, allowed: 0 to %d", len(a.Hops), PaperMaxHops))
	}
	again := !st.Have || st.N != len(a.Hops) || st.Path != a.Path
	if s.Observed { // P20
		if again {
			st.Tau = s.Tau
		}
		if a.RTT > 0 {
			st.Tau = min(st.Tau, float64(a.RTT))
		}
		s.Tau = st.Tau
	}
	if again {
		event := PaperStored
		if st.Have {
			event = PaperPathChanged
		}
		st.Have, st.N, st.Path, st.Marker = true, len(a.Hops), a.Path, a.SndNxt
		st.Prev = [PaperMaxHops]PaperHop{}
		copy(st.Prev[:], a.Hops)
		return st, unchanged(event, st, s.Tau)
	}
	r := PaperResult{Event: PaperKept, Hop: -1}
	var greatest, span float64 // key by which hops are compared, and the chosen hop's dt
	for i, h := range a.Hops {
		prev := st.Prev[i]
		dt := float64(modulo(h.TS-prev.TS, s.TimeBits))
		if dt == 0 {
			continue
		}
		st.Prev[i] = h
		arrived := float64(modulo(h.Tx-prev.Tx, s.TxBits)) + float64(int64(h.QLen-prev.QLen))
		lambda := arrived / dt
		if !s.Literal {
			lambda = max(lambda, s.LambdaFloor*h.Rate)
		}
		voltage := float64(h.QLen) + float64(h.Rate*s.Tau)
		power := lambda * voltage
		norm := power / (h.Rate * h.Rate * s.Tau)
		key := norm
		if s.Literal {
			key = power
		}
		if key > greatest {
			greatest, span = key, min(dt, s.Tau)
			r.Hop, r.Norm = i, norm
		}
	}
	if r.Hop >= 0 {
		r.Event = PaperUpdated
		st.Power = smooth(st.Power, greatest, span, s.Tau)
	}
	r.Unbound = update(st, s)
	st.Window = min(max(r.Unbound, s.MinWindow), s.MaxWindow)
	r.Window, r.Power, r.Rate = st.Window, st.Power, st.Window/s.Tau
	if int32(a.Seq-st.Marker) > 0 {
		st.OldWindow, st.Marker = st.Window, a.SndNxt
	}
	return st, r
}

// PaperThetaStep implements Algorithm 2 of PowerTCP with decisions T1 to T10: it returns the state
// after one acknowledgement, and the result. An acknowledgement of another path counts as a first
// one, because the least round-trip time belongs to a path. Settings must be such that Check
// accepts them.
func PaperThetaStep(st PaperState, a PaperAck, s PaperSettings) (PaperState, PaperResult) {
	if a.RTT == 0 {
		return st, unchanged(PaperSkipped, st, st.Tau)
	}
	if st.Have && st.Path != a.Path {
		st.Tau = s.Tau
	}
	st.Tau = min(st.Tau, float64(a.RTT))
	if !st.Have || st.Path != a.Path {
		event := PaperStored
		if st.Have {
			event = PaperPathChanged
		}
		if !st.Have { // T4: the next acknowledgement updates
			st.Marker = a.Seq
		}
		st.Have, st.Path = true, a.Path
		st.PrevRTT, st.PrevNow = a.RTT, a.Now
		return st, unchanged(event, st, st.Tau)
	}
	dt := float64(modulo(a.Now-st.PrevNow, s.NowBits))
	over := int32(a.Seq-st.Marker) >= 0
	if !over && !s.EveryAck || dt == 0 {
		return st, unchanged(PaperSkipped, st, st.Tau)
	}
	current := 1 + float64(int64(a.RTT-st.PrevRTT))/dt
	if !s.Literal {
		current = max(current, s.LambdaFloor)
	}
	r := PaperResult{Event: PaperUpdated, Norm: current * float64(a.RTT) / st.Tau}
	st.Power = smooth(st.Power, r.Norm, min(dt, st.Tau), st.Tau)
	r.Unbound = update(st, s)
	st.Window = min(max(r.Unbound, s.MinWindow), s.MaxWindow)
	r.Window, r.Power, r.Rate = st.Window, st.Power, st.Window/st.Tau
	if over {
		st.OldWindow, st.Marker = st.Window, a.SndNxt
	}
	st.PrevRTT, st.PrevNow = a.RTT, a.Now
	return st, r
}

// PaperINT is the float64 model of one connection under Algorithm 1.
type PaperINT struct {
	Settings PaperSettings
	State    PaperState
}

// NewPaperINT returns a connection without acknowledgements. It refuses settings that Check
// refuses.
func NewPaperINT(s PaperSettings) (*PaperINT, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	return &PaperINT{s, PaperStart(s)}, nil
}

// Ack takes one acknowledgement; see PaperStep.
func (p *PaperINT) Ack(a PaperAck) (r PaperResult) {
	p.State, r = PaperStep(p.State, a, p.Settings)
	return r
}

// smooth weighs a new power by the part of τ that it covers. Here and below, the
// conversions of products forbid fused operations: results are the same on every
// processor.
func smooth(old, norm, span, tau float64) float64 {
	return (float64(old*(tau-span)) + float64(norm*span)) / tau
}

// update returns the control law, Eq. 2.16, without bounds.
func update(st PaperState, s PaperSettings) float64 {
	return float64(s.Gamma*(st.OldWindow*s.TargetUtil/st.Power+s.Beta)) + float64((1-s.Gamma)*st.Window)
}

// unchanged returns the result of an acknowledgement that left the window alone.
func unchanged(e PaperEvent, st PaperState, tau float64) PaperResult {
	return PaperResult{Event: e, Window: st.Window, Unbound: st.Window, Rate: st.Window / tau, Power: st.Power, Hop: -1}
}

// modulo cuts a difference to the width of its counter; 0 bits mean 64.
func modulo(d uint64, bits int) uint64 {
	if bits == 0 || bits >= 64 {
		return d
	}
	return d & (1<<bits - 1)
}
