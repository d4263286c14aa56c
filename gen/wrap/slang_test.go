// SPDX-License-Identifier: Apache-2.0

package wrap_test

import (
	"fmt"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/gen/wrap"
	"github.com/nicgen/nicgen/synth"
)

// slang, which holds to the letter of IEEE 1800 as commercial tools do, takes the block with each path and window, and
// each wrapper around it: as one compilation unit and file by file. One process reads all.
func TestSlang(t *testing.T) {
	var names []string
	var designs []synth.LintRequest
	add := func(name string, r synth.LintRequest) {
		names = append(names, name)
		designs = append(designs, r)
	}
	fields := map[string]gen.Field{}
	for _, f := range params.Default().Fields() {
		fields[f.Key] = f
	}
	for _, path := range fields["path"].Choices {
		for _, window := range fields["window"].Choices {
			for _, more := range []string{"", " rx_user_bits=97 tx_user_bits=2", " telemetry=int", " profile=uet"} {
				set := fmt.Sprintf("path=%s window=%s%s", path, window, more)
				p := params.Default()
				if err := gen.SetAll(p, set); err != nil {
					t.Fatal(err)
				}
				if gen.Validate(p) != nil {
					continue // such a pair is refused
				}
				files, err := emit.Sources(emit.Unit{Config: p, Default: params.Default()})
				if err != nil {
					t.Fatal(err)
				}
				r := synth.LintRequest{Top: p.Top()}
				for _, f := range files {
					r.Files = append(r.Files, synth.File{Name: f.Name, Text: f.Text})
				}
				add(set, r)
			}
		}
	}
	if len(designs) < 10 {
		t.Errorf("%d configurations of path and window are legal, want at least 10", len(designs))
	}
	for _, kind := range wrap.Kinds() {
		e := emission(t, kind, "")
		w := made(t, kind, e)
		add(kind, synth.LintRequest{Top: w.Top, Files: design(t, w, e), Params: w.Lint})
	}
	found, err := synth.Slang(t.Context(), designs)
	if err != nil {
		t.Fatal(err)
	}
	for i, list := range found {
		for _, f := range list {
			t.Errorf("%s: %s", names[i], f)
		}
	}
}
