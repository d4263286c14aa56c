// SPDX-License-Identifier: Apache-2.0

package bench_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/reps"
	repsdetector "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/tb/bench"
)

// unit is a unit whose parts only tell what they were given.
func unit(got *[]*reps.Params, bare *[]bool) *bench.Unit[*reps.Params] {
	errNone := errors.New("none")
	return &bench.Unit[*reps.Params]{
		Name:       "reps",
		Default:    reps.Default,
		Assertions: "module nic_reps_sva; endmodule",
		Stimulus: func(p *reps.Params, _ *cosim.Layout, _ uint64) (cosim.Stimulus, error) {
			*got = append(*got, p)
			return nil, errNone
		},
		Predictor: func(p *reps.Params, _ *cosim.Layout, b bool) (cosim.Predictor, error) {
			*got, *bare = append(*got, p), append(*bare, b)
			return nil, errNone
		},
		Points: func(p *reps.Params) []cosim.Point {
			*got = append(*got, p)
			return []cosim.Point{{Name: "only"}}
		},
	}
}

// The stimulus, the golden model and the points belong to P, for any RTL.
func TestBenchIsOfP(t *testing.T) {
	var got []*reps.Params
	var bare []bool
	emitted := reps.Default()
	emitted.Connections = 4
	b := unit(&got, &bare).Bench(reps.Default())
	b.Emitted = emitted
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	_, err := b.NewStimulus(nil, 1)
	_, perr := b.NewPredictor(nil, false)
	_, berr := b.NewPredictor(nil, true)
	if err == nil || perr == nil || berr == nil {
		t.Errorf("errors %v, %v, %v, want three", err, perr, berr)
	}
	if p := b.Points(); len(p) != 1 || p[0].Name != "only" {
		t.Errorf("points %v, want the unit's", p)
	}
	if want := []*reps.Params{b.P, b.P, b.P, b.P}; !slices.Equal(got, want) {
		t.Errorf("parts were made of %v, want %v", got, want)
	}
	if want := []bool{false, true}; !slices.Equal(bare, want) {
		t.Errorf("bare %v, want %v", bare, want)
	}
}

func TestPrepare(t *testing.T) {
	small := reps.Default()
	small.Connections = 4
	for _, c := range []struct {
		name   string
		change func(b *bench.Bench[*reps.Params])
		of     *reps.Params // whose text the top module is
		prefix string       // put before it
	}{
		{"as it is", func(*bench.Bench[*reps.Params]) {}, reps.Default(), ""},
		{"emitted from another configuration", func(b *bench.Bench[*reps.Params]) { b.Emitted = small }, small, ""},
		{"edited", func(b *bench.Bench[*reps.Params]) {
			b.Edit = func(name, text string) string {
				if name == "nic_reps.sv" {
					return "// edited\n" + text
				}
				return text
			}
		}, reps.Default(), "// edited\n"},
		{"overridden", func(b *bench.Bench[*reps.Params]) { b.Override = map[string]string{"CONNECTIONS": "4"} }, reps.Default(), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := unit(nil, nil).Bench(reps.Default())
			c.change(b)
			if err := b.Prepare(); err != nil {
				t.Fatal(err)
			}
			files, err := c.of.Files()
			if err != nil {
				t.Fatal(err)
			}
			src, last := b.Source(), len(files)-1
			if src.Top != "nic_reps" || len(src.Files) != len(files) || src.Files[last].Text != c.prefix+files[last].Text {
				t.Errorf("top %s of %d files is not the emitted one", src.Top, len(src.Files))
			}
			if len(src.Params) != len(b.Override) || src.Params["CONNECTIONS"] != b.Override["CONNECTIONS"] {
				t.Errorf("parameters %v, want %v", src.Params, b.Override)
			}
			if len(src.Bind) != 1 || src.Bind[0].Name != "nic_reps_sva.sv" || !strings.Contains(src.Bind[0].Text, "nic_reps_sva") {
				t.Errorf("bound %v, want the assertions", src.Bind)
			}
		})
	}
}

// A configuration of another unit is refused by name; one of this unit is prepared.
func TestNew(t *testing.T) {
	u := unit(nil, nil)
	b, err := u.New(reps.New())
	if err != nil || len(b.Source().Files) == 0 {
		t.Errorf("%v, error %v: want a bench that is prepared", b, err)
	}
	_, err = u.New(repsdetector.New())
	if want := "tb/reps: configuration of unit reps_detector, want reps"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
