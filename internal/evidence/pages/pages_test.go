// SPDX-License-Identifier: Apache-2.0

package pages_test

import (
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	nictransport "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/evidence/due"
	"github.com/nicgen/nicgen/internal/evidence/pages"
	"github.com/nicgen/nicgen/internal/toy"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/rtl"
	markrun "github.com/nicgen/nicgen/starter/module/tb/mark_run"
)

// page puts lines together.
func page(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

func TestRenew(t *testing.T) {
	const end = "<!-- nicgen:end -->"
	for _, c := range []struct {
		name, begin string
		want        string
	}{
		{"latency", "latency toy", emit.Latency(toy.New())},
		{"ports", "ports toy", emit.Ports(toy.New())},
		{"settings", "settings toy", emit.Parameters(toy.New(), true)},
		{"parameters, configured", "parameters toy count_bits=12 limit_ns=9", strings.NewReplacer("| `8` |", "| `12` |").Replace(emit.Parameters(toy.New(), false))},
		{"files", "files toy", page("| File | Module |", "|---|---|", "| `nic_toy.sv` | nic_toy (top) |")},
		{"index", "index ../q/e.md ../q/r/README.md", page("| Page | What it has |", "|---|---|", "| [../q/e.md](../q/e.md) | the `e` of it |", "| [r](../q/r/README.md) | the rest |")},
		{"lines", "lines ../q a.go b.sv", page("| File | Lines | Without comments and empty lines |", "|---|---|---|",
			"| `a.go` | 10 | 4 |", "| `b.sv` | 6 | 3 |", "| **Sum** | 16 | 7 |")},
		{"pair", "pair ../p/two.json 1", page("| NIC | Gb/s |", "|---|---|", "| a | 1.5 |", "", "Made by `nicgen nic pair two`.")},
		{"pair, columns", "pair ../p/two.json 2 3 1", page("| z | x |", "|---|---|", "| – | r |", "| 4 | s |", "", "Made by `nicgen nic pair two`.")},
		{"paper", "paper ../p/paper.json", page("| Figure | What it shows | Where | Numbers | Why the others differ |", "|---|---|---|---|---|",
			"| `x-1` | T | X Fig. 1 | 1 of 2 reproduced, 1 differ | The link is slow. |", "| `x-2` | U | X Fig. 2 | reproduced: 0 of 0 |  |")},
		{"paper, figure", "paper ../p/paper.json x-1", page("| Set-up | Number | Paper | Found | Apart | Verdict |", "|---|---|---|---|---|---|",
			"| text | time | about 10 µs (± 2) | 9 µs | -1 µs (-10.0 %) | reproduced |", "| text | gain | at least 35 % | 30 % | -5 % | differs |", "",
			"| setup | µs |", "|---|---|", "| text | 9 |", "", "Made by `nicgen reproduce x-1 --model golden --seed 3`.")},
		{"models", "models ../p/paper.json ../p/other.json", page("| Figure | Set-up | Number | golden | rtl |", "|---|---|---|---|---|",
			"| `x-1` | text | time | 9 µs | 8 µs |", "| `x-1` | text | gain | 30 % | 31 % |")},
		{"models, several", "models ../p/paper.json ../p/mixed.json", page("| Figure | Set-up | Number | golden | cycles, rtl |", "|---|---|---|---|---|",
			"| `x-1` | text | time | 9 µs | 8 µs |", "| `x-1` | text | gain | 30 % | 31 % |")},
		{"lockstep", "lockstep ../p/other.json ../p/mixed.json ../p/paper.json", page("| Figure | Senders with RTL | Numbers | Equal to the golden models |", "|---|---|---|---|",
			"| `x-1` | all | 2 | 0 |")},
		{"lockstep, one host", "lockstep ../p/one.json ../p/one.json", page("| Figure | Senders with RTL | Numbers | Equal to the golden models |", "|---|---|---|---|",
			"| `x-1` | 1 | 1 | 1 |")},
		{"source, declarations", "source ../q/a.go e B.C", page("```go", "const d, e = 1, 2", "", "// C does it.", "func (b *B) C() {}", "```")},
		{"source, lines", `source ../q/b.sv "stage 1" "stage 2"`, page("```systemverilog", "  // - stage 1", "  x;", "```")},
		{"source, with code in it", "source ../q/c.md", page("````markdown", "# C", "", "```", "<!-- nicgen:begin blocks -->", "```", "````")},
		{"coverage", "coverage full", page("| Point | Situation | Required |", "|---|---|---|",
			`| `+"`one`"+` | a \| b | yes |`,
			"| `far/1` to `far/2` | 1 to 2 apart | yes |",
			"| `far/3` | 3 apart | out of reach of this configuration |",
			"| `far/5` | 5 apart | out of reach of this configuration |")},
		{"state", "state full count_bits=9", page("| Field | Bits | Copies | Memories | Meaning |", "|---|---|---|---|---|",
			"| `count` | 9 | 2 | `a`, `b` | The count. |",
			"| `busy` | 1 | 1 | `a` | Whether it counts. |",
			"| **Sum** | 10 |  | 19 bits with all copies | bytes a connection: 2, with all copies 3 |")},
		{"memories", "memories full ../d/full.json", page("| Memory | Depth | Width | Bits | Became | Cells |", "|---|---|---|---|---|---|",
			"| `a.mem` | 4 | 9 | 36 | LUTRAM | 1 LUT2, 2 RAM32M |",
			"| `b.mem` | 4 | 8 | 32 | BRAM |  |",
			"| **Sum** |  |  | 68 |  |  |")},
		{"synthesis", "synthesis full ../d/full.json", page(
			"Measured with `nicgen synth --unit full`: Yosys 0, `synth_xilinx -family xcup`, flow f. A guess.", "",
			"| Resource | Used | Of a bare U280 | Anon. |", "|---|---|---|---|",
			"| LUT | 12 | 1.200 % |  |", "| of these logic | 8 |  |  |", "| of these LUTRAM | 4 |  |  |", "| of these SRL | 0 |  |  |",
			"| FF | 30 | 1.500 % | 7 |", "| CARRY8 | 0 |  |  |", "| DSP48E2 | 0 |  |  |", "| RAMB36 | 0.5 |  |  |", "| URAM288 | 0 |  |  |",
			"| Logic levels | 3 |  |  |", "| Estimated path, ns: optimistic / typical / pessimistic | none |  |  |", "| mm² |  |  | 1 |")},
		{"synthesis with timing, UltraRAM", "synthesis full ../t/full.json", page(
			"Measured with `nicgen synth --unit full`: , `synth_xilinx -family `, flow . ", "",
			"| Resource | Used | Of a bare U280 | Anon. |", "|---|---|---|---|",
			"| LUT | 12 |  |  |", "| of these logic | 0 |  |  |", "| of these LUTRAM | 0 |  |  |", "| of these SRL | 0 |  |  |",
			"| FF | 0 |  | 7 |", "| CARRY8 | 0 |  |  |", "| DSP48E2 | 0 |  |  |", "| RAMB36 | 0 |  |  |", "| URAM288 | 4 (Yosys: 2) | 50.000 % |  |",
			"| Logic levels | none |  |  |", "| Estimated path, ns: optimistic / typical / pessimistic | 1.00 / 2.00 / 3.50 |  |  |", "| mm² |  |  | 1 |")},
		{"memories in UltraRAM", "memories full ../t/full.json", page("| Memory | Depth | Width | Bits | Became | Cells |", "|---|---|---|---|---|---|",
			"| `a.mem` | 16384 | 34 | 557056 | URAM | 2 URAM288, by Vivado 4 |",
			"| **Sum** |  |  | 557056 |  |  |")},
		{"timing", "timing ../t", page(
			"| Unit | Longest path, ns | Of it cells and wires | Slack at 3.103 ns | Slack at 4 ns | From inputs, ns | To outputs, ns | Input to output, ns | Flip-flops in blocks | Where the longest path goes |",
			"|---|---|---|---|---|---|---|---|---|---|",
			"| [toy](../docs/units/toy.md) | none |  | none | none | none | none | none | 0 |  |",
			"| [full](../docs/units/full.md) | 1.00 / 2.00 / 3.50 | 1.25 + 0.75 | +2.00 / +1.00 / -0.50 | none | none | none | none | 7 | `a_q` → `b D` |")},
		{"units", "units", page("| Unit | What it is |", "|---|---|",
			"| [toy](../docs/units/toy.md) | Toy counter |",
			"| **Full ones** |  |",
			"| [full](../docs/units/full.md) | Toy counter |")},
		{"resources", "resources ../d", page("| Unit | What it is | LUT | FF | RAMB36 | Logic levels | Estimated path, ns (typical) |", "|---|---|---|---|---|---|---|",
			"| [toy](../docs/units/toy.md) | Toy counter | 5 | 0 | 0 | none | none |",
			"| [full](../docs/units/full.md) | Toy counter | 12 | 30 | 0.5 | 3 | none |")},
		{"soaks", "soaks ../r", page("| Unit | Events | Cycles | Chunks (seeds) | Configurations | Mismatches | Command |", "|---|---|---|---|---|---|---|",
			"| `toy` | no record |  |  |  |  |  |",
			"| `full` | 70 | 100 | 3 | 2 | 1 | `nicgen full` |")},
		{"frames", "frames ../r/full.json", page("| Configuration | Frames | Cycles | Kinds of frames |", "|---|---|---|---|",
			"| default | 0 | 0 | 4 of 5 |", "| default | 0 | 0 | 6 of 6 |", "| **all** | 70 | 100 |  |", "", "Measured with `nicgen full`: 3 chunks, each with a different seed; 1 differences, hangs or frames that are not accounted for.")},
		{"reached", "reached ../r", page("| Unit | Configurations | Events | Points of the default reached | Required points missed | Lines and branches executed | Command |", "|---|---|---|---|---|---|---|",
			"| `toy` |  | no record |  |  |  |  |",
			"| `full` | 2 | 70 | 4 of 5 | 1 | 25 of 26 | `nicgen full` |",
			"", "Unreachable: `if (b | c) (if)` in `a.sv`. Why.")},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := page("# T", "<!-- nicgen:begin "+c.begin+" -->", "old", "| table |", end, "after")
			got, err := maker().Renew("p/page.md", []byte(before))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(page("# T", "<!-- nicgen:begin "+c.begin+" -->")+c.want+page(end, "after"), string(got)); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
			again, err := maker().Renew("p/page.md", got)
			if err != nil || string(again) != string(got) {
				t.Errorf("not the same a second time: %v", err)
			}
		})
	}
}

// A report of upsets is summarised: totals, instances, and outliers.
func TestRenewUpsets(t *testing.T) {
	got, err := maker().Renew("p/page.md", []byte(page("<!-- nicgen:begin upsets full ../u/full.json -->", "<!-- nicgen:end -->")))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"[unit](full.md)", "`nicgen upset full`, whose `--json` lists every register and memory; [the record](../u/full.json)", "\n\nUntil the reset.\n\n", "### With a=1\n\nSeed 1, 2 recorded runs, 4 flips",
		"Of 12 flips in 3 registers and memories, 6 changed no output, and after 1 the outputs were right again, at the latest 5 events (7 cycles) later;",
		"| `part` | 2 | 8 | 3 | 0 |  | 2 | 1 | 3 | 1 |\n| the top module's own | 1 | 4 | 3 | 1 | 5 | 0 |  | 0 | 0 |\n| **All** | 3 | 12 | 6 | 1 | 5 | 2 | 1 | 3 | 1 |\n",
		"- Never legal again, of the flips of each: `part[1].b_q` (3).\n- Legal to the end, of the flips of each: `part[0].b_q` (2), and 7 more with at most 1.\n- The most events until right again: `a_q` (5).\n",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// Every part of the library is listed with a sentence.
func TestRenewLibrary(t *testing.T) {
	got, err := maker().Renew("p.md", []byte(page("<!-- nicgen:begin library -->", "<!-- nicgen:end -->")))
	if err != nil {
		t.Fatal(err)
	}
	parts, err := rtl.All()
	if err != nil || len(parts) == 0 {
		t.Fatalf("%d parts, %v", len(parts), err)
	}
	for _, p := range parts {
		row := regexp.MustCompile("(?m)^\\| `" + strings.TrimSuffix(p.Name, ".sv") + "` \\| [A-Z].*\\. \\|$")
		if !row.Match(got) {
			t.Errorf("no row for %s in\n%s", p.Name, got)
		}
	}
}

// Every module of the block is listed with a sentence.
func TestRenewModules(t *testing.T) {
	got, err := maker().Renew("p.md", []byte(page("<!-- nicgen:begin modules -->", "<!-- nicgen:end -->")))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range nictransport.Variants {
		p := nictransport.Default()
		if err := gen.Configure(p, v.Settings); err != nil {
			t.Fatal(err)
		}
		for _, name := range p.OwnFiles() {
			row := regexp.MustCompile("(?m)^\\| `" + strings.TrimSuffix(name, ".sv") + "` \\| \\S.*\\. \\| (–|\\d+) \\| \\d+ \\| .*\\|$")
			if !row.Match(got) {
				t.Errorf("%s: no row for %s in\n%s", v.Name, name, got)
			}
		}
	}
}

// Several reports stand side by side.
func TestRenewSeveral(t *testing.T) {
	got, err := maker().Renew("d/page.md", []byte(page("<!-- nicgen:begin synthesis full full.json full.json -->", "<!-- nicgen:end -->")))
	if err != nil || !strings.Contains(string(got), "| Resource | full | full | Anon. |\n|---|---|---|---|\n| LUT | 12 | 12 |  |\n") {
		t.Errorf("%v\n%s", err, got)
	}
}

// Text outside the blocks stays unchanged, to the byte.
func TestRenewKeeps(t *testing.T) {
	for _, text := range []string{
		"", "no end of line", "a\r\nb\r\n",
		page("```markdown", "<!-- nicgen:begin ports nobody -->", "<!-- nicgen:end -->", "```"),
		page("~~~~", "```", "<!-- nicgen:end -->", "~~~~~"),
		page("<!-- a comment -->", "in a line: <!-- nicgen:begin x -->"),
	} {
		got, err := maker().Renew("page.md", []byte(text))
		if err != nil || string(got) != text {
			t.Errorf("%q became %q, %v", text, got, err)
		}
	}
}

func TestRenewProblems(t *testing.T) {
	const end = "<!-- nicgen:end -->"
	begin := func(s string) string { return "<!-- nicgen:begin " + s + " -->" }
	for _, c := range []struct {
		name, text string
		want       []string // lines
	}{
		{"unknown block", page(begin("prots toy"), end), []string{`p.md:1: unknown block "prots", nearest: ports, allowed: blocks, coverage, files, frames, index, latency, library, lines, lockstep, memories, models, modules, mutation, pair, paper, parameters, ports, proofs, reached, resources, reference, releases, routed, runs, settings, soaks, source, state, synthesis, timing, units, upsets, written`}},
		{"lockstep of one record", page(begin("lockstep p/one.json"), end), []string{"p.md:1: lockstep: found 1 arguments, want two files or more"}},
		{"lockstep of golden models", page(begin("lockstep p/paper.json p/one.json"), end), []string{`p.md:1: lockstep: p/paper.json: figure x-1: found model "golden", 2 numbers, allowed: rtl, and the numbers of another record: make both again`}},
		{"unknown unit", page(begin("ports toyy"), end), []string{`p.md:1: unknown unit "toyy", nearest: toy, allowed: toy, full`}},
		{"no unit", page(begin("ports"), end), []string{"p.md:1: no unit named, allowed: toy, full"}},
		{"no name", page("<!-- nicgen:begin -->", end), []string{`p.md:1: found "<!-- nicgen:begin -->", want <!-- nicgen:begin NAME ARGUMENTS -->`}},
		{"a comment that goes on", page("<!-- nicgen:begin ports toy", end), []string{`p.md:1: found "<!-- nicgen:begin ports toy", want <!-- nicgen:begin NAME ARGUMENTS -->`}},
		{"misspelt end", page(begin("ports toy"), "<!-- nicgen:ende -->"), []string{
			`p.md:2: found "<!-- nicgen:ende -->", want <!-- nicgen:begin NAME ARGUMENTS --> or <!-- nicgen:end -->`,
			"p.md:1: the block has no end: want a line <!-- nicgen:end -->"}},
		{"end alone", page("x", end), []string{"p.md:2: found <!-- nicgen:end --> without a begin mark before it"}},
		{"nested", page(begin("ports toy"), begin("latency toy"), end), []string{"p.md:2: a block begins inside the block of line 1, want <!-- nicgen:end --> before it"}},
		{"all settings at once", page(begin("ports toy count_bits=99 colour=red"), end), []string{
			"p.md:1: argument: toy.count_bits: found 99, allowed: a whole number from 2 to 32",
			"p.md:1: argument: colour: found unknown key, nearest: count_bits, allowed: count_bits"}},
		{"no setting", page(begin("ports toy count_bits"), end), []string{`p.md:1: argument "count_bits", want KEY=VALUE`}},
		{"no state", page(begin("state toy"), end), []string{"p.md:1: unit toy has no table of its state"}},
		{"no bench", page(begin("coverage toy"), end), []string{"p.md:1: unit toy has no bench"}},
		{"no report", page(begin("synthesis toy"), end), []string{"p.md:1: no report named, want a file written by nicgen synth --json"}},
		{"missing report", page(begin("memories toy none.json"), end), []string{"p.md:1: report of nicgen synth --unit toy --json none.json: none.json: file does not exist"}},
		{"damaged report", page(begin("memories toy d/damaged.json"), end), []string{"p.md:1: d/damaged.json: not a report of nicgen synth: unexpected end of JSON input"}},
		{"report of another", page(begin("memories toy d/full.json"), end), []string{`p.md:1: d/full.json: report of module "nic_full", want nic_toy`}},
		{"two reports", page(begin("memories full d/full.json d/full.json"), end), []string{"p.md:1: found 2 reports, want one"}},
		{"units", page(begin("units d"), end), []string{"p.md:1: found 1 arguments, want none"}},
		{"timing of no folder", page(begin("timing"), end), []string{"p.md:1: found 0 arguments, want one: the folder of the reports"}},
		{"timing of old reports", page(begin("timing d"), end), []string{"p.md:1: report of toy: no timing, measure it again with nicgen synth --unit toy --json"}},
		{"resources", page(begin("resources"), end), []string{"p.md:1: found 0 arguments, want one: the folder of the reports"}},
		{"soaks", page(begin("soaks"), end), []string{"p.md:1: soaks: found 0 arguments, want one: a folder of results of nicgen soak or coverage --json"}},
		{"frames", page(begin("frames"), end), []string{"p.md:1: frames: found 0 arguments, want one: a result of nicgen nic fuzz --json"}},
		{"damaged frames", page(begin("frames r3/full.json"), end), []string{"p.md:1: r3/full.json: not a result of nicgen nic fuzz: unexpected end of JSON input"}},
		{"result of another", page(begin("soaks r2"), end), []string{`p.md:1: r2/toy.json: found a result of unit "full", want toy`}},
		{"damaged result", page(begin("reached r3"), end), []string{"p.md:1: r3/full.json: not a result of nicgen soak or coverage: unexpected end of JSON input"}},
		{"proofs", page(begin("proofs"), end), []string{"p.md:1: found 0 arguments, want one: the folder of reports of nicgen prove --json, or two: the folder and a unit"}},
		{"no report of proofs", page(begin("proofs r"), end), []string{"p.md:1: report of nicgen prove --json r/lib.json: r/lib.json: file does not exist"}},
		{"no upsets", page(begin("upsets toy u/full.json"), end), []string{"p.md:1: unit toy does not say what is legal after an upset"}},
		{"no report of upsets", page(begin("upsets full"), end), []string{"p.md:1: found 1 arguments, want a unit and a report of nicgen upset --json"}},
		{"report of no upsets", page(begin("upsets full d/toy.json"), end), []string{`p.md:1: d/toy.json: report of unit "", want full`}},
		{"pair", page(begin("pair p/two.json"), end), []string{"p.md:1: pair: found 1 arguments, want a file, the number of a table, and columns"}},
		{"pair, no such table", page(begin("pair p/two.json 3"), end), []string{`p.md:1: p/two.json: found "3", want a number from 1 to 2`}},
		{"pair, no such column", page(begin("pair p/two.json 1 0"), end), []string{`p.md:1: p/two.json: found "0", want a number from 1 to 2`}},
		{"pair, a short row", page(begin("pair p/short.json 1"), end), []string{"p.md:1: p/short.json: a row of 1 cells, want 2"}},
		{"paper, no such figure", page(begin("paper p/paper.json x-3"), end), []string{`p.md:1: p/paper.json: unknown figure "x-3", nearest: x-1, allowed: x-1, x-2`}},
		{"paper, too much", page(begin("paper p/paper.json x-1 x-2"), end), []string{"p.md:1: paper: found 3 arguments, want a file, and a figure or none"}},
		{"blocks", page(begin("blocks x"), end), []string{`p.md:1: unexpected argument "x"`}},
		{"no file to quote", page(begin("source"), end), []string{"p.md:1: found no arguments, want a file"}},
		{"missing file", page(begin("source q/none.go"), end), []string{"p.md:1: q/none.go: file does not exist"}},
		{"missing declaration", page(begin("source q/a.go f"), end), []string{`p.md:1: q/a.go: unknown declaration "f", allowed: B, B.C, d, e`}},
		{"one word", page(begin("source q/b.sv x"), end), []string{"p.md:1: q/b.sv: found 1 arguments after the file, want two: a word of the first line and one of the line after the last"}},
		{"missing first line", page(begin("source q/b.sv y x"), end), []string{`p.md:1: q/b.sv: no line has "y"`}},
		{"missing last line", page(begin("source q/b.sv x y"), end), []string{`p.md:1: q/b.sv: no line after the one with "x" has "y"`}},
		{"a page that does not say what it has", page(begin("index q/c.md"), end), []string{"p.md:1: q/c.md: want a line <!-- about: WHAT IT HAS -->"}},
		{"no files to count", page(begin("lines q"), end), []string{"p.md:1: found 1 arguments, want a folder and files below it"}},
		{"several", page(begin("a"), end, begin("b"), end), []string{`p.md:1: unknown block "a"`, `p.md:3: unknown block "b"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := maker().Renew("p.md", []byte(c.text))
			if err == nil {
				t.Fatalf("no error, but\n%s", got)
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(c.want) {
				t.Fatalf("got\n%s\nwant\n%s", err, strings.Join(c.want, "\n"))
			}
			for i, want := range c.want {
				if !strings.HasPrefix(lines[i], want) {
					t.Errorf("got  %s\nwant %s", lines[i], want)
				}
			}
		})
	}
	_, err := maker().Renew("p.md", []byte(page(begin("memories toy none.json"), end)))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the cause is lost: %v", err)
	}
}

// Pages name the records that are due again: of the block's unit, or of all.
func TestDueIsSaid(t *testing.T) {
	m := maker()
	m.Due = due.List{"toy": {"u", "r"}, "full": {"r"}}
	for block, want := range map[string]string{
		"soaks ../r":                 "changed since it was measured: toy, full (`make r`).\n",
		"upsets full ../u/full.json": "",
	} {
		got, err := m.Renew("p/page.md", []byte(page("<!-- nicgen:begin "+block+" -->", "<!-- nicgen:end -->")))
		if err != nil {
			t.Fatal(err)
		}
		if _, after, said := strings.Cut(string(got), "Due again, as the RTL has "); said != (want != "") || !strings.HasPrefix(after, want) {
			t.Errorf("%s says\n%s\nwant %q", block, got, want)
		}
	}
}

// Text that a test writes stays, with any content.
func TestRenewKeepsWritten(t *testing.T) {
	text := page("<!-- nicgen:begin written planted -->", "## Bugs", "", "| a |", "<!-- nicgen:end -->", "<!-- nicgen:begin blocks -->", "old", "<!-- nicgen:end -->")
	got, err := maker().Renew("p.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(got), page("<!-- nicgen:begin written planted -->", "## Bugs", "", "| a |", "<!-- nicgen:end -->", "<!-- nicgen:begin blocks -->")) || strings.Contains(string(got), "\nold\n") {
		t.Errorf("got\n%s", got)
	}
}

// Where a record does not exist yet, the page has the run that makes it; a file that no run makes is a mistake.
func TestUnmeasured(t *testing.T) {
	m := &pages.Maker{Units: registry.With(markrun.Entry), ReadFile: func(name string) ([]byte, error) {
		if name == "docs/units/mark_run.md" {
			return nil, nil
		}
		return nil, fs.ErrNotExist
	}}
	page := func(blocks ...string) string {
		text := ""
		for _, b := range blocks {
			text += "<!-- nicgen:begin " + b + " -->\n<!-- nicgen:end -->\n"
		}
		return text
	}
	got, err := m.Renew("docs/units/mark_run_evidence.md", m.Begun()["docs/units/mark_run_evidence.md"])
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range []string{
		"synth --unit mark_run --record docs/data/mark_run.json", "prove mark_run --json docs/data/prove/mark_run.json",
		"mutate mark_run --json docs/data/mutate/mark_run.json", "--record docs/data/upset/mark_run.json",
	} {
		if !strings.Contains(string(got), run+"`.\n<!-- nicgen:end -->") {
			t.Errorf("no run %s in\n%s", run, got)
		}
	}
	if !strings.Contains(string(got), "| `run/full` |") || !strings.Contains(string(got), "<!-- nicgen:begin written planted -->") {
		t.Errorf("no coverage points, or no section of planted bugs, in\n%s", got)
	}
	got, err = m.Renew("docs/p.md", []byte(page("resources data", "timing data", "proofs data/prove", "soaks data/soak", "units")))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(got), "\nNot measured: mark_run.\n"); n != 2 {
		t.Errorf("%d tables say that mark_run was not measured, want 2:\n%s", n, got)
	}
	for _, want := range []string{"Not measured yet; run: `go run . prove mark_run", "| `mark_run` | no record |", "| [mark_run](../docs/units/mark_run.md) |", "| reps |"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(string(got), "parts that units share") {
		t.Errorf("nicgen's own proofs are on the page:\n%s", got)
	}
	if got, err := m.Renew("docs/p.md", []byte(page("synthesis mark_run data/mark_runs.json"))); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a misspelt record: %v\n%s", err, got)
	}
}
