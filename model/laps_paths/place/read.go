// SPDX-License-Identifier: Apache-2.0

package place

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/nicgen/nicgen/internal/gunzip"
	"github.com/nicgen/nicgen/internal/plainyaml"
)

// Limits of the reader, so that no file takes unbounded time or memory.
const (
	MaxText    = 256 << 20 // bytes of a table's text, unpacked
	maxYAML    = 4 << 20   // bytes of a YAML table: some 40,000 paths
	maxNesting = 4         // brackets inside brackets, in YAML
)

// Columns are the columns of a CSV path table, in order. Anchors are separated by
// blanks.
var Columns = []string{"destination", "path", "base_ns", "latency_ns", "anchors"}

// ReadCSV reads a table of one host: a line of Columns, then a line for each path. An empty
// latency_ns is base_ns.
// name is the file's, for messages.
func ReadCSV(name string, r io.Reader) (*Table, error) {
	c := csv.NewReader(r)
	c.FieldsPerRecord = len(Columns)
	head, err := c.Read()
	if len(head) > 0 {
		head[0] = string(plainyaml.Text([]byte(head[0]))) // spreadsheets write a byte-order mark
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w, want the columns %s", name, err, strings.Join(Columns, ","))
	}
	for i, h := range head {
		if strings.TrimSpace(h) != Columns[i] {
			return nil, fmt.Errorf("%s:1: column %.40q, want %s", name, h, strings.Join(Columns, ","))
		}
	}
	t := &Table{}
	for {
		rec, err := c.Read()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := c.FieldPos(0)
		n := numbers{where: fmt.Sprintf("%s:%d", name, line)}
		p := Path{Destination: n.number("destination", rec[0], 63), Name: n.number("path", rec[1], 63), BaseNS: uint32(n.number("base_ns", rec[2], 32))}
		p.LatencyNS = p.BaseNS
		if strings.TrimSpace(rec[3]) != "" {
			p.LatencyNS = uint32(n.number("latency_ns", rec[3], 32))
		}
		for _, a := range strings.Fields(rec[4]) {
			p.Anchors = append(p.Anchors, uint32(n.number("anchor", a, 32)))
		}
		if n.err != nil {
			return nil, n.err
		}
		t.Paths = append(t.Paths, p)
	}
}

// yamlTable is the shape of a YAML table.
type yamlTable struct {
	Source int64 `yaml:"source"`
	Paths  []struct {
		Destination *int64   `yaml:"destination"`
		Path        *int64   `yaml:"path"`
		BaseNS      uint32   `yaml:"base_ns"`
		LatencyNS   *uint32  `yaml:"latency_ns"`
		Anchors     []uint32 `yaml:"anchors"`
	} `yaml:"paths"`
}

// yamlKeys are the keys of a YAML table.
var yamlKeys = []string{"source", "paths", "destination", "path", "base_ns", "latency_ns", "anchors"}

// ReadYAML reads a table of one host:
//
//	source: 80
//	paths:
//	  - {destination: 88, path: 0, base_ns: 9600, latency_ns: 9600, anchors: [8, 1]}
//
// Without latency_ns a path begins with its base_ns. name is the file's, for messages. Unknown keys are refused, as are YAML's anchors,
// aliases and tags; a table beyond 4 MiB has to be CSV.
func ReadYAML(name string, text []byte) (*Table, error) {
	if len(text) > maxYAML {
		return nil, fmt.Errorf("%s: %d bytes of YAML, want at most %d: write the table as CSV", name, len(text), maxYAML)
	}
	text = plainyaml.Text(text)
	if e := plainyaml.Check(text, maxNesting, yamlKeys...); e != nil {
		return nil, fmt.Errorf("%s:%w", name, e)
	}
	var y yamlTable
	if err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(&y); err != nil {
		var e yaml.Error
		switch {
		case errors.Is(err, io.EOF):
			return nil, fmt.Errorf("%s: empty, want source and paths", name)
		case errors.As(err, &e) && e.GetToken() != nil && e.GetToken().Position != nil:
			at := e.GetToken().Position
			return nil, fmt.Errorf("%s:%d:%d: %s", name, at.Line, at.Column, e.GetMessage())
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if y.Source < 0 {
		return nil, fmt.Errorf("%s: source %d, want the number of a host, from 0 upwards", name, y.Source)
	}
	t := &Table{Source: y.Source}
	for i, p := range y.Paths {
		if p.Destination == nil || p.Path == nil || *p.Destination < 0 || *p.Path < 0 {
			return nil, fmt.Errorf("%s: entry %d of paths has no destination or no path, want both, from 0 upwards", name, i+1)
		}
		latency := p.BaseNS
		if p.LatencyNS != nil {
			latency = *p.LatencyNS
		}
		t.Paths = append(t.Paths, Path{Name: *p.Path, Destination: *p.Destination, BaseNS: p.BaseNS, LatencyNS: latency, Anchors: p.Anchors})
	}
	return t, nil
}

// Costs derives baselines from path lengths, for the LAPS authors' tables, which have no latencies.
type Costs struct {
	BaseNS  uint32 // of any path
	HopNS   uint32 // for each link, where the length is known
	Anchors int    // anchors to take from the nodes along a path
}

// ReadAuthors reads the LAPS authors' path search table, in which only the lines "src dst n pid1 …
// pidn" of one source host count, and if pit is not nil their path information table, of lines "pid
// priority", L output ports, L+1 nodes. The names are the files', for messages.
//
// The tables have neither latencies nor anchors. costs gives the baselines. Anchors are inner nodes
// of the path: all, or as many as costs allows, spread evenly.
func ReadAuthors(pstName string, pst io.Reader, pitName string, pit io.Reader, source int64, costs Costs) (*Table, error) {
	t := &Table{Source: source}
	known, hosts := false, map[int64]bool{}
	err := lines(pst, func(n int, f []string) error {
		v := numbers{where: fmt.Sprintf("%s:%d", pstName, n)}
		if len(f) < 4 {
			return fmt.Errorf("%s: %d fields, want src dst n pid1 … pidn", v.where, len(f))
		}
		src, dst, count := v.number("source", f[0], 63), v.number("destination", f[1], 63), v.number("count", f[2], 31)
		if v.err == nil && int64(len(f)) != 3+count {
			return fmt.Errorf("%s: %d path numbers, want %d", v.where, len(f)-3, count)
		}
		hosts[src] = true
		if src != source {
			return v.err
		}
		known = true
		for _, x := range f[3:] {
			t.Paths = append(t.Paths, Path{Name: v.number("path", x, 63), Destination: dst, BaseNS: costs.BaseNS, LatencyNS: costs.BaseNS})
		}
		return v.err
	})
	if err != nil {
		return nil, err
	}
	if !known {
		return nil, fmt.Errorf("%s: no path from source %d, want one of its %d sources", pstName, source, len(hosts))
	}
	if pit == nil {
		return t, nil
	}
	at := map[int64]int{}
	for i, p := range t.Paths {
		at[p.Name] = i
	}
	found := 0
	err = lines(pit, func(n int, f []string) error {
		v := numbers{where: fmt.Sprintf("%s:%d", pitName, n)}
		if len(f) < 5 || len(f)%2 == 0 {
			return fmt.Errorf("%s: %d fields, want pid, priority, L ports and L+1 nodes", v.where, len(f))
		}
		i, ok := at[v.number("path", f[0], 63)]
		if !ok || v.err != nil {
			return v.err
		}
		found++
		hops := (len(f) - 3) / 2
		nodes := f[2+hops:]
		p := &t.Paths[i]
		base := uint64(costs.BaseNS) + uint64(hops)*uint64(costs.HopNS)
		if base > math.MaxUint32 {
			return fmt.Errorf("%s: a baseline of %d ns for %d links, want below 2^32: lower the cost of a link", v.where, base, hops)
		}
		p.BaseNS = uint32(base)
		p.LatencyNS, p.Anchors = p.BaseNS, nil
		if src, dst := v.number("node", nodes[0], 63), v.number("node", nodes[hops], 63); v.err == nil && (src != source || dst != p.Destination) {
			return fmt.Errorf("%s: path %d goes from %d to %d, want from %d to %d as in %s", v.where, p.Name, src, dst, source, p.Destination, pstName)
		}
		for _, x := range spread(nodes[1:hops], costs.Anchors) {
			p.Anchors = append(p.Anchors, uint32(v.number("node", x, 32)))
		}
		return v.err
	})
	if err == nil && found < len(t.Paths) {
		err = fmt.Errorf("%s: %d of the %d paths from source %d, want all", pitName, found, len(t.Paths), source)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// spread picks at most n of a list, evenly.
func spread(list []string, n int) []string {
	if len(list) <= n {
		return list
	}
	var out []string
	for i := range n {
		out = append(out, list[(2*i+1)*len(list)/(2*n)])
	}
	return out
}

// lines calls f with the fields of each line that is not empty, and its number.
func lines(r io.Reader, f func(n int, fields []string) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	for n := 1; s.Scan(); n++ {
		if fields := strings.Fields(s.Text()); len(fields) > 0 {
			if err := f(n, fields); err != nil {
				return err
			}
		}
	}
	return s.Err()
}

// numbers reads numbers and remembers the first that is none.
type numbers struct {
	where string
	err   error
}

func (n *numbers) number(what, s string, bits int) int64 {
	v, err := strconv.ParseUint(strings.TrimSpace(s), 10, bits)
	if err != nil && n.err == nil {
		n.err = fmt.Errorf("%s: %s %.40q, want a whole number from 0 to 2^%d - 1", n.where, what, s, bits)
	}
	return int64(v)
}

// Plain decompresses a text that begins like a gzip file. It unpacks at most MaxText bytes.
func Plain(name string, text []byte) ([]byte, error) {
	if !gunzip.Is(text) {
		return text, nil
	}
	z, err := gunzip.New(bufio.NewReader(bytes.NewReader(text)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	plain, err := io.ReadAll(io.LimitReader(gunzip.Strict(z), MaxText+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(plain) > MaxText {
		return nil, fmt.Errorf("%s: unpacks to more than %d bytes, want at most that: the paths from one host", name, MaxText)
	}
	return plain, nil
}
