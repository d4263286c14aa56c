// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// check parses a text and verifies the promises that hold for any text.
func check(t *testing.T, text string) {
	t.Helper()
	f, err := Parse("x.sv", text)
	if err != nil {
		var se *SyntaxError
		if !errors.As(err, &se) || len(se.Problems) == 0 || len(se.Problems) > MaxProblems {
			t.Errorf("error %#v, want a *SyntaxError with 1 to %d problems", err, MaxProblems)
			return
		}
		for _, p := range se.Problems {
			if p.Pos.File != "x.sv" || p.Pos.Line < 1 || p.Pos.Col < 1 || p.Msg == "" {
				t.Errorf("problem without a place or text: %+v", p)
			}
		}
		return
	}
	Check(f)
	d := Elaborate(f)
	for _, m := range f.Modules {
		if ws, err := d.Module(m.Name).PortWidths(nil); err == nil && len(ws) != len(m.Ports) {
			t.Errorf("module %s: %d widths of %d ports", m.Name, len(ws), len(m.Ports))
		}
	}
	var b strings.Builder
	if err := WriteText(&b, f); err != nil {
		t.Error(err)
	}
}

func samples(t testing.TB) map[string]string {
	paths, err := filepath.Glob("testdata/*.sv")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	out := map[string]string{}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		out[p] = string(text)
	}
	return out
}

func TestTruncated(t *testing.T) {
	for _, text := range samples(t) {
		for n := 0; n < len(text); n += 13 {
			check(t, text[:n])
			check(t, text[n:])
		}
	}
}

// Files with parts removed, duplicated or exchanged reach error recovery at every place of the
// grammar.
func TestShuffled(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, text := range samples(t) {
		words := strings.SplitAfter(text, " ")
		for range 150 {
			w := append([]string{}, words...)
			for range 1 + r.IntN(4) {
				i, j := r.IntN(len(w)), r.IntN(len(w))
				switch r.IntN(3) {
				case 0:
					w[i] = ""
				case 1:
					w[i] += w[j]
				default:
					w[i], w[j] = w[j], w[i]
				}
			}
			check(t, strings.Join(w, ""))
		}
	}
}

// Parsers share a cache, which must be safe, also under go test -race.
func TestParallel(t *testing.T) {
	var wg sync.WaitGroup
	for _, text := range samples(t) {
		for i := range 4 {
			wg.Go(func() {
				check(t, text)
				check(t, text[:len(text)*i/4])
			})
		}
	}
	wg.Wait()
}

func TestBinary(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		b := make([]byte, r.IntN(2000))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		check(t, string(b))
		check(t, "module t; assign y = "+string(b))
	}
}

func TestDeep(t *testing.T) {
	const n = 20_000
	for name, text := range map[string]string{
		"parentheses":   body("assign y = " + strings.Repeat("(", n)),
		"closed":        body("assign y = " + strings.Repeat("(", n) + "a" + strings.Repeat(")", n) + ";"),
		"within limit":  body("assign y = " + strings.Repeat("(", MaxNesting-2) + "a" + strings.Repeat(")", MaxNesting-2) + ";"),
		"concatenation": body("assign y = " + strings.Repeat("{2{", MaxNesting/2-2) + "a" + strings.Repeat("}}", MaxNesting/2-2) + ";"),
		"selects":       body("assign y = " + strings.Repeat("a[", MaxNesting-2) + "1" + strings.Repeat("]", MaxNesting-2) + ";"),
		"properties":    body("assert property (" + strings.Repeat("(", MaxNesting-4) + "a" + strings.Repeat(")", MaxNesting-4) + " |-> b);"),
		"unary":         body("assign y = " + strings.Repeat("~", n) + "a;"),
		"sum":           body("assign y = a" + strings.Repeat(" + a", n) + ";"),
		"ternary":       body("assign y = " + strings.Repeat("a ? a : ", n) + "a;"),
		"long ternary":  body("assign y = " + strings.Repeat("a ? a : ", MaxDepth/4) + "a;"),
		"implication":   body("assign y = " + strings.Repeat("a -> ", n) + "a;"),
		"members":       body("assign y = a" + strings.Repeat(".b", n) + ";"),
		"begin":         body("always_comb " + strings.Repeat("begin ", n)),
		"if":            body("always_comb " + strings.Repeat("if (a) ", n) + ";"),
		"else if":       body("always_comb " + strings.Repeat("if (a) y = a; else ", n) + ";"),
		"generate if":   body(strings.Repeat("if (1) ", n) + ";"),
		"generate":      body(strings.Repeat("for (genvar i = 0; i < 2; i++) begin : g ", n)),
		"case":          body("always_comb " + strings.Repeat("case (a) 1: ", n)),
		"struct":        "typedef " + strings.Repeat("struct packed { ", MaxNesting) + "logic a; ",
		"conditionals":  strings.Repeat("`ifdef A\n", n),
		"macros":        "`define A a a a a a a a a\n" + doubling(15) + "module t; `A15 endmodule",
		"empty macros":  "`define A\n" + doubling(15) + "module t; `A15 endmodule",
		"dimensions":    "module t (input " + strings.Repeat("[1:0]", n) + " a); endmodule",
		"many modules":  strings.Repeat("module t; endmodule\n", n),
		"bad bodies":    strings.Repeat("module t; assign endmodule\n", n),
	} {
		t.Run(name, func(t *testing.T) { check(t, text) })
	}
}

// doubling defines macros A1 to An, each eight times as long as the one before.
func doubling(n int) string {
	var b strings.Builder
	prev := "`A"
	for i := 1; i <= n; i++ {
		name := "A" + string(rune('0'+i/10)) + string(rune('0'+i%10))
		if i == n {
			name = "A15"
		}
		b.WriteString("`define " + name + strings.Repeat(" "+prev, 8) + "\n")
		prev = "`" + name
	}
	return b.String()
}

// More seeds are in testdata/fuzz. Minimising takes long on a parser with a cache: run with
// -fuzzminimizetime 1x.
func FuzzParse(f *testing.F) {
	for _, text := range samples(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { check(t, text) })
}
