// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitProblem `xml:"failure,omitempty"`
	Error   *junitProblem `xml:"error,omitempty"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitProblem struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes reports as JUnit XML, one suite for each unit in order of
// appearance and one test case for each run. A device that ended is an error,
// everything else that did not pass a failure.
func WriteJUnit(w io.Writer, reports []*Report) error {
	var out junitSuites
	at := map[string]int{}
	seconds := map[string]float64{}
	for _, r := range reports {
		i, ok := at[r.Unit]
		if !ok {
			i = len(out.Suites)
			at[r.Unit] = i
			out.Suites = append(out.Suites, junitSuite{Name: "nicgen." + r.Unit})
		}
		s := &out.Suites[i]
		c := junitCase{Class: s.Name, Name: fmt.Sprintf("seed %d, %d cycles", r.Seed, r.Cycles), Time: fmt.Sprintf("%.3f", r.Seconds),
			Output: clean(strings.Join(r.Notes, "\n"))}
		s.Tests++
		if f := r.Failure; f != nil {
			p := &junitProblem{Type: f.Kind, Message: clean(f.Summary()), Text: clean(strings.TrimSpace(f.Explain + "\n" + f.Command))}
			if f.Kind == Fault {
				c.Error = p
				s.Errors++
			} else {
				c.Failure = p
				s.Failures++
			}
		}
		seconds[r.Unit] += r.Seconds
		s.Time = fmt.Sprintf("%.3f", seconds[r.Unit])
		s.Cases = append(s.Cases, c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// clean drops characters that XML cannot hold.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
}
