// SPDX-License-Identifier: Apache-2.0

package cosim

// A Bench is what tb/<unit> gives the engine: where the RTL comes from, how to
// stimulate it, what it must answer, and what a run has to reach. The engine
// knows nothing else of a unit.
type Bench interface {
	// Source returns the RTL under test.
	Source() Source
	// NewStimulus returns a source of input vectors, the same ones for the
	// same seed on every machine.
	NewStimulus(l *Layout, seed uint64) (Stimulus, error)
	// NewPredictor returns the golden side, in its state at power-up. The Hits of a
	// bare one stay zero: measurements of speed use it.
	NewPredictor(l *Layout, bare bool) (Predictor, error)
	// Points lists the functional coverage points.
	Points() []Point
}

// Stimulus produces input vectors and may keep state.
//
// A wrapper that embeds a Stimulus has its hooks, and one that does not embed it must name
// them: a forgotten hook cannot change what a stimulus does.
type Stimulus interface {
	// Next fills in one cycle's input vector (Layout.InWords words, zeroed).
	Next(in []uint64)
	// Hooks returns the optional abilities. The engine asks once, before the first cycle.
	Hooks() StimulusHooks
}

// StimulusHooks are the optional abilities of a Stimulus; the zero value has none of them.
type StimulusHooks struct {
	// React, if set, shows the output vector of the cycle of the last Next, before the next
	// one: the stimulus plays by the rules of a handshake whose other side is the device. It
	// neither keeps nor changes got. A recording of such a stimulus, as in a replay file, has
	// no React.
	React func(got []uint64)
	// Cycles is the number of vectors of a stimulus that ends, such as a recorded trace;
	// 0 if it does not end.
	Cycles int
	// Ready, if set, reports whether the device is set up: a measurement begins there.
	Ready func() bool
}

// Autonomous is embedded by a Stimulus without hooks: endless, and without sight of outputs.
type Autonomous struct{}

// Hooks returns no hooks.
func (Autonomous) Hooks() StimulusHooks { return StimulusHooks{} }

// Predictor is a golden model dressed as a device with the unit's ports.
//
// As with a Stimulus, a wrapper that embeds a Predictor has its hooks.
type Predictor interface {
	// Step takes one cycle's input vector and writes the output vector that
	// the device must show in the same cycle (before the clock edge), with a
	// mask of the bits that matter. The caller has zeroed want and care, unless the
	// hooks say Overwrites.
	Step(in, want, care []uint64)
	// Hits returns, for each of Bench.Points in order, how often it was reached.
	Hits() []uint64
	// Events returns the number of accepted events so far (a cycle may hold several).
	Events() uint64
	// Explain describes the model state that concerns input vector in, for a
	// person who looks at a mismatch.
	Explain(in []uint64) string
	// Hooks returns the optional abilities. The engine asks once, before the first cycle.
	Hooks() PredictorHooks
}

// PredictorHooks are the optional abilities of a Predictor; the zero value has none of them.
type PredictorHooks struct {
	// Observe, if set, shows the device's output vector of a cycle before the Step of that
	// cycle. It neither keeps nor changes got. Some choices are free to the device, such as the
	// order of independent frames: the predictor takes those from got, and predicts all else.
	// It therefore runs behind the device, never ahead. Where there is a failure but no device
	// to follow, its explanation is left out.
	Observe func(got []uint64)
	// Overwrites says that Step writes every word of want and care: the engine need not zero
	// them.
	Overwrites bool
	// Verdict, if set, returns nil if the golden model itself gave every recorded answer, such
	// as a trace's answers. The engine calls it at the end of a run.
	Verdict func() error
	// Account, if set, returns a sentence without a full stop that says how much was compared.
	// It becomes a note in the report of a run whose verdict is good.
	Account func() string
	// Carried, if set, returns the number of packets that left and were compared so far, and
	// their bytes.
	Carried func() (packets, bytes uint64)
}

// Modelled is embedded by a Predictor without hooks.
type Modelled struct{}

// Hooks returns no hooks.
func (Modelled) Hooks() PredictorHooks { return PredictorHooks{} }

// Point is a functional coverage point.
type Point struct {
	Name     string // "send/frozen/partly_filled"
	Doc      string // one sentence: the situation
	Required bool   // a run that does not reach it fails
}
