// SPDX-License-Identifier: Apache-2.0

package gen_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/nicgen/nicgen/gen"
)

// pair returns a design of two files with the frame that every file of a unit has.
func pair() []gen.File {
	return []gen.File{
		{Name: "part.sv", Text: framed(`
(* keep_hierarchy = "yes" *)
module part #(
  parameter int unsigned W = 8  // bits
) (
  input  wire logic         clk,
  output      logic [W-1:0] q
);
  always_ff @(posedge clk) q <= q + W'(8'd1);
endmodule
`)},
		{Name: "top.sv", Text: framed(`
module top (
  input  wire logic       clk,
  output      logic [7:0] \q.0 ,
  output      logic       both
);
  (* ram_style = "block" *)
  logic [3:0] a, b;
  part #(.W(8)) u_part (.clk, .q(\q.0 ));
  always_comb both = a[0] && b[0] ? a === 4'b1x0? : '0;
  if (1.5e3 > 10ns) $error("two  words // no comment");
endmodule
`)},
	}
}

func framed(text string) string {
	return "// A comment.\n\n`resetall\n`timescale 1ns / 1ps\n`default_nettype none\n" + text + "\n`resetall\n"
}

// in replaces in every file of pair.
func in(replace ...string) []gen.File {
	files := pair()
	for i := range files {
		files[i].Text = strings.NewReplacer(replace...).Replace(files[i].Text)
	}
	return files
}

func TestDesignDigestStays(t *testing.T) {
	files := pair()
	want := gen.DesignDigest("top", files)
	bare := func(f gen.File) string {
		_, text, _ := strings.Cut(f.Text, "none\n")
		text, _, _ = strings.Cut(text, "`resetall")
		return text
	}
	for name, same := range map[string][]gen.File{
		"comments":                in("// A comment.", "/* Another\n one */", " && ", " /**/&& // and\n", "  // bits", ""),
		"blanks":                  in("  ", "\t ", "\n", "\n\n", "`timescale 1ns / 1ps", "`timescale  1ns /\t1ps ", "two\t words", "two  words"),
		"blank in a based number": in("8'd1", "8 'd 1"),
		"always":                  in("always_ff", "always"),
		"no frames":               {{Name: "part.sv", Text: bare(files[0])}, {Name: "top.sv", Text: bare(files[1])}},
		"no frame in one":         {{Name: "part.sv", Text: bare(files[0])}, files[1]},
		"files of other names":    {{Name: "z/y.sv", Text: files[0].Text}, {Name: "x.v", Text: files[1].Text}},
		"files in another order":  {files[1], files[0]},
		"one file":                {{Name: "all.sv", Text: bare(files[0]) + bare(files[1])}},
	} {
		if name == "blanks" { // a string keeps its own
			same[1].Text = strings.ReplaceAll(same[1].Text, "two\t words", "two  words")
		}
		if got := gen.DesignDigest("top", same); got != want {
			t.Errorf("%s: the digest has changed:\n%s\n%s", name, same[0].Text, same[1].Text)
		}
	}
	if gen.DesignDigest("my_top", in("module top", "module my_top", "module part", "module my_part", " part #", " my_part #")) != want {
		t.Error("modules of other names: the digest has changed")
	}
}

func TestDesignDigestChanges(t *testing.T) {
	files := pair()
	before := map[string]string{gen.DesignDigest("top", files): "as it is"}
	for name, other := range map[string][]gen.File{
		"a parameter's value":            in("W = 8", "W = 9"),
		"a parameter's value, instance":  in(".W(8)", ".W(9)"),
		"an instance's name":             in("u_part", "u_other"),
		"a signal's name":                in("both", "all"),
		"an escaped name":                in(`\q.0 `, `\q.1 `),
		"an attribute":                   in(`"block"`, `"ultra"`),
		"no attribute":                   in(`(* ram_style = "block" *)`, ""),
		"no attribute of a module":       in(`(* keep_hierarchy = "yes" *)`, ""),
		"a string":                       in("two  words", "two words"),
		"a comment in a string":          in("// no comment", ""),
		"the case of a digit":            in("8'd1", "8'D1"),
		"the sign of a number":           in("8'd1", "8'sd1"),
		"an operator in two":             in("&&", "& &"),
		"another operator":               in("&&", "&"),
		"equal":                          in("===", "=="),
		"blocking":                       in("<=", "="),
		"a choice, not a digit":          in("4'b1x0? :", "4'b1x0 ? b :"),
		"a fill":                         in("'0", "'1"),
		"an exponent":                    in("1.5e3", "1.5e4"),
		"no exponent":                    in("1.5e3", "1.5"),
		"a unit of time":                 in("10ns", "10ps"),
		"another timescale":              in("1ns / 1ps", "1ns / 1ns"),
		"another kind of net":            in("nettype none", "nettype wand"),
		"a macro":                        in("`resetall\n`timescale", "`define X 1\n`resetall\n`timescale"),
		"an include guard":               in("`resetall\n`timescale", "`ifndef X\n`define X\n`resetall\n`timescale", "// A comment.", "`endif"),
		"a macro, function-like":         in("`resetall\n`timescale", "`define X (1)\n`resetall\n`timescale"),
		"a directive on a module's line": in("`resetall\n`timescale", "`resetall module\n`timescale"),
		"a comment for tools":            in("// A comment.", "// synopsys translate_off"),
		"a comment for linters":          in("// A comment.", "/*verilator public_flat*/"),
		"a carriage return":              in("// A comment.", "// A comment.\r"),
		"a comment without an end":       in("// A comment.", "/* A comment."),
		"a string without an end":        in("comment\"", "comment"),
		"a declaration outside":          in("// A comment.", "typedef int t;"),
		"a label":                        in("endmodule", "endmodule : part"),
		"a module twice":                 append(pair(), files[0]),
		"a module in a module":           in("endmodule", "module m; endmodule endmodule"),
		"a module more":                  append(pair(), gen.File{Name: "more.sv", Text: "module more; endmodule"}),
		"a module less":                  files[1:],
		"another module":                 in("  part #", "  parts #"),
		"an escaped module":              in("  part #", `  \part #`),
		"a table":                        append(pair(), gen.File{Name: "table.mem", Text: "0"}),
		"another table":                  append(pair(), gen.File{Name: "table.mem", Text: "1"}),
		"a table of another name":        append(pair(), gen.File{Name: "tables.mem", Text: "1"}),
		"nothing":                        nil,
	} {
		got := gen.DesignDigest("top", other)
		if was, ok := before[got]; ok {
			t.Errorf("%s: the digest is the same as of: %s", name, was)
		}
		before[got] = name
	}
	if _, ok := before[gen.DesignDigest("part", files)]; ok {
		t.Error("another top: the digest has not changed")
	}
	if gen.DesignDigest("top", in("module top", "module tops")) == gen.DesignDigest("tops", in("module top", "module tops")) {
		t.Error("a top that is not there: the digest has not changed")
	}
}

// Modules that swap their names at one place only are another design.
func TestDesignDigestTellsModulesApart(t *testing.T) {
	text := "module a(output logic x); assign x = 0; endmodule module b(output logic x); assign x = 1; endmodule module top(output logic x, y); a u_a(.x); b u_b(.x(y)); endmodule"
	digest := func(replace ...string) string {
		return gen.DesignDigest("top", []gen.File{{Name: "t.sv", Text: strings.NewReplacer(replace...).Replace(text)}})
	}
	if digest("a u_a", "b u_a", "b u_b", "a u_b") == digest() {
		t.Error("instances of each other's module: the digest has not changed")
	}
	if digest("a u_a", "b u_a", "b u_b", "a u_b", "module a", "module b", "module b", "module a") != digest() {
		t.Error("each other's names, everywhere: the digest has changed")
	}
}

// Any token less, more or changed, and any two swapped, change the digest.
func TestDesignDigestOfEdits(t *testing.T) {
	files := pair()
	was := gen.DesignDigest("top", files)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, len(files)-1).Draw(t, "file")
		tokens, ok := gen.Lex(files[n].Text)
		if !ok {
			t.Fatal("the text has no tokens")
		}
		var places []int // without a directive there or later, which another test covers
		for i := range tokens[1:] {
			if tokens[i][0] != '`' && tokens[i+1][0] != '`' {
				places = append(places, i)
			}
		}
		at := rapid.SampledFrom(places).Draw(t, "token")
		edited := slices.Clone(tokens)
		switch kind := rapid.SampledFrom([]string{"drop", "double", "swap", "change"}).Draw(t, "edit"); {
		case kind == "drop":
			edited = slices.Delete(edited, at, at+1)
		case kind == "double":
			edited = slices.Insert(edited, at, edited[at])
		case kind == "swap" && edited[at] != edited[at+1]:
			edited[at], edited[at+1] = edited[at+1], edited[at]
		default:
			edited[at] += "_"
		}
		now := slices.Clone(files)
		now[n].Text = strings.Join(edited, "\n")
		if gen.DesignDigest("top", now) == was {
			t.Fatalf("%q in\n%s\nhas not changed the digest", tokens[at], now[n].Text)
		}
	})
}

func TestLex(t *testing.T) {
	for text, want := range map[string]string{
		"a&&b& &c&&&d":              "a && b & & c &&& d",
		"x<<<=y<=z< =w":             "x <<<= y <= z < = w",
		"4'b1?0:1":                  "4 'b1?0 : 1",
		"4'b1 ?0:1":                 "4 'b1 ? 0 : 1",
		"8 'h\nfF_x":                "8 'hfF_x",
		"'0 'x W'(a) '{1,2} 3'sb1":  "'0 'x W ' ( a ) '{ 1 , 2 } 3 'sb1",
		"1.5e-3 1e3+2 1.a 10ns 1e-": "1.5e-3 1e3 + 2 1 . a 10ns 1e -",
		`\a+b c "x\"//" d`:          `\a+b c "x\"//" d`,
		"@(*) (* k *) .*,":          "@ (* ) (* k *) .* ,",
		"a// b\n/* c\n// */d/**/e":  "a d e",
		"`define  X\ty // z\nq":     "`define X y q",
		"$clog2(a$b) §":             "$clog2 ( a$b ) \xc2 \xa7",
	} {
		if got, ok := gen.Lex(text); !ok || strings.Join(got, " ") != want {
			t.Errorf("%q: got %q %v, want %q", text, strings.Join(got, " "), ok, want)
		}
	}
	for _, text := range []string{"/* a", `"a`, "\"a\nb\"", `"""a"""`, "a\rb", "a\x00", "//synopsys x", "/* verilator lint_off */", `"\`} {
		if got, ok := gen.Lex(text); ok {
			t.Errorf("%q: got %q, want that it is not split", text, got)
		}
	}
}

// Any text has the same tokens as the same text with other blanks and more comments. The tokens
// hold all of the text except blanks and comments.
func FuzzLex(f *testing.F) {
	for _, file := range pair() {
		f.Add(file.Text)
	}
	for _, text := range []string{"", "'", "'s", "'sh", "8'd q", "1.e+", "`", "`x\\\ny", "\\", "/", "/*/", "//", "\"\\", "(*)", "'{'{'0}}", "é"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tokens, ok := gen.Lex(text)
		if !ok {
			return
		}
		for _, join := range []string{"\n", "\n/* a */ // b\n\t"} {
			again, ok := gen.Lex(strings.Join(tokens, join))
			if !ok || !slices.Equal(tokens, again) {
				t.Fatalf("%q\ngives  %q,\nand again with %q %q %v", text, tokens, join, again, ok)
			}
		}
		if !strings.Contains(text, "//") && !strings.Contains(text, "/*") {
			bare := strings.NewReplacer(" ", "", "\t", "", "\n", "", "\r", "", "\v", "", "\f", "") // strings.Fields knows blanks beyond ASCII
			if got, want := bare.Replace(strings.Join(tokens, "")), bare.Replace(text); got != want {
				t.Fatalf("%q gives %q", want, got)
			}
		}
		gen.DesignDigest("top", []gen.File{{Name: "a.sv", Text: text}, {Name: "b.sv", Text: fmt.Sprintf("module m; %s endmodule", text)}})
	})
}
