// SPDX-License-Identifier: Apache-2.0

// Package sim is a packet-level model of one bottleneck link: hosts that send
// under a window and a pacing rate, the egress queue of a switch that puts
// telemetry into each packet as it leaves, and a receiver that acknowledges each
// packet. A Controller computes the window of every sender: the float64 model of a
// paper, a golden model, or RTL. The package imports only the first of them.
//
// A run depends only on its scenario, its settings and its controller.
package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Hop is the telemetry that an egress port writes into a packet when the packet
// leaves its queue.
type Hop struct {
	QLen uint64 // bytes queued behind the packet
	Tx   uint64 // bytes that the port sent before the packet; does not wrap
	TS   uint64 // time in ns; does not wrap
	Rate int    // link-rate code, an index of LinkRates
}

// LinkRates gives the rate of a link in bytes per ns by its link-rate code; 0 marks
// an unused code. The codes are those of the HPCC header.
var LinkRates = [8]float64{3.125, 6.25, 12.5, 25, 50, 0, 0, 5}

// Ack is one acknowledgement as it reaches the sender. Counters and times do not
// wrap: a hardware controller truncates them to its widths.
type Ack struct {
	Conn   uint32 // connection, from 0
	Seq    uint32 // next byte that the receiver expects
	SndNxt uint32 // next byte that the sender will send
	Path   uint16 // identifier of the path
	Hops   []Hop  // in path order; valid during the call
	RTT    uint64 // round-trip time of the packet, in ns
	Now    uint64 // time of arrival, in ns
}

// Window limits a sender.
type Window struct {
	Bytes float64 // bytes that may be unacknowledged
	Rate  float64 // pacing rate in bytes per ns
}

// Controller computes windows. It keeps the state of all connections, each of
// which starts with Settings.First.
type Controller interface {
	// Ack takes an acknowledgement and returns the new window. Calls are in order
	// of time. An error ends the run.
	Ack(a *Ack) (Window, error)
}

// Variant is an algorithm of PowerTCP.
type Variant string

// Variants.
const (
	INT   Variant = "int"   // Algorithm 1: telemetry
	Theta Variant = "theta" // Algorithm 2: round-trip times
)

// Settings configure a controller.
type Settings struct {
	Variant      Variant `json:"variant"`
	EveryAck     bool    `json:"theta_every_ack"`             // θ: a window with every acknowledgement, not one a round trip
	ObservedBase bool    `json:"base_rtt_observed,omitempty"` // INT: τ is the least round-trip time of the path, at most Tau
	Connections  int     `json:"connections"`                 // Ack.Conn is below it
	Hops         int     `json:"hops"`                        // most hops in an acknowledgement
	Gamma        float64 `json:"gamma"`                       // γ
	Beta         float64 `json:"beta_bytes"`                  // β, in bytes
	Tau          float64 `json:"tau_ns"`                      // τ, in ns
	TargetUtil   float64 `json:"target_utilisation"`          // fraction of a link's rate
	LambdaFloor  float64 `json:"lambda_floor"`                // fraction of a link's rate
	MinWindow    float64 `json:"min_window_bytes"`            // bytes
	MaxWindow    float64 `json:"max_window_bytes"`            // bytes
}

// First is the window of a connection before its first acknowledgement.
func (s Settings) First() Window { return Window{Bytes: s.MaxWindow, Rate: s.MaxWindow / s.Tau} }

// ParameterSet is a choice of the two settings in which the published text and
// the authors' simulations differ.
type ParameterSet struct {
	Name       string
	Beta       float64 // bytes
	TargetUtil float64 // fraction of the link's rate
}

// Sets are the parameter sets that are compared: that of the paper's figures, the
// same with target utilisation 1, and the formula of the paper's text for ten flows.
var Sets = []ParameterSet{
	{"figures", 543, 0.95},
	{"full target", 543, 1},
	{"text, N = 10", hostRate * tau / 10, 1},
}

// The set-up of the paper's figures.
const (
	hostRate = 3.125  // bytes per ns: 25 Gb/s
	hostCode = 0      // link-rate code of hostRate
	tau      = 28_960 // ns: the longest round-trip of 256 hosts
	segment  = 1000   // bytes
)

// NewSettings returns the settings of the paper's simulations for a scenario and a
// parameter set.
func NewSettings(v Variant, p ParameterSet, sc *Scenario) Settings {
	return Settings{Variant: v, Connections: len(sc.Flows), Hops: 1, Gamma: 0.9, Beta: p.Beta, Tau: tau,
		TargetUtil: p.TargetUtil, LambdaFloor: 0.5, MinWindow: segment, MaxWindow: hostRate * tau}
}

// Model names the implementation behind a Controller.
type Model string

// Models, from the paper to the hardware.
const (
	Float  Model = "float"  // the paper's algorithm in float64
	Golden Model = "golden" // the golden model: the hardware's integers
	RTL    Model = "rtl"    // the RTL itself
)

// Models are all models, from the paper to the hardware.
var Models = []Model{Float, Golden, RTL}

// A Maker makes a unit's controller for the model Golden or RTL, and returns an error
// for any other model. A controller that is an io.Closer is closed after its run. The
// context can cancel the compilation of RTL and the run.
type Maker func(ctx context.Context, m Model, s Settings) (Controller, error)

// Lockstep returns a controller that gives each acknowledgement to two others and
// returns the first one's window. It fails with a *Difference as soon as the two
// windows differ.
func Lockstep(first Controller, firstName string, second Controller, secondName string) Controller {
	return &lockstep{[2]Controller{first, second}, [2]string{firstName, secondName}, 0}
}

type lockstep struct {
	controllers [2]Controller
	names       [2]string
	acks        uint64
}

// Difference is the error of two controllers that return different windows.
type Difference struct {
	Acks    uint64 // acknowledgements on which they agreed
	Ack     Ack    // the next one
	Names   [2]string
	Windows [2]Window
}

// Error names the acknowledgement and both windows.
func (d *Difference) Error() string {
	return fmt.Sprintf("after %d equal windows: acknowledgement %d of connection %d at %d ns: %s gives %v bytes and %v bytes/ns, %s %v bytes and %v bytes/ns",
		d.Acks, d.Ack.Seq, d.Ack.Conn, d.Ack.Now, d.Names[0], d.Windows[0].Bytes, d.Windows[0].Rate, d.Names[1], d.Windows[1].Bytes, d.Windows[1].Rate)
}

// Ack implements Controller.
func (b *lockstep) Ack(a *Ack) (Window, error) {
	var w [2]Window
	for i, c := range b.controllers {
		var err error
		if w[i], err = c.Ack(a); err != nil {
			return Window{}, fmt.Errorf("%s: %w", b.names[i], err)
		}
	}
	if w[0] != w[1] {
		d := &Difference{b.acks, *a, b.names, w}
		d.Ack.Hops = slices.Clone(a.Hops)
		return Window{}, d
	}
	b.acks++
	return w[0], nil
}

// ParseVariants returns the variants that a flag's value selects: int, theta, or
// both-compared.
func ParseVariants(s string) ([]Variant, error) {
	switch s {
	case string(INT), string(Theta):
		return []Variant{Variant(s)}, nil
	case BothCompared:
		return []Variant{INT, Theta}, nil
	}
	return nil, fmt.Errorf("variant: found %q, allowed: %s, %s or %s", s, INT, Theta, BothCompared)
}

// BothCompared selects both variants, one after the other.
const BothCompared = "both-compared"

// legal refuses a window that would stop a sender.
func (w Window) legal() error {
	var bad []string
	for _, v := range []struct {
		name  string
		value float64
	}{{"bytes", w.Bytes}, {"rate", w.Rate}} {
		if !(v.value > 0) || math.IsInf(v.value, 0) {
			bad = append(bad, fmt.Sprintf("%s: found %v, allowed: a finite number above 0", v.name, v.value))
		}
	}
	if bad != nil {
		return errors.New("window: " + strings.Join(bad, ", "))
	}
	return nil
}
