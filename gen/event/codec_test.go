// SPDX-License-Identifier: Apache-2.0

package event_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	dcsimport "github.com/nicgen/nicgen/gen/dcsim_port"
	dcsimresponder "github.com/nicgen/nicgen/gen/dcsim_responder"
	dcsimsource "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/gen/event"
	lapsloss "github.com/nicgen/nicgen/gen/laps_loss"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	lapspick "github.com/nicgen/nicgen/gen/laps_pick"
	nicecho "github.com/nicgen/nicgen/gen/nic_echo"
	nicfeedback "github.com/nicgen/nicgen/gen/nic_feedback"
	nicgate "github.com/nicgen/nicgen/gen/nic_gate"
	nicpace "github.com/nicgen/nicgen/gen/nic_pace"
	nicparse "github.com/nicgen/nicgen/gen/nic_parse"
	nicprobe "github.com/nicgen/nicgen/gen/nic_probe"
	"github.com/nicgen/nicgen/gen/plb"
	"github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/gen/reps"
	repsdetector "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/gen/spray"
)

var update = flag.Bool("update", false, "write the generated files")

// generated are the units whose predictors are fast enough only with generated code.
var generated = []event.Contracted{
	dcsimport.Default(),
	dcsimresponder.Default(),
	dcsimsource.Default(),
	lapsloss.Default(),
	lapspaths.Default(),
	lapspick.Default(),
	nicecho.Default(),
	nicfeedback.Default(),
	nicgate.Default(),
	nicpace.Default(),
	nicparse.Default(),
	nicprobe.Default(),
	plb.Default(),
	powertcp.Default(),
	reps.Default(),
	repsdetector.Default(),
	spray.Default(),
}

// Generated codecs equal the generator's output. A unit's file is left out of the comparison only
// if the unit is not in the list above, and then it must not exist.
func TestCodecs(t *testing.T) {
	want := map[string]string{}
	for _, cfg := range generated {
		path := filepath.Join("..", cfg.Unit(), "codec_gen.go")
		want[path] = event.Source(strings.ReplaceAll(cfg.Unit(), "_", ""), cfg.Contract())
		if *update {
			if err := os.WriteFile(path, []byte(want[path]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := filepath.Glob("../*/codec_gen.go")
	if err != nil || len(files) != len(want) {
		t.Errorf("%d files %v, want %d", len(files), files, len(want))
	}
	for path, text := range want {
		got, err := os.ReadFile(path)
		if err != nil || string(got) != text {
			t.Errorf("%s differs from what the generator writes (%v): go test ./gen/event -run TestCodecs -update", path, err)
		}
	}
}
