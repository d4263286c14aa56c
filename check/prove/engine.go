// SPDX-License-Identifier: Apache-2.0

package prove

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/nicgen/nicgen/internal/tool"
)

// reachedSuffix marks the negation of a property's situation: it is violated when the situation
// occurs.
const reachedSuffix = "__reached"

// elaborate makes the graph prove from the assertions with the given name (* for all), and the
// graph reached from assertions that end in reached, unless that is empty. The design before
// bit-blasting is kept as design.il, for replay.
func (j *job) elaborate(ctx context.Context, assertion, reached string) error {
	names := []string{preludeFile}
	for _, f := range j.files {
		names = append(names, f.Name)
	}
	top := "hierarchy -check -top " + j.top
	var keys []string
	for k := range j.params {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		top += " -chparam " + k + " " + j.params[k]
	}
	// A flip-flop with an enable or a reset becomes one without, as AIGER has no others. Outputs
	// are irrelevant, and would count as properties.
	script := []string{
		"read_verilog -formal -sv " + strings.Join(names, " "), top,
		"proc",
	}
	if j.free != "" {
		script = append(script, "cutpoint "+j.free)
	}
	// Otherwise a part that keeps its hierarchy would be a black box.
	script = append(script, "setattr -unset keep_hierarchy", "setattr -mod -unset keep_hierarchy", "flatten", "opt_clean", "memory_map", "opt_expr", "opt_clean",
		"async2sync", "dffunmap", "setundef -undriven -anyseq")
	if j.anyState {
		script = append(script, "setattr -unset init w:* w:age w:*.age %u %d")
	}
	graph := func(file string) []string {
		return []string{"opt_clean", "write_json " + file + ".json", "write_aiger -zinit -map " + file + ".aim " + file + ".aig"}
	}
	bits := []string{"delete -output o:*", "opt_clean", "techmap", "opt_expr", "opt_merge t:$assert %n", "opt_clean", "opt_expr", "opt_clean", "setundef -anyseq", "aigmap"}
	if reached == "" {
		script = append(script, "delete t:$assert n:"+assertion+" %d", "write_rtlil design.il")
		script = append(append(script, bits...), graph("prove")...)
	} else {
		script = append(script, "write_rtlil design.il")
		script = append(script, bits...)
		script = append(script, "design -save whole", "delete t:$assert n:*"+reached+" %i")
		script = append(append(script, graph("prove")...), "design -load whole", "delete t:$assert n:*"+reached+" %d")
		script = append(script, graph("reached")...)
	}
	if err := os.WriteFile(filepath.Join(j.dir, "run.ys"), []byte(strings.Join(script, "\n")+"\n"), 0o644); err != nil {
		return err
	}
	cmd := tool.CommandIn(ctx, j.dir, j.yosys, "-q", "-s", "run.ys")
	out, err := tool.Run(ctx, cmd)
	if err != nil {
		return err
	}
	j.yosysTime += cmd.ProcessState.UserTime()
	for _, line := range strings.Split(out, "\n") {
		if serious.MatchString(line) {
			return &tool.Failed{Name: tool.Yosys.Name, Err: errors.New(strings.TrimSpace(line))}
		}
	}
	return nil
}

// serious warnings mean that a text has a different meaning than it seems to have.
var serious = regexp.MustCompile(`implicitly declared|has no driver|is used but has no driver|multiple conflicting drivers`)

// graph holds the statistics of a graph.
type graph struct {
	inputs, latches, ands int
	names                 []string // of the assertions, in their order in the file
}

func (j *job) graph(name string) (*graph, error) {
	fail := func(err error) (*graph, error) {
		return nil, &tool.Failed{Name: tool.Yosys.Name, Err: fmt.Errorf("graph %s: %w", name, err)}
	}
	b, err := os.ReadFile(filepath.Join(j.dir, name+".json"))
	if err != nil {
		return fail(err)
	}
	var doc struct {
		Modules map[string]struct {
			Cells map[string]struct{ Type string }
		}
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		return fail(err)
	}
	g := &graph{}
	for _, m := range doc.Modules {
		for n, c := range m.Cells {
			if c.Type == "$assert" {
				g.names = append(g.names, n)
			}
		}
	}
	// write_json sorts the cells, but write_aiger does not.
	slices.Sort(g.names)
	head, err := j.aiger(name)
	if err != nil {
		return fail(err)
	}
	// aig M I L O A B C J F
	g.inputs, g.latches, g.ands = head[1], head[2], head[4]
	if head[3] != 0 || head[5] != len(g.names) {
		return fail(fmt.Errorf("%d outputs and %d properties, want 0 and %d", head[3], head[5], len(g.names)))
	}
	return g, nil
}

// aiger returns the numbers in the first line of an AIGER file.
func (j *job) aiger(name string) ([]int, error) {
	b, err := os.ReadFile(filepath.Join(j.dir, name+".aig"))
	if err != nil {
		return nil, err
	}
	line, _, _ := bytes.Cut(b, []byte("\n"))
	words := strings.Fields(string(line))
	if len(words) != 10 || words[0] != "aig" {
		return nil, fmt.Errorf("%s.aig begins with %q, want aig and nine numbers", name, line)
	}
	var out []int
	for _, w := range words[1:] {
		n, err := strconv.Atoi(w)
		if err != nil {
			return nil, fmt.Errorf("%s.aig: %w", name, err)
		}
		out = append(out, n)
	}
	return out, nil
}

// script runs commands in ABC and returns the output.
func (j *job) script(ctx context.Context, commands ...string) (string, error) {
	cmd := tool.CommandIn(ctx, j.dir, j.abc, "-c", strings.Join(commands, "; "))
	out, err := tool.Run(ctx, cmd)
	if cmd.ProcessState != nil {
		j.solveTime += cmd.ProcessState.UserTime()
	}
	return out, err
}

// search is the result of a search for an invariant.
type search struct {
	status          Status
	frames, clauses int
	frame           int // of the violation
}

var (
	invariant = regexp.MustCompile(`Invariant F\[(\d+)\] : (\d+) clauses`)
	checked   = regexp.MustCompile(`Verification of invariant with \d+ clauses was successful`)
	asserted  = regexp.MustCompile(`Output \d+ of miter .* was asserted in frame (\d+)`)
)

// search looks for an invariant that implies a property, all if n is negative.
func (j *job) search(ctx context.Context, graph string, n int, limit time.Duration) (search, error) {
	commands := []string{"read_aiger " + graph + ".aig", "fold"}
	if n >= 0 {
		commands = append(commands, "cone -s -O "+strconv.Itoa(n))
	} else {
		commands = append(commands, "orpos")
	}
	// scorr merges signals that a separate induction shows to be equal: copies of state.
	commands = append(commands, "scorr", "pdr -T "+strconv.Itoa(int(limit/time.Second)))
	out, err := j.script(ctx, commands...)
	if err != nil {
		return search{}, err
	}
	s := search{status: Open}
	if m := asserted.FindStringSubmatch(out); m != nil {
		s.status = Refuted
		s.frame, _ = strconv.Atoi(m[1])
		return s, nil
	}
	if !strings.Contains(out, "Property proved.") {
		return s, nil
	}
	s.status = Proved
	if m := invariant.FindStringSubmatch(out); m != nil {
		if !checked.MatchString(out) {
			return s, &tool.Failed{Name: tool.ABC.Name, Err: errors.New("found an invariant and did not confirm it"), Output: tool.Tail(out, 20)}
		}
		s.frames, _ = strconv.Atoi(m[1])
		s.clauses, _ = strconv.Atoi(m[2])
	}
	return s, nil
}

// bounded looks for the first cycle in which a property is violated, or -1 if none is violated
// within depth cycles. It leaves the inputs that lead there in trace.cex.
func (j *job) bounded(ctx context.Context, graph string, n, depth int, limit time.Duration) (int, error) {
	out, err := j.script(ctx, "read_aiger "+graph+".aig", "fold", "cone -s -a -O "+strconv.Itoa(n),
		fmt.Sprintf("bmc3 -F %d -T %d", depth, int(limit/time.Second)), "write_cex -a trace.cex")
	if err != nil {
		return -1, err
	}
	m := asserted.FindStringSubmatch(out)
	if m == nil {
		return -1, nil
	}
	return strconv.Atoi(m[1])
}

// replay runs Yosys' simulator on the design with the inputs that bounded found: it
// must see the property violated too. The waveform goes to a file in dir, unless that
// is empty; its name is returned.
func (j *job) replay(ctx context.Context, property, dir, name string) (string, error) {
	b, err := os.ReadFile(filepath.Join(j.dir, "trace.cex"))
	if err != nil {
		return "", &tool.Failed{Name: tool.ABC.Name, Err: err}
	}
	head, err := j.aiger("prove")
	if err != nil {
		return "", err
	}
	// ABC leaves out irrelevant latches, and the header. All latches start at 0: power-up values
	// are inputs of the first cycle.
	lines := strings.Split(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(string(b)), "# DONE")), "\n")
	if len(lines) < 2 {
		return "", &tool.Failed{Name: tool.ABC.Name, Err: errors.New("the counterexample has no cycle")}
	}
	witness := "1\nb0\n" + strings.Repeat("0", head[2]) + "\n" + strings.Join(lines[1:], "\n") + "\n.\n"
	script, err := j.powerUp(strings.TrimSpace(lines[1]))
	if err != nil {
		return "", err
	}
	script = append(append([]string{"read_rtlil design.il"}, script...), "sim -clock clk -r trace.aiw -map prove.aim -vcd trace.vcd "+j.top)
	err = errors.Join(os.WriteFile(filepath.Join(j.dir, "trace.aiw"), []byte(witness), 0o644),
		os.WriteFile(filepath.Join(j.dir, "sim.ys"), []byte(strings.Join(script, "\n")+"\n"), 0o644))
	if err != nil {
		return "", err
	}
	cmd := tool.CommandIn(ctx, j.dir, j.yosys, "-q", "-s", "sim.ys")
	out, err := tool.Run(ctx, cmd)
	if err != nil {
		return "", err
	}
	if !strings.Contains(out, "Assert "+j.top+"."+property+" ") {
		return "", &tool.Failed{Name: tool.Yosys.Name, Err: fmt.Errorf("simulation of the counterexample does not violate %s", property), Output: tool.Tail(out, 5)}
	}
	if dir == "" {
		return "", nil
	}
	if b, err = os.ReadFile(filepath.Join(j.dir, "trace.vcd")); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	file := filepath.Join(dir, name+".vcd")
	return file, os.WriteFile(file, b, 0o644)
}

// powerUp gives the registers the initial values of a counterexample, from its first cycle.
func (j *job) powerUp(first string) ([]string, error) {
	b, err := os.ReadFile(filepath.Join(j.dir, "prove.aim"))
	if err != nil {
		return nil, err
	}
	values := map[string][]byte{}
	for _, line := range strings.Split(string(b), "\n") {
		var input, bit int
		var wire string
		if n, _ := fmt.Sscanf(line, "init %d %d %s", &input, &bit, &wire); n != 3 || input >= len(first) {
			continue
		}
		v := values[wire]
		for len(v) <= bit {
			v = append(v, 'x')
		}
		v[bit] = first[input]
		values[wire] = v
	}
	var out []string
	for _, wire := range slices.Sorted(maps.Keys(values)) {
		v := slices.Clone(values[wire])
		slices.Reverse(v) // the highest bit first
		out = append(out, fmt.Sprintf("setattr -set init %d'b%s w:%s", len(v), v, escape(wire)))
	}
	return out, nil
}

// escape writes a name so that a selection takes it letter by letter.
func escape(name string) string {
	return strings.NewReplacer("[", "\\[", "]", "\\]", "*", "\\*", "?", "\\?").Replace(name)
}

var (
	length  = regexp.MustCompile(`Trying induction with length (\d+)`)
	success = "Induction step proven: SUCCESS!"
	failure = "model found for base case: FAIL!"
)

// induct tries to prove all properties by induction over up to k cycles, and returns
// the number that was enough.
func (j *job) induct(ctx context.Context, k int, limit time.Duration) (Status, int, error) {
	script := []string{
		"read_rtlil design.il", "delete t:$assert n:*" + reachedSuffix + " %i", "delete -output o:*", "opt_clean",
		fmt.Sprintf("sat -tempinduct -prove-asserts -set-assumes -maxsteps %d -timeout %d", k, int(limit/time.Second)),
	}
	cmd := tool.CommandIn(ctx, j.dir, j.yosys, "-p", strings.Join(script, "; "))
	out, err := tool.Run(ctx, cmd)
	if err != nil {
		return Open, 0, err
	}
	j.solveTime += cmd.ProcessState.UserTime()
	last := 0
	for _, m := range length.FindAllStringSubmatch(out, -1) {
		last, _ = strconv.Atoi(m[1])
	}
	switch {
	case strings.Contains(out, success):
		return Proved, last, nil
	case strings.Contains(out, failure):
		return Refuted, last, nil
	}
	return Open, last, nil
}
