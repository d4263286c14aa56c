// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/rtl"
	"github.com/nicgen/nicgen/tb/bench"
)

const (
	wideCounters  = 48      // bits of the counters in countersWrap
	beforeWrap    = 3       // counts that they still have to go
	counterCycles = 200_000 // in which most of them do
)

// counterReset matches the reset of a counter, and counterStep a counter's next value.
var (
	counterReset = regexp.MustCompile(`(?m)^( +sts_\w+_cnt +<= )'0;$`)
	counterStep  = regexp.MustCompile(`(?s)(sts_\w+_cnt)( +<= )(sts_\w+_cnt) \+(.*?);`)
)

// countersWrap demands that counters wider than 32 bits count on beyond 2^32, and wrap at
// their own width. No run is so long: in a copy of the text, a reset sets each of them a few
// counts below, and the model's counts are taken from there. A counter that wraps at 32 bits
// must be noticed.
func (s Suite[P]) countersWrap(t *testing.T) {
	if !slices.ContainsFunc(s.Default().Ports(), func(x gen.Port) bool { return x.Dir == gen.Out && isCounter(x) }) {
		return // a unit without counters at its ports
	}
	for _, c := range []struct {
		name    string
		bits    int // below 2^bits they start
		planted bool
	}{{"at 32 bits", 32, false}, {"at their width", wideCounters, false}, {"one too early", 32, true}} {
		if sample.LeftOut(s.Name + "/counters/" + c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := s.Bench(s.Configure(t, fmt.Sprintf("counter_bits=%d", wideCounters)))
			start := uint64(1)<<c.bits - beforeWrap
			planted := ""
			b.Edit = func(name, text string) string {
				if strings.HasPrefix(name, rtl.PartPrefix) {
					return text
				}
				if m := counterStep.FindStringSubmatchIndex(text); c.planted && planted == "" && m != nil {
					step := counterStep.ExpandString(nil, "${1}${2}{${3}[COUNTER_BITS-1:32], 32'(${3} +${4})};", text, m)
					planted = text[m[2]:m[3]]
					text = text[:m[0]] + string(step) + text[m[1]:]
				}
				return counterReset.ReplaceAllString(text, fmt.Sprintf("${1}COUNTER_BITS'(48'h%x);", start))
			}
			r := s.run(t, b, &counting[P]{Bench: b, start: start}, cosim.RunOptions{Seed: 1, Cycles: counterCycles})
			failed := r.Outcome == cosim.Mismatch || r.Outcome == cosim.Fault
			switch {
			case failed && !c.planted:
				t.Errorf("counters that start %d below 2^%d: %s", beforeWrap, c.bits, Summary(r))
			case c.planted && planted == "":
				t.Error("no text has a line sts_…_cnt <= sts_…_cnt + …")
			case c.planted && (!failed || r.Failure.Port == "" || !strings.HasPrefix(r.Failure.Port, "sts_")):
				t.Errorf("%s wraps at 32 bits of %d: outcome %s", planted, wideCounters, r.Outcome)
			}
		})
	}
}

// counting is a bench whose model counts from a number other than 0.
type counting[P bench.Params] struct {
	*bench.Bench[P]
	start uint64
}

// Source implements cosim.Bench: without assertions, which say of counters what holds from 0
// on.
func (c *counting[P]) Source() cosim.Source {
	src := c.Bench.Source()
	src.Bind = nil
	return src
}

// NewPredictor implements cosim.Bench.
func (c *counting[P]) NewPredictor(l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	p, err := c.Bench.NewPredictor(l, bare)
	if err != nil {
		return nil, err
	}
	x := &counted{Predictor: p, start: c.start}
	for _, port := range c.P.Ports() {
		if isCounter(port) {
			x.slots = append(x.slots, l.MustSlot(port.Name))
		}
	}
	return x, nil
}

func isCounter(p gen.Port) bool {
	return strings.HasPrefix(p.Name, "sts_") && strings.HasSuffix(p.Name, "_cnt")
}

// counted adds where its counters start to what a model says of them.
type counted struct {
	cosim.Predictor
	slots []cosim.Slot
	start uint64
}

// Step implements cosim.Predictor.
func (c *counted) Step(in, want, care []uint64) {
	c.Predictor.Step(in, want, care)
	for _, s := range c.slots {
		s.Set(want, s.Get(want)+c.start)
	}
}
