// SPDX-License-Identifier: Apache-2.0

package cosim

// A Bench is what tb/<unit> gives the engine: where the RTL comes from, how to
// stimulate it, what it must answer, and what a run has to reach. The engine
// knows nothing else of a unit.
type Bench interface {
	// Source is the RTL under test.
	Source() Source
	// NewStimulus returns a source of input vectors, the same ones for the
	// same seed on every machine.
	NewStimulus(l *Layout, seed uint64) (Stimulus, error)
	// NewPredictor returns the golden side, in its state at power-up.
	NewPredictor(l *Layout) (Predictor, error)
	// Points lists the functional coverage points.
	Points() []Point
}

// Stimulus produces input vectors. It may keep state; unless it is Reactive, it never sees outputs.
type Stimulus interface {
	// Next fills in, one cycle's input vector (Layout.InWords words, zeroed).
	Next(in []uint64)
}

// Predictor is a golden model dressed as a device with the unit's ports.
type Predictor interface {
	// Step takes one cycle's input vector and writes the output vector that
	// the device must show in the same cycle (before the clock edge), with a
	// mask of the bits that matter. want and care are zeroed by the caller.
	Step(in, want, care []uint64)
	// Hits returns, for each of Bench.Points in order, how often it was reached.
	Hits() []uint64
	// Events counts the accepted events so far (a cycle may hold several).
	Events() uint64
	// Explain describes the model state that concerns input vector in, for a
	// person who looks at a mismatch.
	Explain(in []uint64) string
}

// Point is a functional coverage point.
type Point struct {
	Name     string // "send/frozen/partly_filled"
	Doc      string // one sentence: the situation
	Required bool   // a run that does not reach it fails
}

// A Follower is a Predictor for a device that is free in some things, such as the order of
// what does not depend on each other: it is shown what the device did in a cycle before it
// says what had to be there. What is free it takes from there, and predicts all else.
//
// What a Follower says depends on the device, so that it runs behind it, never ahead. Where
// there is a failure but no device to follow, its explanation is left out.
type Follower interface {
	Predictor
	// Observe shows the output vector of the cycle that the next Step is about. It neither
	// keeps nor changes got.
	Observe(got []uint64)
}

// Observe shows a device's outputs to p if it is a Follower: for a Predictor around another one.
func Observe(p Predictor, got []uint64) {
	if f, ok := p.(Follower); ok {
		f.Observe(got)
	}
}

// A Reactive is a Stimulus that plays by the rules of a handshake whose other side is the device: it
// is shown the outputs of each cycle that it has driven, before it makes the next one. A recording
// of what it did, as in a replay file, is a plain one.
type Reactive interface {
	Stimulus
	// React shows the output vector of the cycle of the last Next. It neither keeps nor changes got.
	React(got []uint64)
}

// A Predictor that writes every word of want and care in every Step is an
// Overwriter: the engine need not zero them.
type Overwriter interface{ Overwrites() }

// A Stimulus that ends, such as a recorded trace, also is a Finite.
type Finite interface {
	// Cycles is the number of vectors it will produce.
	Cycles() int
}

// A Bench that can leave out the counting of coverage is Bare: measurements of
// speed use it.
type Bare interface {
	// NewBarePredictor is NewPredictor with a predictor whose Hits stay zero.
	NewBarePredictor(l *Layout) (Predictor, error)
}

// A Predictor that also holds recorded answers, such as those of a trace,
// is a Judge: the engine asks it at the end of a run.
type Judge interface {
	// Verdict is nil if the golden model itself gave every recorded answer.
	Verdict() error
}

// A Judge that also tells how much it compared is an Accountant: its words
// become a note in the report of a run in which the verdict is good.
type Accountant interface {
	// Account is a sentence without a full stop.
	Account() string
}
