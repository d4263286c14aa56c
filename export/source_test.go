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
	"github.com/nicgen/nicgen/gen/event"
	"github.com/nicgen/nicgen/gen/powertcp"
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
				// Each in a separate namespace, as the headers that they need were read before.
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

// The arguments of an ACK of PowerTCP, by variant: telemetry is an array where the unit takes a hop
// in each transfer, and the flag of the round-trip time is not a separate stream.
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

// miscontracted has another contract than its ports ask for.
type miscontracted struct {
	gen.Driven
	contract *event.Contract
}

func (m miscontracted) Contract() *event.Contract { return m.contract }

// A contract with a name that is no port's is refused.
func TestMiscontracted(t *testing.T) {
	for _, c := range []struct {
		change func(c *event.Contract)
		want   string
	}{
		{func(c *event.Contract) { c.Events = append(c.Events, event.Input[struct{}]("nack").Stream) }, "s_nack_valid: no such port"},
		{func(c *event.Contract) { c.Answers[0].To = "nack" }, "m_win_valid: answers nack, which is no event of the contract"},
		{func(c *event.Contract) {
			c.Answers[0].Stream = event.Output[struct {
				Conn uint32 `port:",only=x"`
			}]("win").Stream
		}, "m_win_conn: only with x, which is no flag of the answer"},
	} {
		cfg := powertcp.Default()
		x := cfg.Contract()
		c.change(x)
		if _, err := Header(miscontracted{cfg, x}, powertcp.Default()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q in it", err, c.want)
		}
	}
}
