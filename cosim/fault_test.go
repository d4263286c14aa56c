// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// trap is a module that counts to n and then does what body says.
func trap(decl, body string) Source {
	return Source{Top: "trap", Files: []File{{"trap.sv", fmt.Sprintf(`module trap (
    input  wire logic       clk,
    input  wire logic       rst,
    output logic      [7:0] count
);
  %s
  always_ff @(posedge clk) begin
    count <= count + 8'd1;
    %s
    if (rst) count <= '0;
  end
endmodule
`, decl, body)}}}
}

// drive resets a trap and runs it for n cycles more.
func drive(l *Library, n int) (*Instance, int, error) {
	i, err := l.New(InstanceOptions{Seed: 1})
	if err != nil {
		return nil, 0, err
	}
	in, out := make([]uint64, (n+1)*l.Layout().InWords), make([]uint64, (n+1)*l.Layout().OutWords)
	l.Layout().MustSlot("rst").Set(in, 1)
	done, err := i.Run(in, out)
	return i, done, err
}

// The end of a simulator becomes an error with its place and cycle; the process and other
// devices live on.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name, decl, body string
		want             SimError
		log              string
	}{
		{name: "finish", body: "if (!rst && count == 8'd3) $finish;",
			want: SimError{Kind: "finish", Cycle: 4, Line: 9, Message: "$finish"}},
		{name: "finish twice", body: "if (!rst && count == 8'd3) begin $finish; $finish; end",
			want: SimError{Kind: "finish", Cycle: 4, Line: 9, Message: "$finish"}},
		{name: "stop", body: "if (!rst && count == 8'd3) $stop;",
			want: SimError{Kind: "error", Cycle: 4, Line: 9, Message: "$stop"}},
		{name: "error", body: `if (!rst && count == 8'd5) $error("count is %0d", count);`,
			want: SimError{Kind: "error", Cycle: 6, Line: 9, Message: "Assertion failed in TOP.trap: count is 5"}},
		{name: "fatal", body: `if (!rst && count == 8'd5) $fatal(1, "the end");`,
			want: SimError{Kind: "error", Cycle: 6, Line: 9, Message: "Assertion failed in TOP.trap: the end"}},
		{name: "assert", body: `assert (rst || count < 8'd7);`,
			want: SimError{Kind: "error", Cycle: 8, Line: 9, Message: "Assertion failed in TOP.trap: 'assert' failed."}},
		{name: "concurrent assertion", decl: "a_small: assert property (@(posedge clk) disable iff (rst) count < 8'd7) else $error(\"too large\");",
			want: SimError{Kind: "error", Cycle: 8, Line: 6, Message: "Assertion failed in TOP.trap.a_small: too large"}},
		{name: "unique case", body: "if (!rst) unique case (1'b1) count[1]: ; count[0]: ; default: ; endcase",
			want: SimError{Kind: "error", Cycle: 4, Line: 9, Message: "parallel_case, but multiple matches found"}},
		{name: "memory file missing", decl: "logic [7:0] rom[4]; initial $readmemh(\"nowhere.mem\", rom);", body: "if (count == 8'd77) count <= rom[0];",
			want: SimError{Kind: "warning", Cycle: 0, File: "nowhere.mem", Message: "$readmem file not found"}},
		{name: "no convergence", decl: `/* verilator lint_off UNOPTFLAT */ logic loop; assign loop = count == 8'd4 && !rst && !loop;`, body: "if (loop) count <= 8'd9;",
			want: SimError{Kind: "fatal", Cycle: 4, Line: 1, Message: "region did not converge."}},
		{name: "printing", body: `if (!rst && count == 8'd2) begin $display("hello %0d", count); $warning("careful"); end if (!rst && count == 8'd4) $finish;`,
			want: SimError{Kind: "finish", Cycle: 5, Line: 9, Message: "$finish"}, log: "hello 2\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want.File == "" {
				c.want.File = "trap.sv"
			}
			src := trap(c.decl, c.body)
			l, err := Build(t.Context(), src, BuildOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			i, done, err := drive(l, 40)
			var e *SimError
			if !errors.As(err, &e) {
				t.Fatalf("%d cycles, %v", done, err)
			}
			if e.Kind != c.want.Kind || e.File != c.want.File || e.Line != c.want.Line || !strings.HasSuffix(e.Message, c.want.Message) {
				t.Errorf("got  %+v\nwant %+v", *e, c.want)
			}
			if e.Cycle != c.want.Cycle || uint64(done) != e.Cycle {
				t.Errorf("cycle %d after %d cycles, want %d", e.Cycle, done, c.want.Cycle)
			}
			if !strings.HasPrefix(e.Log, c.log) {
				t.Errorf("log %q, want %q in front", e.Log, c.log)
			}
			if i == nil {
				return // it did not even start
			}
			defer i.Close()
			if n, err := i.Run(make([]uint64, l.Layout().InWords), make([]uint64, l.Layout().OutWords)); n != 0 || err != error(e) {
				t.Errorf("after its end: %d cycles, %v", n, err)
			}
			// Another instance of the same library is not concerned.
			j, err := l.New(InstanceOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer j.Close()
			in := make([]uint64, l.Layout().InWords)
			l.Layout().MustSlot("rst").Set(in, 1)
			if n, err := j.Run(in, make([]uint64, l.Layout().OutWords)); n != 1 || err != nil {
				t.Errorf("another instance: %d cycles, %v", n, err)
			}
		})
	}
}
