// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/nicgen/nicgen/gen/device"
	"github.com/nicgen/nicgen/synth/mapped"
	"github.com/nicgen/nicgen/synth/timing"
)

// Disclaimer explains the meaning and the limits of the figures.
const Disclaimer = "An estimate by Yosys, not a Vivado result: nothing is placed; carry chains are mapped to CARRY4, and the registers inside block RAM, UltraRAM and DSP48E2 are not used."

// Device holds the resources of a bare chip.
type Device = device.Resources

// U280 returns the bare device of the Alveo U280.
func U280() Device { return device.Default().Resources }

// Published holds the published figures of another implementation of the same unit.
type Published struct {
	Source  string   `json:"source"` // "REPS-FPGA, REPS §5.2"
	Figures []Figure `json:"figures"`
}

// Figure is one published number.
type Figure struct {
	Resource string `json:"resource"` // the row of the table: LUT, FF, RAMB36, ...
	Value    string `json:"value"`    // as published: "< 0.04 % (about 520)"
}

// Counts are the resources of the device that a design uses.
type Counts struct {
	LUT        int            `json:"lut"`         // Logic + LUTRAM + SRL
	Logic      int            `json:"logic_lut"`   // LUT1 to LUT6
	LUTRAM     int            `json:"lutram_lut"`  // LUT sites that are RAM
	SRL        int            `json:"srl_lut"`     // LUT sites that are shift registers
	LUTBySize  [7]int         `json:"lut_by_size"` // logic LUTs by inputs; index 0 is unused
	INV        int            `json:"inv"`         // inverters, not in LUT: as a rule absorbed
	FF         int            `json:"ff"`          // flip-flops
	MUXF       int            `json:"muxf"`        // MUXF7, MUXF8, MUXF9
	CARRY4     int            `json:"carry4"`      // as Yosys maps
	CARRY8     int            `json:"carry8"`      // estimate: half of each chain, rounded up
	CarryChain int            `json:"carry_chain"` // the longest chain, in bits: 4 a CARRY4
	DSP        int            `json:"dsp48e2"`
	RAMB18     int            `json:"ramb18e2"`
	RAMB36     int            `json:"ramb36e2"`
	BRAM36     float64        `json:"ramb36_equivalent"` // RAMB36E2 + RAMB18E2 / 2
	URAM       int            `json:"uram288"`
	URAMVivado int            `json:"uram288_vivado"` // as Vivado packs the same memories, see Memory
	Cells      map[string]int `json:"cells"`          // every cell type
}

// Memory is one memory of the design and its implementation.
type Memory struct {
	Name   string         `json:"name"` // the instance path and the array
	Src    string         `json:"src,omitempty"`
	Depth  int64          `json:"depth"`
	Width  int64          `json:"width"`
	Kind   string         `json:"kind"`            // LUTRAM, BRAM, URAM, mixed, registers, "nothing" if no bit is read, or LUT for a table in logic
	Cells  map[string]int `json:"cells,omitempty"` // memory primitives by type
	LUT    int            `json:"lut"`             // LUT sites of those
	BRAM36 float64        `json:"ramb36_equivalent"`
	// URAMVivado returns the number of URAM288 that Vivado takes: it gives each array of the source
	// separate rows, 4096 of 72 bits in a block. Yosys puts two words of up to 36 bits into a row
	// and writes them by byte enables.
	URAMVivado int `json:"uram288_vivado,omitempty"`
}

// Repacked returns the number of URAM288 that Vivado takes, if it differs from Yosys'.
func (m *Memory) Repacked() (int, bool) {
	return m.URAMVivado, m.URAMVivado != m.Cells["URAM288"]
}

// UltraRAM returns the number of URAM288 as Vivado packs them, and Yosys' number if it differs.
func (c *Counts) UltraRAM() string {
	if c.URAM == c.URAMVivado {
		return fmt.Sprint(c.URAM)
	}
	return fmt.Sprintf("%d (Yosys: %d)", c.URAMVivado, c.URAM)
}

// cells lists the primitives of a memory.
func (m *Memory) cells() string {
	var list []string
	for _, t := range sortedKeys(m.Cells) {
		list = append(list, fmt.Sprintf("%d %s", m.Cells[t], t))
	}
	s := strings.Join(list, " + ")
	if n, ok := m.Repacked(); ok {
		s += fmt.Sprintf(", by Vivado %d", n)
	}
	return s
}

// Report is the result of a synthesis.
type Report struct {
	Note     string            `json:"note"`
	Top      string            `json:"top"`
	Params   map[string]string `json:"params,omitempty"`
	Design   string            `json:"design"` // Request.Fingerprint
	Tool     string            `json:"tool"`
	Family   string            `json:"family"`
	Flow     Flow              `json:"flow"`
	Device   Device            `json:"device"`
	Counts   Counts            `json:"counts"`
	Memories []Memory          `json:"memories"`

	RegToReg *Path `json:"register_to_register"` // nil: there is no such path
	InToReg  *Path `json:"input_to_register"`
	RegToOut *Path `json:"register_to_output"`
	InToOut  *Path `json:"input_to_output"` // purely combinational
	// EndpointsByLevel counts, at index n, the register pins at which the
	// longest path from a register has n levels.
	EndpointsByLevel []int `json:"endpoints_by_level"`

	Timing *timing.Estimate `json:"timing,omitempty"`

	Findings  []Finding  `json:"findings"`
	Published *Published `json:"published,omitempty"`
}

// MaxRegisterBits is the largest memory that may become registers without a
// finding, unless the source asks for it with ram_style.
const MaxRegisterBits = 256

// Wrong reports whether the report has findings about the design.
func (r *Report) Wrong() bool { return len(r.Findings) > 0 }

func (r *Report) find(format string, args ...any) {
	f := Finding{Tool: "nicgen", Rule: "netlist", Text: fmt.Sprintf(format, args...)}
	for _, g := range r.Findings {
		if g == f {
			return
		}
	}
	r.Findings = append(r.Findings, f)
}

func (r *Report) count(n *mapped.Netlist) error {
	c := &r.Counts
	c.Cells = map[string]int{}
	below := map[mapped.Bit]string{} // last carry output → the cell that continues the chain
	above := map[string]bool{}
	for _, name := range sortedKeys(n.Cells) {
		x := n.Cells[name]
		if mapped.Ignored(x.Type) {
			continue
		}
		p, ok := mapped.Primitives[x.Type]
		if !ok {
			return fmt.Errorf("cell %s has type %s, which is not a known primitive of the family: instantiate memories and arithmetic in SystemVerilog instead", name, x.Type)
		}
		c.Cells[x.Type]++
		switch p.Kind {
		case mapped.LUT:
			c.Logic += p.LUTs
			c.LUTBySize[p.Size]++
		case mapped.Inverter:
			c.INV++
		case mapped.Mux:
			c.MUXF++
		case mapped.Carry:
			if x.Type == "CARRY4" {
				c.CARRY4++
			}
			if ci := x.Connections["CI"]; len(ci) == 1 && ci[0] != mapped.Constant {
				below[ci[0]] = name
			}
		case mapped.FF:
			c.FF++
		case mapped.Latch:
			r.find("latch %s drives %s: a value is not assigned on every path", x.Type, n.OutputName(x))
		case mapped.LUTRAM:
			c.LUTRAM += p.LUTs
		case mapped.SRL:
			c.SRL += p.LUTs
		case mapped.DSP:
			c.DSP++
		case mapped.URAM:
			c.URAM++
		case mapped.BRAM:
			if repeatsParity(n, x) {
				r.find("block memory %s is 72 bits wide: Yosys 0.23 writes bits 44, 53, 62 and 71 of its words with bits 8, 17, 26 and 35; cut words of more than 44 bits into parts of at most 36", name)
			}
		}
	}
	c.RAMB18, c.RAMB36 = c.Cells["RAMB18E2"], c.Cells["RAMB36E2"]
	c.LUT = c.Logic + c.LUTRAM + c.SRL
	c.BRAM36 = float64(c.RAMB36) + float64(c.RAMB18)/2

	next := func(name string) string {
		x := n.Cells[name]
		co := x.Connections["CO"]
		if size := mapped.Primitives[x.Type].Size; len(co) == size && co[size-1] != mapped.Constant {
			return below[co[size-1]]
		}
		return ""
	}
	for name, x := range n.Cells {
		if mapped.Primitives[x.Type].Kind == mapped.Carry && next(name) != "" {
			above[next(name)] = true
		}
	}
	for name, x := range n.Cells {
		if mapped.Primitives[x.Type].Kind != mapped.Carry || above[name] {
			continue
		}
		bits := 0
		for ; name != ""; name = next(name) {
			bits += mapped.Primitives[n.Cells[name].Type].Size
		}
		c.CARRY8 += (bits + 7) / 8
		c.CarryChain = max(c.CarryChain, bits)
	}
	return nil
}

// repeatsParity reports whether a block memory of 72 bits that is read beyond its first 44 has the
// wrong nets for the parity bits of its upper half, as Yosys 0.23 connects them.
func repeatsParity(n *mapped.Netlist, c *mapped.Cell) bool {
	if c.Type != "RAMB36E2" || c.Parameters.Number("WRITE_WIDTH_B", 0) != 72 {
		return false
	}
	low, high, out := c.Connections["DINPADINP"], c.Connections["DINPBDINP"], c.Connections["DOUTPBDOUTP"]
	for i := range min(len(low), len(high), len(out)) {
		if high[i] != mapped.Constant && high[i] == low[i] && isRead(n, out[i]) {
			return true
		}
	}
	return false
}

// isRead reports whether a net goes to a cell or out of the module.
func isRead(n *mapped.Netlist, b mapped.Bit) bool {
	for _, p := range n.Ports {
		if p.Direction == "output" && slices.Contains(p.Bits, b) {
			return true
		}
	}
	for _, c := range n.Cells {
		for pin, bits := range c.Connections {
			if c.PortDirections[pin] == "input" && slices.Contains(bits, b) {
				return true
			}
		}
	}
	return false
}

// memories determines the implementation of each memory: the mapped cells carry its name and a
// number after a dot. Memories cut into slices are joined.
func (r *Report) memories(before, after *mapped.Netlist) {
	index := map[string]int{}
	for _, name := range sortedKeys(before.Cells) {
		x := before.Cells[name]
		if x.Type != "$mem_v2" && x.Type != "$mem" {
			continue
		}
		m := Memory{
			Name: strings.TrimPrefix(x.Parameters.Text("MEMID"), `\`), Src: before.Source(x.Attributes),
			Depth: x.Parameters.Number("SIZE", 0), Width: x.Parameters.Number("WIDTH", 0), Cells: map[string]int{},
		}
		index[name] = len(r.Memories)
		r.Memories = append(r.Memories, m)
	}
	for _, name := range sortedKeys(after.Cells) {
		x := after.Cells[name]
		p := mapped.Primitives[x.Type]
		if p.Kind != mapped.LUTRAM && p.Kind != mapped.BRAM && p.Kind != mapped.URAM {
			continue
		}
		for owner := name; owner != ""; owner = owner[:max(0, strings.LastIndexByte(owner, '.'))] {
			if i, ok := index[owner]; ok {
				r.Memories[i].Cells[x.Type]++
				break
			}
		}
	}
	for name, i := range index {
		m := &r.Memories[i]
		kinds := map[mapped.Kind]bool{}
		for typ, count := range m.Cells {
			p := mapped.Primitives[typ]
			kinds[p.Kind] = true
			m.LUT += count * p.LUTs
			m.BRAM36 += map[string]float64{"RAMB18E2": 0.5, "RAMB36E2": 1}[typ] * float64(count)
		}
		x := before.Cells[name]
		switch {
		case len(kinds) > 1:
			m.Kind = "mixed"
		case kinds[mapped.LUTRAM]:
			m.Kind = "LUTRAM"
		case kinds[mapped.BRAM]:
			m.Kind = "BRAM"
		case kinds[mapped.URAM]:
			m.Kind = "URAM"
			m.URAMVivado = int((m.Depth + 4095) / 4096 * ((m.Width + 71) / 72))
			r.Counts.URAMVivado += m.URAMVivado
		case x.Parameters.Number("WR_PORTS", 0) == 0:
			m.Kind = "LUT"
		case m.Depth*m.Width > int64(r.Counts.FF):
			m.Kind = "nothing" // no bit is read, so registers would be overcounted
		default:
			m.Kind = "registers"
		}
	}
	for name := range index {
		m := r.Memories[index[name]]
		at := ""
		if m.Src != "" {
			at = " (" + m.Src + ")"
		}
		style := before.Cells[name].Attributes.Text("ram_style")
		if m.Kind == "registers" && m.Depth*m.Width > MaxRegisterBits && style != "logic" && style != "registers" {
			r.find("memory %s of %d × %d bits became registers%s: do not reset it, give it one write port, or ask for it with ram_style = \"registers\"", m.Name, m.Depth, m.Width, at)
		}
	}
	r.join()
}

// loopScope is the scope of one round of a generate loop within an instance path.
var loopScope = regexp.MustCompile(`[^.]+\[[0-9]+\]\.`)

// join makes one memory of the pieces into which a generate loop cut it: the same array of the same
// depth with the same primitives, except for the index of the loop. Its width is the sum of theirs;
// the loop is left out of its name.
func (r *Report) join() {
	joined := []Memory{}
	for _, m := range r.Memories {
		m.Name = loopScope.ReplaceAllString(m.Name, "")
		i := slices.IndexFunc(joined, func(o Memory) bool {
			return o.Name == m.Name && o.Src == m.Src && o.Depth == m.Depth && o.Kind == m.Kind
		})
		if i < 0 {
			joined = append(joined, m)
			continue
		}
		o := &joined[i]
		o.Width += m.Width
		o.LUT += m.LUT
		o.BRAM36 += m.BRAM36
		o.URAMVivado += m.URAMVivado
		for typ, n := range m.Cells {
			o.Cells[typ] += n
		}
	}
	r.Memories = joined
}

// TypicalPath returns the estimate of the longest path between registers by the typical column.
func (r *Report) TypicalPath() string {
	if r.Timing == nil || r.Timing.RegToReg == nil {
		return "none"
	}
	return fmt.Sprintf("%.2f", r.Timing.RegToReg.Ns[timing.Typical])
}

// JSON returns the report for programs.
func (r *Report) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(r)
	return b.Bytes(), err
}

// bare returns the head of the column of shares.
func (r *Report) bare() string {
	chip, _, _ := strings.Cut(r.Device.Name, "-")
	p, err := device.Find(r.Device.Name)
	switch {
	case !r.Device.Known():
		return "Of a bare " + chip + ": not known"
	case err == nil && p.Board != "":
		return "Of a bare " + p.Board
	}
	return "Of a bare " + chip
}

// Text returns the report for people.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s for %s (synth_xilinx -family %s, flow %s)\n%s. %s\n\n", r.Top, r.Device.Name, r.Family, r.Flow, r.Tool, r.Note)
	for _, k := range sortedKeys(r.Params) {
		fmt.Fprintf(&b, "  %s = %s\n", k, r.Params[k])
	}
	if len(r.Params) > 0 {
		b.WriteString("\n")
	}
	published := map[string]string{}
	head := ""
	if r.Published != nil {
		head = r.Published.Source
		for _, f := range r.Published.Figures {
			published[f.Resource] = f.Value
		}
	}
	w := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	row := func(name, used, share string) {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", name, used, share, published[name])
		delete(published, name)
	}
	fmt.Fprintf(w, "Resource\tUsed\t%s\t%s\n", r.bare(), head)
	share := func(n float64, of int) string {
		switch {
		case !r.Device.Known():
			return ""
		case of == 0:
			return "none there"
		}
		return fmt.Sprintf("%.4f %%", 100*n/float64(of))
	}
	count := func(name string, n, of int) { row(name, fmt.Sprint(n), share(float64(n), of)) }
	c := &r.Counts
	count("LUT", c.LUT, r.Device.LUT)
	row("  logic", fmt.Sprint(c.Logic), "")
	row("  LUTRAM", fmt.Sprint(c.LUTRAM), "")
	row("  SRL", fmt.Sprint(c.SRL), "")
	count("FF", c.FF, r.Device.FF)
	row("CARRY8", fmt.Sprintf("%d (%d CARRY4)", c.CARRY8, c.CARRY4), share(float64(c.CARRY8), r.Device.CARRY8))
	count("DSP48E2", c.DSP, r.Device.DSP)
	row("RAMB36", fmt.Sprintf("%g (%d RAMB36 + %d RAMB18)", c.BRAM36, c.RAMB36, c.RAMB18), share(c.BRAM36, r.Device.RAMB36))
	row("URAM288", c.UltraRAM(), share(float64(c.URAMVivado), r.Device.URAM))
	levels := "none"
	if r.RegToReg != nil {
		levels = fmt.Sprintf("%d", r.RegToReg.Levels)
	}
	row("Logic levels", levels, "")
	if r.Published != nil {
		for _, f := range r.Published.Figures {
			if v, ok := published[f.Resource]; ok {
				fmt.Fprintf(w, "%s\t\t\t%s\n", f.Resource, v)
				delete(published, f.Resource)
			}
		}
	}
	w.Flush()

	b.WriteString("\nLUTs by inputs:")
	for size := 1; size <= 6; size++ {
		fmt.Fprintf(&b, " %d:%d", size, c.LUTBySize[size])
	}
	fmt.Fprintf(&b, "; inverters %d, MUXF %d; longest carry chain %d bits\n", c.INV, c.MUXF, c.CarryChain)

	b.WriteString("\nLongest paths in levels (LUT 1, carry chain 1, asynchronous memory read 1, unregistered DSP 1)\n")
	for _, p := range []struct {
		name string
		path *Path
	}{{"register to register", r.RegToReg}, {"input to register", r.InToReg}, {"register to output", r.RegToOut}, {"input to output", r.InToOut}} {
		if p.path == nil {
			fmt.Fprintf(&b, "  %-20s  none\n", p.name)
			continue
		}
		note := ""
		if p.path == r.InToOut {
			note = "  (no register between)"
		}
		fmt.Fprintf(&b, "  %-20s  %s%s\n", p.name, p.path, note)
	}
	if len(r.EndpointsByLevel) > 0 {
		b.WriteString("  register pins by level:")
		for l, n := range r.EndpointsByLevel {
			fmt.Fprintf(&b, " %d:%d", l, n)
		}
		b.WriteString("\n")
	}
	if p := r.RegToReg; p != nil {
		fmt.Fprintf(&b, "\nThe longest register-to-register path\n")
		w = tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintf(w, "  from\t%s\t%s\t%s\n", p.FromType, p.From, p.FromSrc)
		for _, s := range p.Steps {
			typ := s.Type
			if s.Count > 1 {
				typ = fmt.Sprintf("%s ×%d", typ, s.Count)
			}
			fmt.Fprintf(w, "  through\t%s %s\t%s\t%s\n", typ, s.Pins, s.Net, s.Src)
		}
		fmt.Fprintf(w, "  to\t%s.%s\t%s\t%s\n", p.ToType, p.ToPin, p.To, p.ToSrc)
		w.Flush()
	}
	if r.Timing != nil {
		b.WriteString("\n" + r.Timing.Text())
	}
	if len(r.Memories) > 0 {
		b.WriteString("\n")
		w = tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
		fmt.Fprintln(w, "Memory\tDepth × width\tBecame\tCells\tSource")
		for _, m := range r.Memories {
			fmt.Fprintf(w, "%s\t%d × %d\t%s\t%s\t%s\n", m.Name, m.Depth, m.Width, m.Kind, m.cells(), m.Src)
		}
		w.Flush()
	}
	if len(r.Findings) > 0 {
		b.WriteString("\nFindings\n")
		for _, f := range r.Findings {
			fmt.Fprintf(&b, "  %s\n", f)
		}
	}
	return trimLines(b.String())
}

// String returns the path in one line.
func (p *Path) String() string {
	var parts []string
	for _, x := range []struct {
		n    int
		name string
	}{{p.LUTs, "LUT"}, {p.Carry, "carry"}, {p.Memory, "memory read"}, {p.DSP, "DSP"}} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", x.n, x.name))
		}
	}
	s := fmt.Sprint(p.Levels)
	if len(parts) > 0 {
		s += " (" + strings.Join(parts, ", ") + ")"
	}
	return s + "  " + p.From + " → " + p.To
}

func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
