// SPDX-License-Identifier: Apache-2.0

package failure

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/nicgen/nicgen/cosim"
)

// cycleTime is the length of a cycle in a waveform, in nanoseconds.
const cycleTime = 10

// gtkwave returns the text of a GTKWave save file for a failing window: clock, inputs that
// are used, outputs that differ with the expected value next to them, and the other
// outputs; the marker is at the failing cycle.
func gtkwave(clock string, l *cosim.Layout, wave string, v []uint64, f *cosim.Finding) *bytes.Buffer {
	b := &bytes.Buffer{}
	mark := f.Cycle * cycleTime
	start := uint64(0)
	if mark > 40*cycleTime {
		start = mark - 40*cycleTime
	}
	fmt.Fprintf(b, "[dumpfile] %q\n[timestart] %d\n", filepath.Base(wave), start)
	fmt.Fprintf(b, "*-6.000000 %d", mark)
	for range 26 {
		b.WriteString(" -1")
	}
	b.WriteString("\n[treeopen] TOP.\n")
	signal := func(name string, width int32) {
		if width == 1 {
			fmt.Fprintf(b, "@28\nTOP.%s\n", name)
		} else {
			fmt.Fprintf(b, "@22\nTOP.%s[%d:0]\n", name, width-1)
		}
	}
	heading := func(format string, args ...any) { fmt.Fprintf(b, "@200\n-"+format+"\n", args...) }
	signal(clock, 1)
	heading("inputs")
	for _, s := range l.Inputs {
		for at := 0; at+l.InWords <= len(v); at += l.InWords {
			if !s.IsZero(v[at:]) {
				signal(s.Name, s.Width)
				break
			}
		}
	}
	differs := map[string]bool{}
	if f.Fault != nil {
		heading("%s:%d: the device ends at the marker", f.Fault.File, f.Fault.Line)
	}
	for _, d := range f.Diffs {
		heading("%s at the marker: want %s, got %s", d.Port, d.Want, d.Got)
		differs[d.Port] = true
		s := l.MustSlot(d.Port)
		signal(s.Name, s.Width)
	}
	heading("other outputs")
	for _, s := range l.Outputs {
		if !differs[s.Name] {
			signal(s.Name, s.Width)
		}
	}
	return b
}
