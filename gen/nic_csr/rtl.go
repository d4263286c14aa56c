// SPDX-License-Identifier: Apache-2.0

package niccsr

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	m, err := p.Map()
	if err != nil {
		return nil, err
	}
	values := map[string]any{
		"Top": p.Top(), "CounterBits": p.CounterBits, "WordW": p.AddrBits - 2, "WordR": fmt.Sprintf("%-7s", sv.Range(fmt.Sprint(p.AddrBits-2))),
		"HighBit": p.AddrBits - 1, "ReadLatency": ReadLatency, "WriteLatency": WriteLatency,
		"StartBit": csr.WindowStart, "MissedBit": csr.WindowMissed,
	}
	constants(m, int(p.AddrBits)-2, values)
	var files []gen.File
	add := func(part, name string) error {
		list, err := texts.Modules(p, values, part)
		for _, f := range list {
			if name != "" {
				f.Name = name
			}
			files = append(files, f)
		}
		return err
	}
	for _, part := range []string{"axil", "constants", "events", "window"} {
		if part == "window" && !slices.ContainsFunc(m.Blocks, func(b *csr.Block) bool { return len(b.Windows) > 0 }) {
			continue
		}
		if err := add(part, ""); err != nil {
			return nil, err
		}
	}
	if values["HasTotals"] = p.Totals && len(p.totals(m)) > 0; values["HasTotals"] == true {
		for k, v := range p.totalValues(m) {
			values[k] = v
		}
		if err := add("totals", ""); err != nil {
			return nil, err
		}
		ram, err := rtl.Parts(rtl.PartIn("ram", gen.BRAM))
		if err != nil {
			return nil, err
		}
		files = append(ram, files...)
	}
	var views []*view
	for i, b := range m.Blocks {
		v := newView(b)
		v.instance(i, int(p.AddrBits)-2)
		views = append(views, v)
		values["B"] = v
		if err := add("block", fmt.Sprintf("%s_block_%s.sv", p.Top(), b.Name)); err != nil {
			return nil, err
		}
	}
	values["Blocks"] = views
	most := 0
	for _, v := range views {
		most = max(most, v.WriteBits)
	}
	if values["UnusedData"] = ""; most < 32 {
		values["UnusedData"] = fmt.Sprintf("31:%d", most)
	}
	var hits, hitsW, data, irqs []string
	for _, v := range views {
		hits = append(hits, v.Name+"_rd_hit")
		data = append(data, v.extended())
		irqs = append([]string{"1'b0"}, irqs...)
		if v.Events > 0 {
			irqs[0] = v.Name + "_irq"
		}
		if v.Writable {
			hitsW = append(hitsW, v.Name+"_wr_hit")
		}
	}
	if len(irqs) == 1 {
		irqs = append([]string{"1'b0"}, irqs...)
	}
	if values["HasTotals"] == true {
		hits, data = append(hits, "totals_rd_hit"), append(data, "totals_rd_data")
	}
	values["RdHit"], values["WrHit"] = or("constants_rd_hit", hits, 4), or("", hitsW, 4)
	values["RdData"], values["Irqs"], values["IrqN"] = or("constants_rd_data", data, 4), strings.Join(irqs, ", "), len(irqs)
	err = add("nic_csr", "")
	sv.Align(files)
	return files, err
}

// or joins terms by |, each but the first on a line of its own.
func or(first string, terms []string, indent int) string {
	if first != "" {
		terms = append([]string{first}, terms...)
	}
	return strings.Join(terms, "\n"+strings.Repeat(" ", indent)+"| ")
}

// A constant is a word that never changes.
type constant struct {
	Addr  string // hexadecimal, in the module's own numbering
	Value uint32
}

// constants finds the words that never change and how their addresses are packed: the block, whether
// it is a parameter, and the place among the header's words or the parameters.
func constants(m *csr.Map, wordW int, values map[string]any) {
	low := 3
	for _, b := range m.Blocks {
		for _, r := range b.Registers {
			if r.Kind == csr.Parameter {
				low = max(low, sv.CLog2(int64(r.Offset-csr.AtParameters)/4+int64(r.Words())))
			}
		}
	}
	blocks := sv.CLog2(int64(len(m.Blocks)))
	width := blocks + 1 + low
	var list []constant
	for i, b := range m.Blocks {
		for _, r := range b.Registers {
			if r.Kind != csr.Header && r.Kind != csr.Parameter {
				continue
			}
			for k := range r.Words() {
				word := r.Offset/4 + k
				at := uint32(i)<<(low+1) | word>>9<<low | word&(1<<low-1)
				list = append(list, constant{fmt.Sprintf("%0*x", (width+3)/4, at), uint32(r.Reset >> (32 * k))})
			}
		}
	}
	slices.SortFunc(list, func(a, b constant) int { return strings.Compare(a.Addr, b.Addr) })
	in := "s_rd_addr[9] == s_rd_addr[8]"
	if low < 8 {
		in += fmt.Sprintf(" && s_rd_addr[7:%d] == '0", low)
	}
	if top := 10 + blocks; wordW > top {
		in += fmt.Sprintf(" &&\n      s_rd_addr[%d:%d] == '0", wordW-1, top)
	}
	at := fmt.Sprintf("s_rd_addr[9], s_rd_addr[%d:0]}", low-1)
	if blocks > 0 {
		at = fmt.Sprintf("s_rd_addr[%d:10], ", 9+blocks) + at
	}
	values["Constants"], values["ConstW"], values["ConstIn"], values["ConstAddr"] = list, width, in, "{"+at
}

// A view is a block as its template sees it.
type view struct {
	Name      string
	Header    string // ports of the module
	Writable  bool
	WriteBits int // of s_wr_data that count
	ReadBits  int // of m_rd_data that may be set
	Events    int

	Strobes    []strobe
	Hit        string
	Settings   []signal
	AnySetting string
	EventPorts string
	EventBits  string
	Windows    []window
	Latched    []latched
	Groups     []group
	AnyGroup   string
	OrGroups   string

	Instance           string // in the top module
	WrSelect, RdSelect string // of the block by the address's high bits
	ReadR              string // range of the read data

	rows [][]string
}

type strobe struct {
	Name string
	Word uint32
}

// A signal is a register that software writes, by words.
type signal struct {
	Name, Range, Reset string
	Words              []part
}

// A part is a word of a signal.
type part struct{ Strobe, Select, Data string }

type window struct {
	Name, AnyField, Ready string
	Fields                []signal
}

type latched struct {
	Name string
	Word uint32
	Bits int
	High int
}

type group struct {
	Index  int
	Select uint32
	Range  string
	Hit    string
	Value  [4]string // of the words, by place

	bits int
	have [4]string // values, by place
	wide [4]int
}

// ident is a register's name as a part of identifiers.
func ident(name string) string { return strings.ReplaceAll(name, ".", "_") }

// slice selects bits of a vector of n bits; all of them need no select.
func slice(n, hi, lo int) string {
	switch {
	case n == 1 || lo == 0 && hi == n-1:
		return ""
	case hi == lo:
		return fmt.Sprintf("[%d]", hi)
	}
	return fmt.Sprintf("[%d:%d]", hi, lo)
}

// row adds a port to the module.
func (v *view) row(dir gen.Dir, bits int, name string) {
	d, t := "input", "wire logic"
	if dir == gen.Out {
		d, t = "output", "logic"
	}
	v.rows = append(v.rows, []string{d, t, sv.Range(fmt.Sprint(bits)), name})
}

// newView prepares a block.
func newView(b *csr.Block) *view {
	v := &view{Name: b.Name}
	byGroup := map[uint32]*group{}
	read := func(offset uint32, bits int, value string) {
		word := offset / 4
		g := byGroup[word/4]
		if g == nil {
			g = &group{Select: word / 4}
			byGroup[word/4] = g
		}
		g.have[word%4], g.wide[word%4], g.bits = value, bits, max(g.bits, bits)
		v.ReadBits = max(v.ReadBits, bits)
	}
	written := func(r *csr.Register, name string) (s signal) {
		s = signal{Name: name, Range: sv.Range(fmt.Sprint(r.Bits)), Reset: fmt.Sprintf("%d'h%x", r.Bits, r.Reset)}
		if s.Range != "" {
			s.Range += " "
		}
		for k := range int(r.Words()) {
			lo, hi := 32*k, min(32*k+32, r.Bits)-1
			st := strobe{ident(r.Name), r.Offset/4 + uint32(k)}
			if r.Words() > 1 {
				st.Name += fmt.Sprint("_", k)
			}
			v.Strobes = append(v.Strobes, st)
			v.WriteBits = max(v.WriteBits, hi-lo+1)
			data := fmt.Sprintf("[%d:0]", hi-lo)
			if hi == lo {
				data = "[0]"
			}
			s.Words = append(s.Words, part{st.Name, slice(r.Bits, hi, lo), data})
		}
		return s
	}
	words := func(r *csr.Register, name string) {
		for k := range int(r.Words()) {
			lo, hi := 32*k, min(32*k+32, r.Bits)-1
			read(r.Offset+uint32(4*k), hi-lo+1, name+slice(r.Bits, hi, lo))
		}
	}
	for _, r := range b.Registers {
		switch r.Kind {
		case csr.Status:
			read(r.Offset, r.Bits, ports(r.Bit))
		case csr.Commit:
			written(r, "")
			read(r.Offset, 1, "pending_q")
		case csr.Events:
			written(r, "")
			v.Events, v.EventPorts = r.Bits, ports(r.Bit)
			v.EventBits = fmt.Sprintf("[%d:0]", r.Bits-1)
			if r.Bits == 1 {
				v.EventBits = "[0]"
			}
			words(r, "events")
		case csr.Enable:
			written(r, "")
			words(r, "enable")
		case csr.Setting:
			v.Settings = append(v.Settings, written(r, r.Port))
			words(r, "next_"+r.Port+"_q")
		case csr.Counter:
			if r.Narrow > 0 {
				continue // in memory
			}
			if r.Bits <= 32 {
				words(r, r.Port)
				continue
			}
			read(r.Offset, 32, r.Port+"[31:0]")
			read(r.Offset+4, r.Bits-32, "high_"+r.Port+"_q")
			v.Latched = append(v.Latched, latched{r.Port, r.Offset / 4, r.Bits - 32, r.Bits - 1})
		case csr.Command:
			written(r, "")
			name := strings.TrimSuffix(r.Name, ".command")
			read(r.Offset, 2, "{"+name+"_missed, "+name+"_valid}")
		}
	}
	var settings []string
	for _, s := range v.Settings {
		for _, w := range s.Words {
			settings = append(settings, "wr_"+w.Strobe+"_q")
		}
	}
	v.AnySetting = wrap(settings, " || ", 8)
	for _, w := range b.Windows {
		x := window{Name: w.Name, Ready: "1'b1", AnyField: "1'b0"}
		if w.Ready {
			x.Ready = w.Name + "_ready"
		}
		var any []string
		for _, r := range w.Fields {
			s := written(r, r.Port)
			x.Fields = append(x.Fields, s)
			for _, p := range s.Words {
				any = append(any, "wr_"+p.Strobe+"_q")
			}
		}
		if any != nil {
			x.AnyField = wrap(any, " || ", 4)
		}
		v.Windows = append(v.Windows, x)
	}
	slices.SortFunc(v.Strobes, func(a, b strobe) int { return int(a.Word) - int(b.Word) })
	v.Writable = len(v.Strobes) > 0
	var hit []string
	for _, s := range v.Strobes {
		hit = append(hit, "wr_"+s.Name+"_q")
	}
	v.Hit = wrap(hit, " || ", 4)
	v.groups(byGroup)

	v.row(gen.In, 1, "clk")
	v.row(gen.In, 1, "rst")
	if v.Writable {
		v.row(gen.In, 1, "s_wr_go")
		v.row(gen.In, 10, "s_wr_addr")
		v.row(gen.In, v.WriteBits, "s_wr_data")
		if v.WriteBits == 1 { // its bit is named
			v.rows[len(v.rows)-1][2] = "[0:0]"
		}
		v.row(gen.Out, 1, "m_wr_hit")
	}
	v.row(gen.In, 1, "s_rd_go")
	v.row(gen.In, 10, "s_rd_addr")
	v.row(gen.Out, 1, "m_rd_hit")
	v.row(gen.Out, v.ReadBits, "m_rd_data")
	if v.Events > 0 {
		v.row(gen.Out, 1, "irq")
	}
	for _, w := range wires(b) {
		if !slices.ContainsFunc(b.Registers, func(r *csr.Register) bool { return r.Narrow > 0 && r.Port == w.Name }) {
			v.row(gen.Out-w.Dir, w.Bits, w.Name)
		}
	}
	v.Header = aligned(v.rows)
	return v
}

// groups prepares the read multiplexer.
func (v *view) groups(byGroup map[uint32]*group) {
	var keys []uint32
	for k := range byGroup {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var hits, data []string
	for i, k := range keys {
		g := byGroup[k]
		g.Index, g.Range = i, sv.Range(fmt.Sprint(g.bits))
		if g.Range != "" {
			g.Range += " "
		}
		var hit []string
		for place, value := range g.have {
			if g.Value[place] = fmt.Sprintf("%d'd0", g.bits); value == "" {
				continue
			}
			if pad := g.bits - g.wide[place]; pad > 0 {
				value = fmt.Sprintf("{%d'd0, %s}", pad, value)
			}
			g.Value[place] = value
			hit = append(hit, fmt.Sprintf("p1_addr_q[1:0] == 2'd%d", place))
		}
		if g.Hit = strings.Join(hit, " || "); len(hit) == 4 {
			g.Hit = "1'b1"
		}
		v.Groups = append(v.Groups, *g)
		name := fmt.Sprintf("p2_g%d", i)
		hits = append(hits, name+"_hit_q")
		name += "_q"
		if pad := v.ReadBits - g.bits; pad > 0 {
			name = fmt.Sprintf("{%d'd0, %s}", pad, name)
		}
		data = append(data, name)
	}
	v.AnyGroup, v.OrGroups = wrap(hits, " || ", 4), or("", data, 4)
}

// ports joins the ports of flags, the last one first.
func ports(bits []csr.Bit) string {
	var list []string
	for _, b := range slices.Backward(bits) {
		list = append(list, b.Port)
	}
	if len(list) == 1 {
		return list[0]
	}
	return "{" + wrap(list, ", ", 8) + "}"
}

// wrap joins terms, with line breaks where lines would become too long.
func wrap(terms []string, by string, indent int) string {
	out, line := "", ""
	for i, t := range terms {
		if i > 0 {
			line += by
			if len(line)+len(t)+indent > 78 {
				out += strings.TrimRight(line, " ") + "\n" + strings.Repeat(" ", indent)
				line = ""
			}
		}
		line += t
	}
	return out + line
}

// aligned are declarations of ports in columns.
func aligned(rows [][]string) string {
	var w [3]int
	for _, r := range rows {
		for i := range w {
			w[i] = max(w[i], len(r[i]))
		}
	}
	var list []string
	for _, r := range rows {
		rng := ""
		if w[2] > 0 {
			rng = fmt.Sprintf("%-*s ", w[2], r[2])
		}
		list = append(list, fmt.Sprintf("  %-*s %-*s %s%s", w[0], r[0], w[1], r[1], rng, r[3]))
	}
	return strings.Join(list, ",\n")
}

// extended is the read data in 32 bits.
func (v *view) extended() string {
	if v.ReadBits < 32 {
		return fmt.Sprintf("{%d'd0, %s_rd_data}", 32-v.ReadBits, v.Name)
	}
	return v.Name + "_rd_data"
}

// instance is the instantiation of the block in the top module.
func (v *view) instance(number, wordW int) {
	v.ReadR = sv.Range(fmt.Sprint(v.ReadBits))
	if v.ReadR != "" {
		v.ReadR += " "
	}
	v.WrSelect, v.RdSelect = "1'b1", "1'b1"
	if n := wordW - 10; n > 0 {
		v.WrSelect = fmt.Sprintf("wr_addr[%d:10] == %d'd%d", wordW-1, n, number)
		v.RdSelect = fmt.Sprintf("rd_addr[%d:10] == %d'd%d", wordW-1, n, number)
	}
	var names, values []string
	for _, r := range v.rows {
		name, value := r[3], ""
		switch name {
		case "clk", "rst":
			value = name
		case "s_wr_go":
			value = v.Name + "_wr_go"
		case "s_rd_go":
			value = v.Name + "_rd_go"
		case "s_wr_addr":
			value = "wr_addr[9:0]"
		case "s_rd_addr":
			value = "rd_addr[9:0]"
		case "s_wr_data":
			value = "wr_data" + slice(32, v.WriteBits-1, 0)
		case "m_wr_hit", "m_rd_hit", "m_rd_data":
			value = v.Name + strings.TrimPrefix(name, "m")
		case "irq":
			value = v.Name + "_irq"
		default:
			if value = Prefixed(v.Name, name); number == 0 {
				value = name // of this unit itself
			}
		}
		names, values = append(names, name), append(values, value)
	}
	w := 0
	for _, n := range names {
		w = max(w, len(n))
	}
	var lines []string
	for i, n := range names {
		lines = append(lines, fmt.Sprintf("    .%-*s (%s)", w, n, values[i]))
	}
	v.Instance = strings.Join(lines, ",\n")
}
