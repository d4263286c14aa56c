// SPDX-License-Identifier: Apache-2.0

// Package soak runs a unit's bench for a long time: over many seeds and configurations, on all
// cores, in chunks that are kept, so that a run can be interrupted and continued. The same plan
// gives the same chunks and the same result on every machine.
package soak

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/cosim/failure"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/tb/bench"
)

// Plan is a plan of runs.
type Plan struct {
	Unit     string
	Configs  []gen.Config // from Configurations
	Bench    func(gen.Config) (cosim.Bench, error)
	Seed     uint64 // of the first chunk; each chunk has the next one
	Events   uint64 // checked events to reach, over all configurations
	Cycles   uint64 // of a chunk in the default configuration; in others a quarter of it
	Optimize int    // the model's compiler's -O, as in cosim.BuildOptions: affects only the time of a chunk
	Lines    bool   // count the executed lines of the RTL
	// Unreachable are lines that need not be executed. It is a failure if one without
	// Chance is executed.
	Unreachable []bench.Unreachable

	// Record, if set, is an earlier result of this plan. Configurations whose RTL has not changed
	// since are taken from the record, and only the chunks of the others run. If the record has
	// fewer events than Events, it is continued: the chunks after its own run. In that case no RTL
	// may have changed.
	Record *Result

	Work     string              // folder in which chunks and replay files are kept; it is made
	Began    func(events uint64) // called with the number of events in the kept chunks, if set
	Progress func(events uint64) // called with the number of events after each chunk, if set
	Failed   func(*cosim.Report) // called with the report of a failed chunk, if set
}

// Chunk is the stored result of one run of the bench.
type Chunk struct {
	Number     int               `json:"number"`
	Digest     string            `json:"digest"` // of configuration and RTL
	Seed       uint64            `json:"seed"`
	Cycles     uint64            `json:"cycles"`
	Events     uint64            `json:"events"`
	Mismatches uint64            `json:"mismatches"`
	Outcome    string            `json:"outcome"` // as in cosim.Report
	Failure    string            `json:"failure,omitempty"`
	Replay     string            `json:"replay,omitempty"`
	Coverage   map[string]uint64 `json:"coverage"`
	Required   []string          `json:"missed,omitempty"`    // required points that this chunk did not reach
	Executed   []string          `json:"executed,omitempty"`  // "file:line (branch)"
	Unreached  []string          `json:"unreached,omitempty"` // the others
}

// Config is the result for one configuration, all its chunks together.
type Config struct {
	Changed     map[string]any    `json:"changed"` // parameters that differ from the default
	RTL         string            `json:"rtl"`     // digest of the RTL, from Digest
	Chunks      int               `json:"chunks"`
	Cycles      uint64            `json:"cycles"`
	Events      uint64            `json:"events"`
	Points      int               `json:"points"`                // functional coverage points
	Reached     int               `json:"reached"`               // of them
	Unreached   []string          `json:"unreached,omitempty"`   // the others, by name
	Missed      []string          `json:"missed,omitempty"`      // required points that no chunk reached
	Lines       int               `json:"lines,omitempty"`       // lines and branches of the RTL
	Unexecuted  []string          `json:"unexecuted,omitempty"`  // lines and branches that no chunk executed, with their text
	Constant    int               `json:"constant,omitempty"`    // lines that this configuration's constants rule out, and that another one's chunks executed
	Unreachable map[string]string `json:"unreachable,omitempty"` // lines that nothing reaches, with the reason on record
	coverage    map[string]uint64
	required    []string
	lines       []string // all of them
}

// String names the changes of the configuration: "connections=3 evs_bits=2", or "default".
func (c *Config) String() string {
	var list []string
	for _, k := range slices.Sorted(maps.Keys(c.Changed)) {
		list = append(list, fmt.Sprintf("%s=%v", k, c.Changed[k]))
	}
	if list == nil {
		return "default"
	}
	return strings.Join(list, " ")
}

// Executed returns the number of executed lines and branches, and of executable ones: without lines that
// constants rule out and lines on record as unreachable.
func (c *Config) Executed() (executed, all int) {
	all = c.Lines - c.Constant - len(c.Unreachable)
	return all - len(c.Unexecuted), all
}

// Result is the result of a plan.
type Result struct {
	Unit       string   `json:"unit"`
	Command    string   `json:"command"`
	Seed       uint64   `json:"seed"`
	Events     uint64   `json:"events"` // checked against the golden model
	Cycles     uint64   `json:"cycles"`
	Chunks     int      `json:"chunks"`
	Mismatches uint64   `json:"mismatches"`
	Failures   []string `json:"failures"`
	Configs    []Config `json:"configurations"`
}

// ReadResult reads a result from a JSON file written by nicgen soak or nicgen coverage. Numbers
// among the parameters keep their text.
func ReadResult(name string) (*Result, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("soak: %w", err)
	}
	var r Result
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // a float64 does not hold every parameter
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("soak: %s: not the result of one unit: %w", name, err)
	}
	return &r, nil
}

// OK reports whether every chunk was equal and every required point was reached in each
// configuration by some chunk.
func (r *Result) OK() bool {
	return len(r.Failures) == 0 && !slices.ContainsFunc(r.Configs, func(c Config) bool { return len(c.Missed) > 0 })
}

// Unexecuted returns the number of lines and branches that no chunk executed, over all
// configurations.
func (r *Result) Unexecuted() (n int) {
	for _, c := range r.Configs {
		n += len(c.Unexecuted)
	}
	return n
}

// config returns the place in Configs of chunk i: every other chunk runs the default configuration,
// and the rest alternate between the others.
func (p *Plan) config(i int) int {
	if i%2 == 0 || len(p.Configs) == 1 {
		return 0
	}
	return 1 + i/2%(len(p.Configs)-1)
}

// cycles returns the length of chunk i.
func (p *Plan) cycles(i int) uint64 {
	if p.config(i) == 0 {
		return p.Cycles
	}
	return max(p.Cycles/4, 1)
}

// least returns the number of chunks after which every configuration had its turn.
func (p *Plan) least() int { return 2*len(p.Configs) - 1 }

// Run executes the plan. Chunks that the folder Work already holds for the same configurations and
// RTL, and with Lines for the same build of the program, are not run again. When ctx ends, results
// are kept and the error is ctx's. After a chunk with a mismatch, no other one is begun.
func Run(ctx context.Context, p Plan) (*Result, error) {
	if err := os.MkdirAll(p.Work, 0o777); err != nil {
		return nil, fmt.Errorf("soak: %w", err)
	}
	name := filepath.Join(p.Work, fmt.Sprintf("%s-seed%d-%d.jsonl", p.Unit, p.Seed, p.Cycles))
	if p.Lines { // coverage depends on the bench too: another build starts over
		program, err := tool.ProgramHash()
		if err != nil {
			return nil, fmt.Errorf("soak: %w", err)
		}
		name = fmt.Sprintf("%s-%.12s.lines", strings.TrimSuffix(name, ".jsonl"), program)
	}
	digests := make([]string, len(p.Configs))
	for i, cfg := range p.Configs {
		err := ctx.Err()
		if err != nil {
			return nil, err
		}
		if digests[i], err = emit.DesignDigest(cfg); err != nil {
			return nil, err
		}
	}
	kept, err := read(name)
	if err != nil {
		return nil, err
	}
	recorded, err := p.recorded(digests)
	if err != nil {
		return nil, err
	}
	chunks := map[int]Chunk{}
	for _, c := range kept {
		// A failed chunk is run again, as the bench may have been fixed.
		if c.Number >= 0 && c.Failure == "" && c.Digest == digests[p.config(c.Number)] && c.Seed == p.Seed+uint64(c.Number) && c.Cycles == p.cycles(c.Number) {
			chunks[c.Number] = c
		}
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, fmt.Errorf("soak: %w", err)
	}
	defer file.Close()

	var mu sync.Mutex
	next, before := 0, uint64(0) // before: events of the record that is continued
	if p.continues() {
		next, before = p.Record.Chunks, p.Record.Events
	}
	first := next
	under := 0 // chunks that are being run
	failed := false
	// take returns the next chunk to run. Chunks are run in order of number until they have enough
	// events; a running chunk counts like the finished ones.
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		if failed {
			return 0, false
		}
		again := p.Record != nil && !p.continues()
		for ; !again || next < p.Record.Chunks; next++ {
			if _, ok := chunks[next]; !ok && (!again || recorded[p.config(next)] == nil) {
				break
			}
		}
		if again && next == p.Record.Chunks {
			return 0, false
		}
		if !again && next >= p.least() && next > under { // otherwise a chunk's number of events is unknown
			n := before
			for i := first; i < next; i++ {
				n += chunks[i].Events
			}
			if n+n/uint64(next-under)*uint64(under) >= p.Events {
				return 0, false
			}
		}
		next, under = next+1, under+1
		return next - 1, true
	}
	done := func() uint64 { return before + events(chunks, first) }
	if p.Began != nil {
		p.Began(done())
	}
	g, ctx := errgroup.WithContext(ctx)
	for range runtime.NumCPU() {
		g.Go(func() error {
			for {
				i, ok := take()
				if !ok {
					return nil
				}
				c, rep, err := p.chunk(ctx, i)
				if err != nil {
					return fmt.Errorf("%s, chunk %d, %s: %w", p.Unit, i, &Config{Changed: changes(p.Configs[0], p.Configs[p.config(i)])}, err)
				}
				c.Digest = digests[p.config(i)]
				line, err := json.Marshal(c)
				if err != nil {
					return err
				}
				mu.Lock()
				_, err = file.Write(append(line, '\n'))
				chunks[i] = c
				under--
				failed = failed || c.Failure != ""
				if p.Progress != nil {
					p.Progress(done())
				}
				if p.Failed != nil && c.Failure != "" {
					p.Failed(rep)
				}
				mu.Unlock()
				if err != nil {
					return fmt.Errorf("soak: %w", err)
				}
			}
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return p.sum(chunks, digests, recorded)
}

// recorded returns the configurations of Record that are taken from it, by their place in Configs,
// or nil.
func (p *Plan) recorded(digests []string) ([]*Config, error) {
	list := make([]*Config, len(p.Configs))
	if p.Record == nil {
		return list, nil
	}
	if p.Lines {
		return nil, errors.New("soak: a record does not have the lines of each configuration: count them all again")
	}
	if r := p.Record; r.Unit != p.Unit || r.Seed != p.Seed || len(r.Configs) != len(p.Configs) {
		return nil, fmt.Errorf("soak: found a record of %s with seed %d and %d configurations, want %s, %d and %d",
			r.Unit, r.Seed, len(r.Configs), p.Unit, p.Seed, len(p.Configs))
	}
	if p.continues() && (p.Record.Mismatches > 0 || len(p.Record.Failures) > 0) {
		return nil, errors.New("soak: the record has failures and cannot be continued: run without it")
	}
	for i := range list {
		c := &p.Record.Configs[i]
		if was := (&Config{Changed: changes(p.Configs[0], p.Configs[i])}).String(); was != c.String() {
			return nil, fmt.Errorf("soak: configuration %d of the record is %s, want %s", i, c, was)
		}
		switch {
		case c.RTL == digests[i]:
			list[i] = c
		case p.continues():
			return nil, fmt.Errorf("soak: the record has %d of %d events and is of other RTL in %s: it cannot be continued: run without it", p.Record.Events, p.Events, c)
		}
		if p.continues() && c.Reached+len(c.Unreached) != c.Points {
			return nil, fmt.Errorf("soak: the record has %d of %d events and does not name the points that %s did not reach: it cannot be continued: run without it", p.Record.Events, p.Events, c)
		}
	}
	return list, nil
}

// continues reports whether the plan continues where its record ends.
func (p *Plan) continues() bool { return p.Record != nil && p.Record.Events < p.Events }

// events returns the events of the chunks from number first on.
func events(chunks map[int]Chunk, first int) (n uint64) {
	for i, c := range chunks {
		if i >= first {
			n += c.Events
		}
	}
	return n
}

// chunk runs one chunk.
func (p *Plan) chunk(ctx context.Context, i int) (Chunk, *cosim.Report, error) {
	cfg := p.Configs[p.config(i)]
	b, err := p.Bench(cfg)
	if err != nil {
		return Chunk{}, nil, err
	}
	rep, err := failure.Run(ctx, b, failure.Options{RunOptions: cosim.RunOptions{Unit: p.Unit, Params: emit.Values(cfg), Seed: p.Seed + uint64(i), Cycles: p.cycles(i),
		Optimize: p.Optimize, Coverage: p.Lines, OutDir: filepath.Join(p.Work, "found")}})
	if err != nil {
		return Chunk{}, nil, err
	}
	c := Chunk{Number: i, Seed: rep.Seed, Cycles: p.cycles(i), Events: rep.Events, Mismatches: rep.Mismatches, Outcome: rep.Outcome, Coverage: rep.Coverage, Required: rep.Missed}
	if f := rep.Failure; f != nil && rep.Outcome != cosim.Missed {
		c.Failure, c.Replay = f.Summary(), f.Replay
	}
	if l := rep.Lines; l != nil {
		// Only lines of the design: the bench's assertions have lines too.
		design := func(list []string) (of []string) {
			for _, name := range list {
				file, _, _ := strings.Cut(name, ":")
				if slices.ContainsFunc(b.Source().Files, func(f cosim.File) bool { return f.Name == file }) {
					of = append(of, name)
				}
			}
			return of
		}
		c.Executed, c.Unreached = design(l.Executed), design(l.Unreached)
		if l.File != "" {
			os.Remove(l.File) // its counts are in the chunk
		}
	}
	return c, rep, nil
}

// sum combines the plan's chunks and the results taken from a record.
func (p *Plan) sum(chunks map[int]Chunk, digests []string, recorded []*Config) (*Result, error) {
	res := &Result{Unit: p.Unit, Seed: p.Seed, Failures: []string{}, Configs: make([]Config, len(p.Configs))}
	for i, cfg := range p.Configs {
		res.Configs[i] = Config{Changed: changes(p.Configs[0], cfg), RTL: digests[i], coverage: map[string]uint64{}}
	}
	more, first := func(i int) bool { return i < p.least() || res.Events < p.Events }, 0
	switch {
	case p.continues():
		first = p.Record.Chunks
		res.Chunks, res.Events, res.Cycles = p.Record.Chunks, p.Record.Events, p.Record.Cycles
		for i, r := range recorded {
			res.Configs[i] = *r
			res.Configs[i].required, res.Configs[i].coverage = r.Missed, map[string]uint64{}
		}
	case p.Record != nil:
		more = func(i int) bool { return i < p.Record.Chunks }
	}
	for i := first; more(i); i++ {
		if !p.continues() && recorded[p.config(i)] != nil {
			continue
		}
		c, ok := chunks[i]
		if !ok {
			break // after a failure
		}
		to := &res.Configs[p.config(i)]
		res.Chunks, res.Events, res.Cycles, res.Mismatches = res.Chunks+1, res.Events+c.Events, res.Cycles+c.Cycles, res.Mismatches+c.Mismatches
		if c.Failure != "" {
			res.Failures = append(res.Failures, fmt.Sprintf("seed %d, %s: %s", c.Seed, to, c.Failure))
		}
		if to.Chunks == 0 {
			to.required, to.Unexecuted = c.Required, c.Unreached
		}
		to.Chunks, to.Cycles, to.Events, to.Lines = to.Chunks+1, to.Cycles+c.Cycles, to.Events+c.Events, len(c.Executed)+len(c.Unreached)
		to.lines = append(slices.Clone(c.Executed), c.Unreached...)
		for k, n := range c.Coverage {
			to.coverage[k] += n
		}
		to.required = both(to.required, c.Required)
		to.Unexecuted = both(to.Unexecuted, c.Unreached)
	}
	for i := range res.Configs {
		c := &res.Configs[i]
		r := recorded[i]
		if r == nil || p.continues() && len(c.coverage) > 0 {
			var open []string
			for _, name := range slices.Sorted(maps.Keys(c.coverage)) {
				if c.coverage[name] == 0 {
					open = append(open, name)
				}
			}
			if r != nil {
				open = both(open, r.Unreached)
			}
			c.Points, c.Reached, c.Unreached, c.Missed = len(c.coverage), len(c.coverage)-len(open), open, c.required
		}
		if r != nil && !p.continues() {
			*c = *r
			res.Chunks, res.Events, res.Cycles = res.Chunks+r.Chunks, res.Events+r.Events, res.Cycles+r.Cycles
		}
	}
	if p.Lines {
		return res, p.constants(res)
	}
	return res, nil
}

// constants removes from each configuration's unexecuted lines the ones whose text another
// configuration executed at each of its places: emitted text keeps the branches that a parameter
// decides. The remaining lines get their text. Lines on record as unreachable are removed too, and
// it is a failure if one of them was executed.
func (p *Plan) constants(res *Result) error {
	texts := make([]map[string]string, len(res.Configs)) // by configuration: name of the line → key
	unreachable := map[string]bench.Unreachable{}
	for _, x := range p.Unreachable {
		unreachable[x.File+": "+x.Line] = x
	}
	executed := map[string]bool{} // keys that some configuration executed at all of their places
	for i, c := range res.Configs {
		b, err := p.Bench(p.Configs[i])
		if err != nil {
			return err
		}
		text := map[string][]string{}
		for _, f := range b.Source().Files {
			text[f.Name] = strings.Split(f.Text, "\n")
		}
		texts[i] = map[string]string{}
		open := map[string]bool{}
		for _, name := range c.lines {
			file, rest, _ := strings.Cut(name, ":")
			at, branch, _ := strings.Cut(rest, " ")
			n, err := strconv.Atoi(at)
			if err != nil || n < 1 || n > len(text[file]) {
				return fmt.Errorf("line coverage of %s: %q is not a line of its source", p.Unit, name)
			}
			texts[i][name] = file + ": " + strings.TrimSpace(text[file][n-1]) + " " + branch
		}
		for _, name := range c.Unexecuted {
			open[texts[i][name]] = true
		}
		for _, key := range texts[i] {
			if !open[key] {
				executed[key] = true
			}
		}
		present := slices.Collect(maps.Values(texts[i]))
		for _, key := range slices.Sorted(maps.Keys(unreachable)) {
			if slices.Contains(present, key) && !open[key] && !unreachable[key].Chance {
				res.Failures = append(res.Failures, fmt.Sprintf("%s: %s: executed, though it is listed as unreachable", &c, key))
			}
		}
	}
	for i := range res.Configs {
		c := &res.Configs[i]
		var left []string
		for _, name := range c.Unexecuted {
			if executed[texts[i][name]] {
				c.Constant++
				continue
			}
			if line, ok := unreachable[texts[i][name]]; ok {
				if c.Unreachable == nil {
					c.Unreachable = map[string]string{}
				}
				c.Unreachable[texts[i][name]] = line.Reason
				continue
			}
			_, key, _ := strings.Cut(texts[i][name], ": ")
			left = append(left, name[:strings.Index(name, " ")]+": "+key)
		}
		c.Unexecuted = left
	}
	return nil
}

// both returns the elements of a that are in b.
func both(a, b []string) []string {
	var list []string
	for _, s := range a {
		if slices.Contains(b, s) {
			list = append(list, s)
		}
	}
	return list
}

// changes returns the parameters of cfg that are not as in def.
func changes(def, cfg gen.Config) map[string]any {
	m, was := emit.Values(cfg), emit.Values(def)
	for k, v := range m {
		if was[k] == v {
			delete(m, k)
		}
	}
	return m
}

// read reads the chunks that are kept. A line truncated by a crash ends the file.
func read(name string) ([]Chunk, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("soak: %w", err)
	}
	var list []Chunk
	s := bufio.NewScanner(bytes.NewReader(text))
	s.Buffer(nil, len(text)+1)
	for n := 1; s.Scan(); n++ {
		var c Chunk
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			if !bytes.HasSuffix(text, []byte("\n")) && bytes.HasSuffix(text, s.Bytes()) {
				return list, os.Truncate(name, int64(len(text)-len(s.Bytes())))
			}
			return nil, fmt.Errorf("soak: %s:%d: %w: remove the file to begin again", name, n, err)
		}
		list = append(list, c)
	}
	return list, s.Err()
}
