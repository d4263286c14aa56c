// SPDX-License-Identifier: Apache-2.0

package export

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/verilator"
)

// The code of every unit's library, and its self-test, are texts that a compiler takes: the other
// tests compile designs of some units only.
func TestSources(t *testing.T) {
	tools, err := verilator.FindTools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fake, err := filepath.Abs("testdata/fake.h")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	compile := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(context.Background(), args[0], args[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%.3000s", args, err, out)
		}
	}
	var all strings.Builder
	fmt.Fprintf(&all, "#include %q\n", fake)
	for _, u := range slices.Concat(registry.Units, registry.Blocks) {
		if sample.LeftOut(t.Name() + "/" + u.New().Unit()) {
			continue
		}
		cfg := u.New()
		d, err := describe(cfg, u.New(), "")
		if err != nil {
			t.Error(err)
			continue
		}
		src, err := source(cfg)
		if err != nil {
			t.Fatal(err)
		}
		v := view{unit: d, Follows: u.ByName}
		if v.layout, err = cosim.Ports(src); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"header.h.tmpl", "library.cpp.tmpl", "selftest.c.tmpl"} {
			text, err := v.render(name)
			if err != nil {
				t.Error(err)
			}
			switch name {
			case "header.h.tmpl":
				write(d.Prefix+".h", text)
			case "library.cpp.tmpl":
				// Each in a namespace of its own, for the headers that they need were read before.
				fmt.Fprintf(&all, "#undef GLUE_IN\n#undef GLUE_OUT\n#undef EXPORT\n#undef NICGEN_CODES\n#define GLUE_IN %d\n#define GLUE_OUT %d\nnamespace of_%s {\n%s\n}\n",
					v.layout.InWords, v.layout.OutWords, d.Name, text)
			default:
				write(d.Prefix+".c", text)
			}
		}
		compile("cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", d.Prefix+".c")
	}
	write("all.cc", all.String())
	compile("c++", "-std=gnu++17", "-Wall", "-Wno-subobject-linkage", "-Wno-unused-function", "-Wno-unused-variable", "-Wno-unused-const-variable", "-Werror", "-fsyntax-only", "-I"+tools.Include, "all.cc")
}

// The arguments of an ACK of PowerTCP, by variant: telemetry is an array where the unit takes a hop in each
// transfer, and the flag of the round-trip time is no stream of its own.
func TestArguments(t *testing.T) {
	for _, c := range []struct{ settings, want string }{
		{"variant=int", "uint16_t conn, uint32_t seq, uint32_t snd_nxt, uint16_t path, uint8_t hop_cnt, const uint64_t *hop"},
		{"variant=theta", "uint16_t conn, uint32_t seq, uint32_t snd_nxt, uint16_t path, uint8_t rtt_valid, uint32_t rtt_ns, uint64_t now_ns"},
		{"variant=both hop_format=fields", "uint16_t conn, uint32_t seq, uint32_t snd_nxt, uint16_t path, uint8_t theta, uint8_t hop_cnt, " +
			"const uint8_t *hop_rate, const uint32_t *hop_time, const uint32_t *hop_bytes, const uint32_t *hop_qlen, uint8_t rtt_valid, uint32_t rtt_ns, uint64_t now_ns"},
		{"variant=int throughput=ack", "uint16_t conn, uint32_t seq, uint32_t snd_nxt, uint16_t path, uint8_t hop_cnt, const uint64_t *hop"},
	} {
		i := slices.IndexFunc(registry.Units, func(u registry.Unit) bool { return u.New().Unit() == "powertcp" })
		cfg := registry.Units[i].New()
		if err := gen.SetAll(cfg, c.settings); err != nil {
			t.Fatal(err)
		}
		text, err := Header(cfg, registry.Units[i].New())
		if err != nil {
			t.Error(err)
			continue
		}
		if want := "int nicgen_powertcp_ack(nicgen_powertcp *h, " + c.want + ", nicgen_powertcp_win_out *answer);\n"; !strings.Contains(text, want) {
			t.Errorf("%s: the header does not have\n%s", c.settings, want)
		}
	}
}

// A table of events that names what the ports do not have is refused.
type misnamed struct {
	gen.Driven
	events []gen.Event
}

func (m misnamed) Events() []gen.Event { return m.events }

func TestMisnamed(t *testing.T) {
	i := slices.IndexFunc(registry.Units, func(u registry.Unit) bool { return u.New().Unit() == "powertcp" })
	for _, c := range []struct {
		event gen.Event
		want  string
	}{
		{gen.Event{Name: "nack"}, "the stream nack"},
		{gen.Event{Name: "ack", Answer: "wine"}, "the answer wine"},
		{gen.Event{Name: "ack", Rare: []string{"x"}}, "the field x of ack"},
		{gen.Event{Name: "ack", Beats: "x"}, "the field x of ack"},
		{gen.Event{Name: "ack", Beats: "hop_cnt", Each: []string{"x"}}, "the field x of ack"},
		{gen.Event{Name: "ack", Beats: "hop_cnt", One: "x"}, "the field x of ack"},
		{gen.Event{Name: "ack", Answer: "win", Only: map[string]string{"x": "cause"}}, "the flag cause in the answer to ack"},
		{gen.Event{Name: "ack", Only: map[string]string{"bytes": "x"}}, "the flag x in the answer to ack"},
	} {
		cfg := registry.Units[i].New()
		if _, err := Header(misnamed{cfg.(gen.Driven), []gen.Event{c.event}}, registry.Units[i].New()); err == nil || !strings.Contains(err.Error(), "the table of events names "+c.want) {
			t.Errorf("%+v: %v, want %q in it", c.event, err, c.want)
		}
	}
}
