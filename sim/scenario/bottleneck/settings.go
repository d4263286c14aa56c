// SPDX-License-Identifier: Apache-2.0

package bottleneck

import "fmt"

// Unit is the one whose transport the scenarios are for.
const Unit = "powertcp"

// Variant is an algorithm of PowerTCP.
type Variant string

// Variants.
const (
	INT   Variant = "int"   // Algorithm 1: telemetry
	Theta Variant = "theta" // Algorithm 2: round-trip times
)

// Settings are the settings of the unit's transport, which Words puts into words.
type Settings struct {
	Variant      Variant `json:"variant"`
	EveryAck     bool    `json:"theta_every_ack"`             // θ: a window with every acknowledgement, not one a round trip
	ObservedBase bool    `json:"base_rtt_observed,omitempty"` // INT: τ is the least round-trip time of the path, at most Tau
	Gamma        float64 `json:"gamma"`                       // γ
	Beta         float64 `json:"beta_bytes"`                  // β, in bytes
	Tau          float64 `json:"tau_ns"`                      // τ, in ns
	TargetUtil   float64 `json:"target_utilisation"`          // fraction of a link's rate
	LambdaFloor  float64 `json:"lambda_floor"`                // fraction of a link's rate
	MinWindow    float64 `json:"min_window_bytes"`            // bytes
	MaxWindow    float64 `json:"max_window_bytes"`            // bytes
}

// Words are the settings as transport.Host has them.
func (s Settings) Words() string {
	words := fmt.Sprintf("variant=%s gamma=%v beta=%v tau=%v target=%v floor=%v min=%v max=%v",
		s.Variant, s.Gamma, s.Beta, s.Tau, s.TargetUtil, s.LambdaFloor, s.MinWindow, s.MaxWindow)
	if s.EveryAck {
		words += " theta_update=ack"
	}
	if s.ObservedBase {
		words += " base_rtt=observed"
	}
	return words
}

// ParameterSet is a choice of the two settings in which the published text and
// the authors' simulations differ.
type ParameterSet struct {
	Name       string
	Beta       float64 // bytes
	TargetUtil float64 // fraction of the link's rate
}

// Sets are the compared parameter sets: the one of the paper's figures, the same with
// target utilisation 1, and the formula of the paper's text for ten flows.
var Sets = []ParameterSet{
	{"figures", 543, 0.95},
	{"full target", 543, 1},
	{"text, N = 10", gbits / 8 * tau / 10, 1},
}

// The set-up of the paper's figures.
const (
	gbits   = 25.    // Gb/s
	tau     = 28_960 // ns: the longest round-trip of 256 hosts
	segment = 1000   // bytes
)

// NewSettings returns the settings of the paper's simulations with a parameter set.
func NewSettings(v Variant, p ParameterSet) Settings {
	return Settings{Variant: v, Gamma: 0.9, Beta: p.Beta, Tau: tau, TargetUtil: p.TargetUtil, LambdaFloor: 0.5,
		MinWindow: segment, MaxWindow: gbits / 8 * tau}
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

// Variants returns the values that ParseVariants takes.
func Variants() []string { return []string{string(INT), string(Theta), BothCompared} }

// BothCompared selects both variants, one after the other.
const BothCompared = "both-compared"
