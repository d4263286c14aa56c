// SPDX-License-Identifier: Apache-2.0

// Package icarus runs a design in Icarus Verilog: a test bench of Verilog around it
// reads an input vector for every cycle and writes an output vector.
//
// The simulator is interpreted, and so slower than Verilator by two orders of
// magnitude, but shares nothing with it, and has four states: what a design reads of a
// register or memory without a value is unknown, and stays so where it matters.
package icarus

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/nicgen/nicgen/internal/dialect"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/verilator"
)

// Bench is the test bench around a design: module nicgen_bench. The ports of the
// design, without the clock, lie in the vectors as in and out say.
func Bench(top, clock string, params map[string]string, in, out []verilator.Pin, inWords, outWords int) string {
	iw, ow := max(64*inWords, 1), max(64*outWords, 1)
	var set, pins, assign []string
	for n, v := range params {
		set = append(set, fmt.Sprintf(".%s(%s)", n, v))
	}
	sort.Strings(set)
	override := ""
	if len(set) > 0 {
		override = "#(" + strings.Join(set, ", ") + ") "
	}
	at := func(p verilator.Pin) int { return 64*p.Word + int(p.Shift) }
	for _, p := range in {
		pins = append(pins, fmt.Sprintf(".%s(in[%d+:%d])", p.Name, at(p), p.Width))
	}
	used := make([]bool, ow)
	for _, p := range out {
		pins = append(pins, fmt.Sprintf(".%s(out[%d+:%d])", p.Name, at(p), p.Width))
		for i := range p.Width {
			used[at(p)+i] = true
		}
	}
	for i := 0; i < ow; {
		n := i
		for n < ow && !used[n] {
			n++
		}
		if n > i {
			assign = append(assign, fmt.Sprintf("  assign out[%d+:%d] = 0;\n", i, n-i))
		}
		i = n + 1
	}
	return fmt.Sprintf(`module nicgen_bench;
  reg clk = 0;
  reg [%d:0] in = 0;
  wire [%d:0] out;
  reg [%d:0] seen;
  %s %sdut (.%s(clk), %s);
%s
  // For every batch: its length, then a vector a cycle. Outputs are those before the
  // edge, and leave after it: a cycle in which the design ends has none. The answers
  // leave with the end of the batch.
  integer n, i, got;
  initial begin
    while ($fscanf(32'h8000_0000, "%%d", n) == 1) begin
      for (i = 0; i < n; i = i + 1) begin
        got = $fscanf(32'h8000_0000, "%%h", in);
        clk = 0;
        #1;
        seen = out;
        clk = 1;
        #1;
        if (^seen === 1'bx) $display("=%%b", seen);
        else $display("=%%h", seen);
      end
      $fflush(32'h8000_0001);
    end
    $finish(0);
  end
endmodule
`, iw-1, ow-1, ow-1, top, override, clock, strings.Join(pins, ", "), strings.Join(assign, ""))
}

// Compile compiles the files, in folder dir, to the program out.
func Compile(ctx context.Context, dir string, files []string, out string) error {
	path, err := tool.Find(tool.Icarus)
	if err != nil {
		return err
	}
	cmd := tool.Command(ctx, path, append([]string{"-g2012", "-s", "nicgen_bench", "-o", out}, files...)...)
	cmd.Dir = dir
	log, err := tool.Run(ctx, cmd)
	var failed *tool.Failed
	if errors.As(err, &failed) {
		failed.Output = errorLines(log, 10)
	}
	return err
}

// errorLines leaves out what Icarus Verilog says of every always_comb block.
func errorLines(log string, n int) string {
	var lines []string
	for _, l := range strings.Split(log, "\n") {
		if !strings.Contains(l, "sorry: constant selects") && len(lines) < n {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n")
}

// Process is a running simulation.
type Process struct {
	cmd   *exec.Cmd
	to    io.WriteCloser
	from  *bufio.Reader
	words int // of an output vector
	log   strings.Builder
	once  sync.Once
}

// Start starts a program that Compile made, with outWords words in an output vector.
func Start(program string, outWords int) (*Process, error) {
	t := tool.Icarus
	t.Name = "vvp"
	path, err := tool.Find(t)
	if err != nil {
		return nil, err
	}
	p := &Process{cmd: exec.Command(path, "-n", program), words: outWords}
	p.cmd.Dir = filepath.Dir(program)
	if p.to, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	from, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.from = bufio.NewReaderSize(from, 1<<16)
	if err := p.cmd.Start(); err != nil {
		return nil, &tool.Failed{Name: "vvp", Err: err}
	}
	return p, nil
}

// Run runs n cycles with the input vectors in and writes the outputs, with zero for an
// unknown bit, and masks of the unknown bits. Of a design that ended it returns how
// many cycles there were before; Log then says why.
func (p *Process) Run(in, out, unknown []uint64, n int) (int, error) {
	sent := make(chan error, 1)
	go func() {
		w := bufio.NewWriterSize(p.to, 1<<16)
		fmt.Fprintf(w, "%d\n", n)
		words := len(in) / n
		for i := range n {
			for k := words - 1; k >= 0; k-- {
				fmt.Fprintf(w, "%016x", in[i*words+k])
			}
			if words == 0 {
				w.WriteByte('0')
			}
			w.WriteByte('\n')
		}
		sent <- w.Flush()
	}()
	for i := 0; i < n; {
		line, err := p.from.ReadString('\n')
		if value, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "="); ok && err == nil {
			if err := parse(value, out[i*p.words:(i+1)*p.words], unknown[i*p.words:(i+1)*p.words]); err != nil {
				return i, err
			}
			i++
			continue
		}
		p.log.WriteString(line)
		if err != nil {
			p.Close()
			<-sent
			return i, io.EOF
		}
	}
	return n, <-sent
}

// parse reads a vector in hexadecimal or, if bits of it are unknown, in binary.
func parse(text string, out, unknown []uint64) error {
	clear(out)
	clear(unknown)
	if len(text) == 16*len(out) {
		for i := range out {
			at := len(text) - 16*(i+1)
			var err error
			if out[i], err = strconv.ParseUint(text[at:at+16], 16, 64); err != nil {
				return fmt.Errorf("answer of vvp: %q", text)
			}
		}
		return nil
	}
	if len(text) != 64*len(out) {
		return fmt.Errorf("answer of vvp: %d digits, want %d", len(text), 64*len(out))
	}
	for i := range len(text) {
		bit := len(text) - 1 - i
		switch text[i] {
		case '0':
		case '1':
			out[bit/64] |= 1 << (bit % 64)
		default:
			unknown[bit/64] |= 1 << (bit % 64)
		}
	}
	return nil
}

// Log returns the design's output.
func (p *Process) Log() string { return p.log.String() }

// Close ends the simulation.
func (p *Process) Close() error {
	p.once.Do(func() {
		p.to.Close()
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait() // killed: that is no news
	})
	return nil
}

// Write lays files into a folder, in the dialect, and returns their names.
func Write(dir string, names, texts []string) ([]string, error) {
	for i, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(dialect.ForIcarus(texts[i])), 0o666); err != nil {
			return nil, err
		}
	}
	return names, nil
}
