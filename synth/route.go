// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/synth/mapped"
	"github.com/nicgen/nicgen/synth/timing"
)

// ECP5 is the device of Route: the largest of the family, in its fastest grade.
const ECP5 = "LFE5U-85F-8BG381C"

// RouteNote explains the figures of Route.
const RouteNote = "Placed and routed by nextpnr for " + ECP5 + " (40 nm), alone and without pins; memories that ask for UltraRAM are block RAM. The figures are of that device: they say nothing about MHz on UltraScale+, and something about which paths are long."

// routeArgs are the arguments of nextpnr in addition to its files. The package has no influence, as
// no pin is used.
var routeArgs = []string{"--85k", "--package", "CABGA381", "--speed", "8", "--out-of-context", "--seed", "1"}

// Routed is a design placed and routed.
type Routed struct {
	Note   string   `json:"note"`
	Top    string   `json:"top"`
	Design string   `json:"design"` // Request.Fingerprint
	Tools  []string `json:"tools"`
	Device string   `json:"device"`

	// Unplaced is the reason if the design is larger than the device and not placed. All fields
	// below are empty then.
	Unplaced string `json:"unplaced,omitempty"`

	Use     []Used      `json:"use,omitempty"`
	MHz     float64     `json:"mhz,omitempty"`
	Path    *RoutedPath `json:"path,omitempty"` // the longest between registers
	Typical *Compared   `json:"estimate,omitempty"`
}

// Used is the number of cells of one kind that a design uses.
type Used struct {
	Cell      string `json:"cell"`
	Used      int    `json:"used"`
	Available int    `json:"available"`
}

// RoutedPath is a path between registers.
type RoutedPath struct {
	Ns     float64 `json:"ns"`
	Logic  float64 `json:"logic_ns"`
	Wire   float64 `json:"wire_ns"`
	Start  float64 `json:"start_ns"` // of the cells: from the clock to the output of the first
	Levels int     `json:"levels"`   // cells between the registers
	From   string  `json:"from"`
	To     string  `json:"to"`
	// Slowest is the wire of the path that takes longest, Widest the one with the most loads.
	Slowest RoutedNet `json:"slowest_net"`
	Widest  RoutedNet `json:"widest_net"`
}

// RoutedNet is a wire of a path.
type RoutedNet struct {
	Name  string  `json:"name"`
	Ns    float64 `json:"ns"`
	Tiles int     `json:"tiles"` // from the driver to the load on the path, columns and rows
	Loads int     `json:"loads"`
}

// Compared is the estimate for UltraScale+ of the same design.
type Compared struct {
	Ns   float64 `json:"ns"` // typical
	From string  `json:"from"`
	To   string  `json:"to"`
	// Place is the rank, from 1, that the estimate gives to the longest routed path, identified by
	// the names at both ends; 0 if it is not among the longest.
	Place int `json:"place"`
	// Ends reports whether one of the two ends has the same name in both longest paths.
	Ends bool `json:"one_end"`
}

// Route maps a design for ECP5, places and routes it, and compares the longest path with Run's. A
// design that is too large for the device is not an error: see Routed.Unplaced. It returns the
// errors of Run, and a *tool.Missing or *tool.Failed for nextpnr.
func Route(ctx context.Context, r Request) (*Routed, error) {
	if _, err := tool.Find(tool.NextPNR); err != nil {
		return nil, err
	}
	rep, err := Run(ctx, r)
	if err != nil {
		return nil, err
	}
	version, err := tool.Version(ctx, tool.NextPNR)
	if err != nil {
		return nil, err
	}
	routed := &Routed{Note: RouteNote, Top: r.Top, Design: rep.Design, Tools: []string{rep.Tool, version}, Device: ECP5}
	j, err := newJob(ctx, tool.Yosys, r.Top, withoutUltraRAM(r.Files))
	if err != nil {
		return nil, err
	}
	defer j.close()
	elaborate, err := j.elaborate(r.Params)
	if err != nil {
		return nil, err
	}
	out, err := j.yosys(ctx, elaborate, "setattr -unset keep_hierarchy", "synth_ecp5 -top "+r.Top, "write_json ecp5.json")
	if findings, rejected := j.parseYosys(out); rejected && ctx.Err() == nil {
		return nil, &Rejected{findings}
	}
	if err != nil {
		return nil, err
	}
	n, err := j.netlist("ecp5.json")
	if err != nil {
		return nil, err
	}
	path, err := tool.Find(tool.NextPNR)
	if err != nil {
		return nil, err
	}
	out, err = tool.Run(ctx, tool.CommandIn(ctx, j.dir, path, append(slices.Clone(routeArgs), "--json", "ecp5.json", "--report", "report.json")...))
	var failed *tool.Failed
	if errors.As(err, &failed) && ctx.Err() == nil {
		if routed.Unplaced = noRoom(out); routed.Unplaced != "" {
			return routed, nil
		}
	}
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(filepath.Join(j.dir, "report.json"))
	if err != nil {
		return nil, &tool.Failed{Name: tool.NextPNR.Name, Err: errors.New("exited without an error, but did not write report.json")}
	}
	if err := routed.read(b, n); err != nil {
		return nil, &tool.Failed{Name: tool.NextPNR.Name, Err: fmt.Errorf("report.json: %w", err)}
	}
	routed.compare(rep.Timing)
	return routed, nil
}

// withoutUltraRAM makes the memories that ask for UltraRAM block RAM.
func withoutUltraRAM(files []File) (list []File) {
	for _, f := range files {
		f.Text = ultraStyle.ReplaceAllString(f.Text, `ram_style = "block"`)
		list = append(list, f)
	}
	return list
}

var (
	noBels      = regexp.MustCompile(`(?m)^ERROR: .*(no BELs remaining|no available BELs|[Ff]ailed to place|too many).*$`)
	utilisation = regexp.MustCompile(`(?m)^Info:\s+(\w+):\s+(\d+)/\s*(\d+)\s+\d+%`)
)

// noRoom returns the kinds of cells that a design needs more of than the device has, from the
// output of nextpnr, or "" if it failed for another reason.
func noRoom(out string) string {
	var list []string
	for _, m := range utilisation.FindAllStringSubmatch(out, -1) {
		var used, available int
		fmt.Sscan(m[2], &used)
		fmt.Sscan(m[3], &available)
		if used > available {
			list = append(list, fmt.Sprintf("%s: %d of %d", m[1], used, available))
		}
	}
	if len(list) == 0 {
		return strings.TrimPrefix(noBels.FindString(out), "ERROR: ")
	}
	return strings.Join(list, ", ")
}

// The report of nextpnr.
type (
	routeReport struct {
		Critical []struct {
			From, To string
			Path     []routeStep
		} `json:"critical_paths"`
		Fmax        map[string]struct{ Achieved float64 }
		Utilization map[string]struct{ Available, Used int }
	}
	routeStep struct {
		Delay    float64
		Type     string // clk-to-q, routing, logic, setup
		Net      string
		From, To struct {
			Cell, Port string
			Loc        [2]int
		}
	}
)

func (r *Routed) read(text []byte, n *mapped.Netlist) error {
	var report routeReport
	if err := json.Unmarshal(text, &report); err != nil {
		return err
	}
	for _, name := range sortedKeys(report.Utilization) {
		if u := report.Utilization[name]; u.Used > 0 {
			r.Use = append(r.Use, Used{name, u.Used, u.Available})
		}
	}
	loads := fanOut(n)
	r.Path = nil
	for _, p := range report.Critical {
		if !strings.HasPrefix(p.From, "posedge ") || p.From != p.To || len(p.Path) < 2 {
			continue // through a port
		}
		path := &RoutedPath{From: register(p.Path[0].From.Cell), To: register(p.Path[len(p.Path)-1].To.Cell)}
		for _, s := range p.Path {
			path.Ns += s.Delay
			if s.Type != "routing" {
				path.Logic += s.Delay
				switch s.Type {
				case "logic":
					path.Levels++
				case "clk-to-q":
					path.Start = s.Delay
				}
				continue
			}
			path.Wire += s.Delay
			net := RoutedNet{s.Net, s.Delay, distance(s.From.Loc, s.To.Loc), loads[s.Net]}
			if s.Delay > path.Slowest.Ns {
				path.Slowest = net
			}
			if net.Loads > path.Widest.Loads {
				path.Widest = net
			}
		}
		if r.Path == nil || path.Ns > r.Path.Ns {
			r.Path = path
		}
	}
	if r.Path == nil {
		return errors.New("no path between registers")
	}
	for _, x := range []*float64{&r.Path.Ns, &r.Path.Logic, &r.Path.Wire, &r.Path.Start, &r.Path.Slowest.Ns, &r.Path.Widest.Ns} {
		*x = rounded(*x)
	}
	r.MHz = float64(int(10000/r.Path.Ns)) / 10
	return nil
}

// rounded returns a time in whole ps.
func rounded(ns float64) float64 { return float64(int(ns*1000+0.5)) / 1000 }

func distance(a, b [2]int) (d int) {
	for i := range a {
		d += max(a[i]-b[i], b[i]-a[i])
	}
	return d
}

// fanOut counts the loads of nets by name.
func fanOut(n *mapped.Netlist) map[string]int {
	loads := map[mapped.Bit]int{}
	for _, c := range n.Cells {
		for pin, bits := range c.Connections {
			if c.PortDirections[pin] == "input" {
				for _, b := range bits {
					loads[b]++
				}
			}
		}
	}
	names := map[string]int{}
	for name, w := range n.Netnames {
		for i, b := range w.Bits {
			if b != mapped.Constant {
				names[fmt.Sprintf("%s[%d]", name, i)] = loads[b]
				if len(w.Bits) == 1 {
					names[name] = loads[b]
				}
			}
		}
	}
	return names
}

// made matches the part that Yosys and nextpnr add to the name of a register or memory.
var made = regexp.MustCompile(`(_(TRELLIS_FF|LUT4|PFUMX|L6MUX21|CCU2C|DP16KD|TRELLIS_DPR16X4|MULT18X18D)(_|$).*|\$.*|(\.\d+)+(_\d+)?)$`)

// index matches the index of a bit or of a generated block, which package timing omits too.
var index = regexp.MustCompile(`\[\d+\]`)

// register returns the name of a register or memory of the design from the name of a cell.
func register(cell string) string {
	return index.ReplaceAllString(made.ReplaceAllString(made.ReplaceAllString(cell, ""), ""), "")
}

// compare sets Routed.Typical.
func (r *Routed) compare(e *timing.Estimate) {
	if e == nil || e.RegToReg == nil || len(e.RegToReg.Worst) == 0 {
		return
	}
	name := func(end string) string {
		name, _, _ := strings.Cut(end, " ") // the pin
		return name
	}
	first := e.RegToReg.Worst[0]
	r.Typical = &Compared{Ns: first.Ns[timing.Typical], From: first.From, To: first.To,
		Ends: name(first.From) == r.Path.From || name(first.To) == r.Path.To}
	for i, p := range e.RegToReg.Worst {
		if name(p.From) == r.Path.From && name(p.To) == r.Path.To {
			r.Typical.Place = i + 1
			return
		}
	}
}

// Found reports whether the longest routed path is the one that the estimate names.
func (c *Compared) Found() string {
	switch {
	case c.Place == 1:
		return "the same path"
	case c.Place > 1:
		return fmt.Sprintf("number %d of the estimate", c.Place)
	case c.Ends:
		return "one end is the same"
	}
	return "another path"
}

// Wrong reports whether the design is not placed.
func (r *Routed) Wrong() bool { return r.Unplaced != "" }

// Text returns the report for people.
func (r *Routed) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s for %s\n%s.\n%s\n\n", r.Top, r.Device, strings.Join(r.Tools, "; "), r.Note)
	if r.Unplaced != "" {
		fmt.Fprintf(&b, "The device has no room for it: %s\n\n", r.Unplaced)
		return b.String()
	}
	w := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	fmt.Fprintf(w, "Cell\tUsed\tOf\n")
	for _, u := range r.Use {
		fmt.Fprintf(w, "%s\t%d\t%d\n", u.Cell, u.Used, u.Available)
	}
	w.Flush()
	p := r.Path
	fmt.Fprintf(&b, "\nRouted %.1f MHz: %.2f ns between registers, of it cells %.2f and wires %.2f, %d levels\n  from %s, %.2f ns to its output\n  to   %s\n",
		r.MHz, p.Ns, p.Logic, p.Wire, p.Levels, p.From, p.Start, p.To)
	fmt.Fprintf(&b, "  slowest wire  %.2f ns over %d tiles, %d loads: %s\n", p.Slowest.Ns, p.Slowest.Tiles, p.Slowest.Loads, p.Slowest.Name)
	fmt.Fprintf(&b, "  widest wire   %.2f ns over %d tiles, %d loads: %s\n", p.Widest.Ns, p.Widest.Tiles, p.Widest.Loads, p.Widest.Name)
	if c := r.Typical; c != nil {
		fmt.Fprintf(&b, "Estimated for UltraScale+, typical: %.2f ns, %s\n  from %s\n  to   %s\n", c.Ns, c.Found(), c.From, c.To)
	}
	return b.String() + "\n"
}
