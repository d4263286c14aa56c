package niccsr_test

import (
	"os"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_csr"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/benchtest"
)

func TestTrySynth(t *testing.T) {
	p := params.Default()
	if err := gen.Configure(p, os.Getenv("SET")); err != nil {
		t.Fatal(err)
	}
	r, err := synth.Run(t.Context(), synth.Request{Top: p.Top(), Files: benchtest.Texts(t, p), Options: synth.Options{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + r.Text())
}
