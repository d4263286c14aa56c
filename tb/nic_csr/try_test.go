package niccsr_test

import (
	"os"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_csr"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/svparse"
)

func TestTry(t *testing.T) {
	p := params.Default()
	if err := gen.Configure(p, os.Getenv("SET")); err != nil {
		t.Fatal(err)
	}
	files, err := p.Files()
	if err != nil {
		t.Fatal(err)
	}
	os.MkdirAll("/tmp/csrout", 0o755)
	var list []synth.File
	for _, f := range files {
		os.WriteFile("/tmp/csrout/"+f.Name, []byte(f.Text), 0o644)
		parsed, err := svparse.Parse(f.Name, f.Text)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, x := range svparse.Check(parsed) {
			t.Error(x)
		}
		list = append(list, synth.File(f))
	}
	found, err := synth.Lint(t.Context(), synth.LintRequest{Top: p.Top(), Files: list})
	for _, x := range found {
		t.Error(x)
	}
	if err != nil {
		t.Error(err)
	}
	more, err := synth.Slang(t.Context(), []synth.LintRequest{{Top: p.Top(), Files: list}})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range more[0] {
		t.Error(x)
	}
}
