// SPDX-License-Identifier: Apache-2.0

package sv

import (
	"regexp"
	"strings"

	"github.com/nicgen/nicgen/gen"
)

// declared is a declaration up to its name: indent, type, space, name and the rest.
var declared = regexp.MustCompile(`^( *)((?:input  wire |output      |localparam )?logic(?: signed)?(?: \[[^\]]*\])*)( +)(\w.*)$`)

// Align aligns the names of neighbouring declarations of each file in one column, which templates
// with variable widths cannot do.
func Align(files []gen.File) {
	for i := range files {
		lines := strings.Split(files[i].Text, "\n")
		for at := 0; at < len(lines); at++ {
			m := declared.FindStringSubmatch(lines[at])
			if m == nil {
				continue
			}
			group, width := [][]string{m}, len(m[2])
			for _, l := range lines[at+1:] {
				n := declared.FindStringSubmatch(l)
				if n == nil || n[1] != m[1] {
					break
				}
				group, width = append(group, n), max(width, len(n[2]))
			}
			for k, n := range group {
				lines[at+k] = n[1] + n[2] + strings.Repeat(" ", width-len(n[2])+1) + n[4]
			}
			at += len(group) - 1
		}
		files[i].Text = strings.Join(lines, "\n")
	}
}
