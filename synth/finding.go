// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/synth/mapped"
)

// Finding is something wrong with a design, said by one tool.
type Finding struct {
	Tool   string `json:"tool"`
	Rule   string `json:"rule"` // Verilator's name of the rule, "warning" or "error"
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`   // 1 is the first; 0: not known
	Column int    `json:"column,omitempty"` // 1 is the first; 0: not known
	Text   string `json:"text"`
}

// String returns "file:line:column: text (tool rule)", without unknown parts.
func (f Finding) String() string {
	s := ""
	if f.File != "" {
		s = f.File + ":"
		if f.Line > 0 {
			s += strconv.Itoa(f.Line) + ":"
			if f.Column > 0 {
				s += strconv.Itoa(f.Column) + ":"
			}
		}
		s += " "
	}
	return fmt.Sprintf("%s%s (%s %s)", s, f.Text, f.Tool, f.Rule)
}

var (
	yosysLine = regexp.MustCompile(`^(?:(\S+?):(\d+)(?:\.\d+)?(?:-\d+(?:\.\d+)?)?: )?(Warning|ERROR): (.*)$`)
	seeLine   = regexp.MustCompile(`\bSee (\S+?):(\d+)`)
	// A wire that Yosys made up carries the line of its expression.
	madeAt = regexp.MustCompile(`\$([A-Za-z0-9_./-]+\.s?v):(\d+)\$`)
	// Messages of Yosys about the cells of its own library while it maps them, and about its -abc9:
	// neither concerns the design.
	libraryTalk = regexp.MustCompile(`^Resizing cell port .* from \d+ bits to \d+ bits\.$`)
	flowTalk    = regexp.MustCompile(`^'synth_xilinx -abc9' not currently supported for the 'xcup' family`)
	summary     = regexp.MustCompile(`^Found \d+ problems in 'check -assert'`)
	// Errors caused by Yosys itself, not by the design.
	toolTrouble = regexp.MustCompile(`^(ABC: |Can't open |Can not open |No such command|Command syntax error|Unknown option)`)
)

// parseYosys reads warnings and errors, and reports whether Yosys gave up on the design.
func (j *job) parseYosys(out string) (list []Finding, rejected bool) {
	mapped := false
	open := false // the line before was a finding that may go on
	for _, line := range strings.Split(out, "\n") {
		m := yosysLine.FindStringSubmatch(line)
		switch {
		case strings.Contains(line, mappedMark):
			mapped = true
			continue
		case m == nil:
			if open && strings.HasPrefix(line, "  ") {
				last := &list[len(list)-1]
				last.Text = strings.TrimSuffix(last.Text, ":") + "; " + strings.TrimSpace(line)
			}
			continue
		}
		open = false
		text := m[4]
		if flowTalk.MatchString(text) || mapped && libraryTalk.MatchString(text) {
			continue
		}
		if m[3] == "ERROR" {
			if toolTrouble.MatchString(text) {
				return nil, false
			}
			rejected = true
			if summary.MatchString(text) && len(list) > 0 {
				continue
			}
		}
		f := Finding{Tool: "yosys", Rule: strings.ToLower(m[3]), Text: text}
		if m[1] == "" {
			if see := seeLine.FindStringSubmatch(text); see != nil {
				m[1], m[2] = see[1], see[2]
			}
		}
		if m[1] == "" {
			if made := madeAt.FindStringSubmatch(text); made != nil {
				m[1], m[2] = made[1], made[2]
			}
		}
		if m[1] != "" && m[1] != "input" {
			f.File = m[1]
			f.Line, _ = strconv.Atoi(m[2])
		}
		list = append(list, f)
		open = true
	}
	return list, rejected
}

var namedWire = regexp.MustCompile(`\\(\S+?)(?: \[[\d:]+\])?(?: is |:|\.?$)`)

// locate adds the place of declaration to findings that only name a wire.
func locate(n *mapped.Netlist, list []Finding) []Finding {
	for i := range list {
		f := &list[i]
		m := namedWire.FindStringSubmatch(f.Text)
		if f.File != "" || m == nil {
			continue
		}
		w, ok := n.Netnames[m[1]]
		if !ok {
			continue
		}
		file, pos, _ := strings.Cut(n.Source(w.Attributes), ":")
		line, col, _ := strings.Cut(pos, ".")
		f.File = file
		f.Line, _ = strconv.Atoi(line)
		f.Column, _ = strconv.Atoi(col)
	}
	return list
}
