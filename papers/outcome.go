// SPDX-License-Identifier: Apache-2.0

package papers

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/transport"
)

// Outcome is the result of a figure.
type Outcome struct {
	Figure string          `json:"figure"`
	Title  string          `json:"title"`
	Paper  string          `json:"paper"`
	Model  transport.Model `json:"model,omitempty"`
	// RTLHosts is the Lab's.
	RTLHosts int `json:"rtl_hosts,omitempty"`
	// Telemetry is the layout, if it is not exact.
	Telemetry string     `json:"telemetry,omitempty"`
	Seed      uint64     `json:"seed"`
	Claims    []Claim    `json:"claims"`
	Head      []string   `json:"head"`
	Rows      [][]string `json:"rows"`
	Series    []Plot     `json:"series,omitempty"`
	// SeriesDigest stands for the series in a record: the SHA-256 of their JSON.
	SeriesDigest string `json:"series_sha256,omitempty"`
}

// Outcomes reads what nicgen reproduce --json wrote: a list, or the outcome of a single figure.
func Outcomes(text []byte) (list []Outcome, err error) {
	if text = bytes.TrimSpace(text); bytes.HasPrefix(text, []byte("{")) {
		text = slices.Concat([]byte("["), text, []byte("]"))
	}
	return list, json.Unmarshal(text, &list)
}

// TableCSV is the table as CSV (RFC 4180), with its heads.
func (o *Outcome) TableCSV() ([]byte, error) {
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(append([][]string{o.Head}, o.Rows...))
	return b.Bytes(), err
}

// SeriesCSV returns the time series of ports, by run, port and bin, as CSV (RFC 4180).
func (o *Outcome) SeriesCSV() ([]byte, error) {
	if o.Series == nil {
		return nil, fmt.Errorf("figure %s has no series of ports", o.Figure)
	}
	lines := [][]string{{"run", "port", "from_us", "gbps", "queue_bytes", "drops"}}
	for _, p := range o.Series {
		for _, s := range p.Ports {
			for k := range s.Gbps {
				lines = append(lines, []string{p.Run, s.Name, strconv.FormatFloat(float64(k)*s.Bin, 'g', -1, 64),
					strconv.FormatFloat(s.Gbps[k], 'g', -1, 64), strconv.FormatInt(s.Queue[k], 10), strconv.FormatUint(s.Drops[k], 10)})
			}
		}
	}
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(lines)
	return b.Bytes(), err
}

// Plot holds the time series of a switch's ports in a run.
type Plot struct {
	Run   string           `json:"run"`
	Ports []measure.Series `json:"ports"`
}

// Relation is the meaning of a paper's number: a value or a bound.
type Relation string

// Relations.
const (
	About   Relation = "about"
	AtLeast Relation = "at least"
	AtMost  Relation = "at most"
)

// Claim is a number of a paper with ours.
type Claim struct {
	Setup    string   `json:"setup"`
	What     string   `json:"what"`
	Relation Relation `json:"relation"`
	Paper    float64  `json:"paper"`
	Within   float64  `json:"within,omitempty"` // of an About: the difference that still counts as the same
	Unit     string   `json:"unit,omitempty"`
	Found    float64  `json:"found"`
	Holds    bool     `json:"holds"`
}

// Claim adds a claim; numbers are rounded to what is printed, so that records repeat to the byte.
func (o *Outcome) Claim(setup, what string, r Relation, paper, within float64, unit string, found float64) {
	c := Claim{Setup: setup, What: what, Relation: r, Paper: paper, Within: within, Unit: unit, Found: Round(found)}
	switch r {
	case About:
		c.Holds = math.Abs(c.Found-paper) <= within
	case AtLeast:
		c.Holds = c.Found >= paper
	case AtMost:
		c.Holds = c.Found <= paper
	}
	o.Claims = append(o.Claims, c)
}

// Round rounds a number to what is printed.
func Round(x float64) float64 { return math.Round(x*100) / 100 }

// Says is the paper's number.
func (c *Claim) Says() string {
	text := strings.TrimSpace(fmt.Sprintf("%s %g %s", c.Relation, c.Paper, c.Unit))
	if c.Within > 0 {
		text += fmt.Sprintf(" (± %g)", c.Within)
	}
	return text
}

// Comes is ours.
func (c *Claim) Comes() string { return strings.TrimSpace(fmt.Sprintf("%g %s", c.Found, c.Unit)) }

// Apart returns the deviation of our number from the paper's.
func (c *Claim) Apart() string {
	d := Round(c.Found - c.Paper)
	if d == 0 {
		return "0"
	}
	text := strings.TrimSpace(fmt.Sprintf("%+g %s", d, c.Unit))
	if c.Paper != 0 && c.Unit != "%" {
		text += fmt.Sprintf(" (%+.1f %%)", 100*d/c.Paper)
	}
	return text
}

// Verdict is one word.
func (c *Claim) Verdict() string {
	if c.Holds {
		return "reproduced"
	}
	return "differs"
}
