// SPDX-License-Identifier: Apache-2.0

// Package synth estimates the cost of a design on the Alveo U280's family: Yosys maps it to the
// family's primitives, and this package counts them and walks the netlist for the longest path in
// logic levels. It also lints. Package timing estimates delays.
//
// The result is an estimate by Yosys, not a Vivado result: nothing is placed,
// carry chains are mapped to CARRY4, and the registers of block RAM, UltraRAM and
// DSP48E2 are left unused.
package synth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/synth/mapped"
	"github.com/nicgen/nicgen/synth/timing"
)

// File is one source text. Names ending in .sv, .v or .svh are compiled in the order given; others
// (such as $readmemh tables) are only copied into the same folder.
type File struct {
	Name string // relative, slash-separated: letters, digits and _ . - /
	Text string
}

// Flow is a way to run synth_xilinx.
type Flow string

// The flows. NoWideLUT is the standard one for reports: the units are rich in multiplexers, which
// it maps to 10 to 14 % fewer LUTs than WideLUT does; tables in LUTs become up to 22 % larger.
const (
	NoWideLUT Flow = "nowidelut" // LUTs of up to 6 inputs, no MUXF7 and MUXF8
	WideLUT   Flow = "widelut"   // default behaviour of synth_xilinx
	ABC9      Flow = "abc9"      // the newer mapper, with the 7 series' timing
)

// Flows lists the flows, the default first.
func Flows() []Flow { return []Flow{NoWideLUT, WideLUT, ABC9} }

var flowArgs = map[Flow]string{NoWideLUT: " -nowidelut", WideLUT: "", ABC9: " -abc9"}

// Options choose how to synthesise. The zero value is the standard.
type Options struct {
	Flow Flow // empty means NoWideLUT
	URAM bool // lets large memories become URAM288; memories that ask for it by ram_style do so anyway

	Timing timing.Options

	// Device is the device with which the resources are compared; without a name, the Alveo U280's.
	// Mapping is the same for the whole family.
	Device Device `json:"-"`

	// Apart names modules whose instances are each mapped separately. Yosys' mapper, to which a
	// path ends at a carry chain, otherwise takes the depth of the deepest part as the time
	// available to all parts, and saves LUTs in others at the cost of levels. An instance with the
	// attribute keep_hierarchy is mapped separately too.
	Apart []string `json:",omitempty"`
}

// Request is a design to synthesise.
type Request struct {
	Top       string
	Files     []File            // compile order
	Params    map[string]string // parameters of Top, as whole numbers or SystemVerilog literals
	Options   Options
	Published *Published // figures to print next to ours; may be nil
}

// Fingerprint identifies a design: gen.DesignDigest, or for a request with parameters the SHA-256
// of the digest and the parameters, in hexadecimal.
func (r *Request) Fingerprint() string {
	var files []gen.File
	for _, f := range r.Files {
		files = append(files, gen.File(f))
	}
	digest := gen.DesignDigest(r.Top, files)
	if len(r.Params) == 0 {
		return digest
	}
	h := sha256.New()
	fmt.Fprintln(h, digest)
	for _, k := range sortedKeys(r.Params) {
		fmt.Fprintf(h, "%q=%q\n", k, r.Params[k])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Rejected is the error for a design that Yosys does not accept.
type Rejected struct{ Findings []Finding }

// Error lists the findings of Yosys, one per line.
func (r *Rejected) Error() string {
	s := "yosys does not accept the design:"
	for _, f := range r.Findings {
		s += "\n  " + f.String()
	}
	return s
}

var ultraStyle = regexp.MustCompile(`\bram_style\s*=\s*"ultra"`)

// asksForURAM reports whether a file has a memory marked for URAM, which Yosys heeds only if it may
// use URAM at all.
func asksForURAM(f File) bool { return ultraStyle.MatchString(f.Text) }

// keepsHierarchy reports whether a file has instances with the attribute keep_hierarchy, which
// Yosys and Vivado heed.
func keepsHierarchy(f File) bool { return strings.Contains(f.Text, "(* keep_hierarchy") }

var noShreg = regexp.MustCompile(`\bshreg_extract\s*=\s*"no"`)

// refusesShregs reports whether a file has registers that must not become shift registers.
func refusesShregs(f File) bool { return noShreg.MatchString(f.Text) }

var dontTouch = regexp.MustCompile(`\bdont_touch\s*=\s*"true"`)

// refusesMerging reports whether a file has registers that must not be merged with others.
func refusesMerging(f File) bool { return dontTouch.MatchString(f.Text) }

// Run synthesises a design and reports on it. Report.Findings holds the problems of a design that
// could be mapped nevertheless. The error is a *tool.Missing or *tool.Failed for Yosys, a *Rejected
// or *LoopError for the design, the context's, or one that names the part of the request at fault.
// Nothing is left on disk in any case.
func Run(ctx context.Context, r Request) (*Report, error) {
	if err := r.Options.Timing.Check(); err != nil {
		return nil, err
	}
	j, findings, err := mapDesign(ctx, r)
	if err != nil {
		return nil, err
	}
	defer j.close()
	before, err := j.netlist("memories.json")
	if err != nil {
		return nil, err
	}
	after, err := j.netlist("netlist.json")
	if err != nil {
		return nil, err
	}
	version, err := tool.Version(ctx, tool.Yosys)
	if err != nil {
		return nil, err
	}
	flow := r.Options.Flow
	if flow == "" {
		flow = NoWideLUT
	}
	chip := r.Options.Device
	if chip.Name == "" {
		chip = U280()
	}
	rep := &Report{
		Note: Disclaimer, Top: r.Top, Params: r.Params, Design: r.Fingerprint(), Tool: version, Family: "xcup", Flow: flow,
		Device: chip, Findings: append([]Finding{}, locate(before, findings)...), Memories: []Memory{}, Published: r.Published,
	}
	if err := rep.count(after); err != nil {
		return nil, err
	}
	rep.memories(before, after)
	if err := rep.paths(after); err != nil {
		return nil, err
	}
	if rep.Timing, err = timing.Of(after, r.Options.Timing); err != nil {
		return nil, fmt.Errorf("timing of %s: %w", r.Top, err)
	}
	return rep, nil
}

// mappedMark separates the messages of Yosys about the design from messages about the cells of its
// own library.
const mappedMark = "nicgen-mapping-starts"

// job is one run of a tool in a separate folder.
type job struct {
	path  string // the program
	dir   string
	top   string
	names []string // sources in compile order

	keepsHierarchy bool // parts are mapped by themselves
	noMerging      bool // some registers are not to be merged
	noShregs       bool // some registers are to be no shift registers
	models23       bool // Yosys' cell models are from 0.23, without processes
}

var (
	fileName   = regexp.MustCompile(`^[A-Za-z0-9_.][A-Za-z0-9_./-]*$`)
	identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*$`)
)

func newJob(ctx context.Context, t tool.Tool, top string, files []File) (*job, error) {
	path, err := tool.Find(t)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !identifier.MatchString(top) {
		return nil, fmt.Errorf("top module %q: want a SystemVerilog name", top)
	}
	dir, err := tool.TempDir("nicgen-synth-")
	if err != nil {
		return nil, err
	}
	j := &job{path: path, dir: dir, top: top}
	for _, f := range files {
		if err := j.add(f); err != nil {
			j.close()
			return nil, err
		}
	}
	if len(j.names) == 0 {
		j.close()
		return nil, fmt.Errorf("top module %s: no source files, want at least one .sv file", top)
	}
	return j, nil
}

func (j *job) add(f File) error {
	if !fileName.MatchString(f.Name) || !filepath.IsLocal(f.Name) {
		return fmt.Errorf("source file %q: want a relative name of letters, digits and _ . - /", f.Name)
	}
	if slices.Contains(j.names, f.Name) {
		return fmt.Errorf("source file %s: given twice", f.Name)
	}
	file := filepath.Join(j.dir, filepath.FromSlash(f.Name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	switch filepath.Ext(f.Name) {
	case ".sv", ".v":
		j.names = append(j.names, f.Name)
	}
	return os.WriteFile(file, []byte(f.Text), 0o644)
}

func (j *job) close() { os.RemoveAll(j.dir) }

// elaborate returns the script that reads the sources and checks the hierarchy.
func (j *job) elaborate(params map[string]string) (string, error) {
	s := "read_verilog -sv " + strings.Join(j.names, " ") + "\nhierarchy -check -top " + j.top
	for _, k := range sortedKeys(params) {
		v, err := yosysConst(params[k])
		if err != nil || !identifier.MatchString(k) {
			return "", fmt.Errorf("parameter %s = %q: want a whole number or a SystemVerilog literal such as 8'h2a", k, params[k])
		}
		s += " -chparam " + k + " " + v
	}
	return s, nil
}

// yosys runs a script and returns the warnings and errors that it printed.
func (j *job) yosys(ctx context.Context, script ...string) (string, error) {
	file := filepath.Join(j.dir, "run.ys")
	if err := os.WriteFile(file, []byte(strings.Join(script, "\n")+"\n"), 0o644); err != nil {
		return "", err
	}
	return tool.Run(ctx, tool.CommandIn(ctx, j.dir, j.path, "-q", "-s", "run.ys"))
}

// modules reads every module that Yosys wrote into a file.
func (j *job) modules(name string) (map[string]*mapped.Netlist, error) {
	fail := func(err error) (map[string]*mapped.Netlist, error) {
		return nil, &tool.Failed{Name: tool.Yosys.Name, Err: fmt.Errorf("netlist %s: %w", name, err)}
	}
	b, err := os.ReadFile(filepath.Join(j.dir, name))
	if err != nil {
		return nil, &tool.Failed{Name: tool.Yosys.Name, Err: fmt.Errorf("exited without an error, but did not write %s", name)}
	}
	var doc struct{ Modules map[string]json.RawMessage }
	if err := json.Unmarshal(b, &doc); err != nil {
		return fail(err)
	}
	list := map[string]*mapped.Netlist{}
	for m, raw := range doc.Modules {
		// The library's cells come as black boxes, hundreds of them.
		var head struct{ Attributes mapped.Attrs }
		if err := json.Unmarshal(raw, &head); err != nil {
			return fail(err)
		}
		if head.Attributes["blackbox"] != nil || head.Attributes["whitebox"] != nil {
			continue
		}
		n := &mapped.Netlist{Sources: j.names}
		if err := json.Unmarshal(raw, n); err != nil {
			return fail(err)
		}
		list[m] = n
	}
	return list, nil
}

// netlist reads the top module from a file that Yosys wrote.
func (j *job) netlist(name string) (*mapped.Netlist, error) {
	list, err := j.modules(name)
	if err != nil {
		return nil, err
	}
	n, ok := list[j.top]
	if !ok {
		return nil, &tool.Failed{Name: tool.Yosys.Name, Err: fmt.Errorf("netlist %s: module %s is missing", name, j.top)}
	}
	return n, nil
}
