// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"fmt"
	"strings"
)

// The outcomes of a run.
const (
	Pass     = "pass"     // every compared output was equal and every required point was reached
	Mismatch = "mismatch" // an output differed from the golden model
	Fault    = "error"    // the simulated device ended: a failed assertion, $finish, logic that does not settle
	Verdict  = "verdict"  // the golden model did not give the recorded answers
	Missed   = "missed"   // equal, but a required coverage point was not reached
)

// Report is the result of a run.
type Report struct {
	Unit            string            `json:"unit"`
	Params          map[string]any    `json:"params"`
	Seed            uint64            `json:"seed"`
	Cycles          uint64            `json:"cycles"`     // compared
	Events          uint64            `json:"events"`     // accepted by the golden model
	Mismatches      uint64            `json:"mismatches"` // output ports that differed in the cycle at which the run stopped
	Coverage        map[string]uint64 `json:"coverage"`   // of every point, how often it was reached
	Missed          []string          `json:"missed"`     // required points that were not reached
	Seconds         float64           `json:"seconds"`    // of simulation, without compilation
	CyclesPerSecond float64           `json:"cycles_per_second"`
	Outcome         string            `json:"outcome"`
	Failure         *Failure          `json:"failure"`         // nil if the outcome is pass
	Lines           *Lines            `json:"lines,omitempty"` // line coverage, if it was asked for
	Wave            string            `json:"wave,omitempty"`
	Notes           []string          `json:"notes,omitempty"` // further messages

	Finding *Finding `json:"-"` // of a mismatch or a fault
}

// OK reports whether the run passed.
func (r *Report) OK() bool { return r.Outcome == Pass }

// Diff is an output port that differed.
type Diff struct {
	Port string `json:"port"`
	Want string `json:"want"` // hexadecimal; bits that do not matter are zero
	Got  string `json:"got"`
}

// Failure describes why a run did not pass.
type Failure struct {
	Kind    string            `json:"kind"`              // the outcome
	Cycle   uint64            `json:"cycle"`             // of the run, from 0
	Port    string            `json:"port,omitempty"`    // the first output that differed
	Want    string            `json:"want,omitempty"`    // its value in the golden model
	Got     string            `json:"got,omitempty"`     // its value in the RTL
	Diffs   []Diff            `json:"diffs,omitempty"`   // all outputs that differed
	Inputs  map[string]string `json:"inputs,omitempty"`  // inputs of the cycle that are not zero
	Explain string            `json:"explain,omitempty"` // the golden model's state, in words
	Message string            `json:"message,omitempty"` // of an error or a verdict
	File    string            `json:"file,omitempty"`    // source of an error
	Line    int               `json:"line,omitempty"`
	Log     string            `json:"log,omitempty"` // the end of what the design printed

	Shrunk  *Shrunk `json:"shrunk,omitempty"`
	Replay  string  `json:"replay,omitempty"`  // file that repeats the failure
	Wave    string  `json:"wave,omitempty"`    // waveform of the failing window
	Save    string  `json:"save,omitempty"`    // GTKWave save file for it
	Command string  `json:"command,omitempty"` // repeats the failure
}

// Shrunk is the shortest stimulus found that still fails in the same way.
type Shrunk struct {
	Cycles  uint64       `json:"cycles"` // in all, resets included
	Cycle   uint64       `json:"cycle"`  // in which it fails, from 0
	Want    string       `json:"want,omitempty"`
	Got     string       `json:"got,omitempty"`
	Explain string       `json:"explain,omitempty"`
	Inputs  []CycleInput `json:"inputs"` // the cycles in which an input is not zero
	Tries   int          `json:"tries"`  // runs that it took
}

// CycleInput is a stretch of equal cycles of a stimulus: the ports that are not
// zero in them.
type CycleInput struct {
	Cycle uint64            `json:"cycle"` // the first
	Last  uint64            `json:"last"`
	Ports map[string]string `json:"ports"`
}

// Summary is one line about the failure.
func (f *Failure) Summary() string {
	switch f.Kind {
	case Mismatch:
		return fmt.Sprintf("cycle %d: %s is %s, want %s", f.Cycle, f.Port, f.Got, f.Want)
	case Fault:
		where := ""
		if f.File != "" {
			where = fmt.Sprintf("%s:%d: ", f.File, f.Line)
		}
		return fmt.Sprintf("cycle %d: %s%s", f.Cycle, where, strings.ReplaceAll(f.Message, "\n", "; "))
	}
	return f.Message
}
