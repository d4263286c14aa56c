// SPDX-License-Identifier: Apache-2.0

package failure

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nicgen/nicgen/cosim"
)

// Any text with the right checksum is read, and then written and read again the same
// and placed into ports, or refused.
func FuzzReplay(f *testing.F) {
	l, err := cosim.NewLayout([]cosim.Slot{{Name: "rst", Width: 1}, {Name: "push", Width: 1}, {Name: "data", Width: 16}, {Name: "pop", Width: 1}, {Name: "wide", Width: 100}},
		[]cosim.Slot{{Name: "head", Width: 16}, {Name: "empty", Width: 1}, {Name: "level", Width: 4}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(goodReplay)
	f.Add(passReplay)
	for _, text := range []string{
		"", "nicgen replay 1\n", "nicgen replay 2\n", "nicgen replay 1\nunit \"x\"\nseed 1\nexpect fault \"a:1\" 0\ncycles 0\n",
		"nicgen replay 1\nunit \"x\"\nparam a 1e400\nseed 1\nexpect mismatch \"\" 0\ninput a 64\ncycles 18446744073709551615\nat 0-18446744073709551614 a=0x0\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parseReplay([]byte(text)) // mostly refused by its checksum, but never a crash
		r, err := parseReplay(sealed(text))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if _, err := r.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		again, err := parseReplay(b.Bytes())
		if err != nil {
			t.Fatalf("written as\n%s\nand not read: %v", b.Bytes(), err)
		}
		if d := cmp.Diff(r, again, cmp.AllowUnexported(Recording{}, atLine{}), cmpopts.IgnoreFields(atLine{}, "number"), cmpopts.EquateEmpty(), cmpopts.EquateNaNs()); d != "" {
			t.Errorf("after writing and reading again: %s", d)
		}
		if r.Cycles > 1<<12 {
			return // memory, which vectors bounds already
		}
		if v, err := r.vectors(l); err == nil && len(v) != int(r.Cycles)*l.InWords {
			t.Errorf("%d words of inputs, want %d", len(v), int(r.Cycles)*l.InWords)
		}
		if list, err := r.changes(l, "output", r.Outputs, l.Outputs, r.outs); err == nil && len(list) > 0 && list[len(list)-1].cycle >= r.Cycles {
			t.Errorf("an output of cycle %d of %d", list[len(list)-1].cycle, r.Cycles)
		}
	})
}
