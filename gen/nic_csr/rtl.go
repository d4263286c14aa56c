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
	var views []*view
	for i, b := range m.Blocks {
		v := newView(b, i)
		v.instance(i, int(p.AddrBits)-2)
		views = append(views, v)
	}
	values["HasTotals"] = p.Totals && len(p.totals(m)) > 0
	constants(m, int(p.AddrBits)-2, levels(views, values), values)
	for _, part := range []string{"axil", "constants", "levels", "events", "window"} {
		if part == "window" && !slices.ContainsFunc(m.Blocks, func(b *csr.Block) bool { return len(b.Windows) > 0 }) {
			continue
		}
		if err := add(part, ""); err != nil {
			return nil, err
		}
	}
	if values["HasTotals"] == true {
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
	for _, v := range views {
		if values["B"] = v; !v.Writable {
			continue // only levels
		}
		if err := add("block", fmt.Sprintf("%s_block_%s.sv", p.Top(), v.Name)); err != nil {
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
	var irqs []string
	for _, v := range views {
		irqs = append([]string{"1'b0"}, irqs...)
		if v.Events > 0 {
			irqs[0] = v.Name + "_irq"
		}
	}
	if len(irqs) == 1 {
		irqs = append([]string{"1'b0"}, irqs...)
	}
	values["Irqs"], values["IrqN"] = strings.Join(irqs, ", "), len(irqs)
	err = add("nic_csr", "")
	sv.Align(files)
	return files, err
}

// or joins terms by |, each except the first on a separate line.
func or(first string, terms []string, indent int) string {
	if first != "" {
		terms = append([]string{first}, terms...)
	}
	return strings.Join(terms, "\n"+strings.Repeat(" ", indent)+"| ")
}

// A row is the entry of the constants' block RAM for a word.
type row struct {
	At    int
	Flags int // readable, variable, writable: bits 0 to 2
	Value uint32
	Of    string
}

// constants returns the memory's entry for each word: flags for reading and writing, and its value
// or its number in the multiplexer. The address of a row is the block, its part, and the place.
func constants(m *csr.Map, wordW int, numbers map[[2]uint32]int, values map[string]any) {
	low := 3
	for _, b := range m.Blocks {
		for _, r := range b.Registers {
			low = max(low, sv.CLog2(int64((r.Offset/4)&0xff+r.Words())))
		}
	}
	blocks := sv.CLog2(int64(len(m.Blocks)))
	var list []row
	for i, b := range m.Blocks {
		for _, r := range b.Registers {
			for k := range r.Words() {
				word := int(r.Offset/4 + k)
				x := row{At: i<<(low+2) | word>>8<<low | word&(1<<low-1), Of: b.Name + "." + r.Name}
				number, live := numbers[[2]uint32{uint32(i), uint32(word)}]
				if x.Value = uint32(r.Reset >> (32 * k)); r.Kind != csr.Header && r.Kind != csr.Parameter {
					x.Value = uint32(number)
				}
				for bit, is := range []bool{r.Readable(), live, r.Writable()} {
					if is {
						x.Flags |= 1 << bit
					}
				}
				list = append(list, x)
			}
		}
	}
	slices.SortFunc(list, func(a, b row) int { return a.At - b.At })
	for _, way := range []string{"Rd", "Wr"} {
		addr := "s_" + strings.ToLower(way) + "_addr"
		var in []string
		if low < 8 {
			in = append(in, fmt.Sprintf("%s[7:%d] == '0", addr, low))
		}
		if top := 10 + blocks; wordW > top {
			in = append(in, fmt.Sprintf("%s[%d:%d] == '0", addr, wordW-1, top))
		}
		if in == nil {
			in = []string{"1'b1"}
		}
		values[way+"In"], values[way+"Row"] = strings.Join(in, " && "), fmt.Sprintf("{%s[%d:8], %s[%d:0]}", addr, 9+blocks, addr, low-1)
	}
	values["Rows"], values["RowW"] = list, blocks+2+low
}

// A level is a word of the read multiplexer.
type level struct {
	block, word uint32
	value       string // of nets of the top module
	bits        int
}

// A choice is a line of a case.
type choice struct {
	Case, Value string
	Four        string // of the variable that it sets
}

// A four are four words.
type four struct {
	Index string
	Width int
	Words []choice
}

// A set are sixteen.
type set struct {
	Index       string
	First, Last int
	Width       int
	Fours       []four
	Choice      []choice
	Not         string
}

// levels prepares the read multiplexer, and gives words their numbers.
func levels(views []*view, values map[string]any) map[[2]uint32]int {
	var list []level
	for _, v := range views {
		list = append(list, v.levels...)
	}
	slices.SortStableFunc(list, func(a, b level) int { return b.bits - a.bits })
	numbers := map[[2]uint32]int{}
	var words []string // the first one last
	var at []int       // in the vector of all
	total := 0
	for i, x := range list {
		numbers[[2]uint32{x.block, x.word}] = i
		words, at = append([]string{x.value}, words...), append(at, total)
		total += x.bits
	}
	numberW := max(4, sv.CLog2(int64(len(list))))
	padded := func(value string, bits, to int) string {
		if pad := to - bits; pad > 0 {
			return fmt.Sprintf("{%d'd0, %s}", pad, value)
		}
		return value
	}
	labels := []string{"2'd0", "2'd1", "2'd2", "default"}
	var sets []set
	var join []string
	for first := 0; first < len(list); first += 16 {
		s := set{Index: fmt.Sprint(first / 16), First: first, Last: min(first+15, len(list)-1), Width: list[first].bits}
		if numberW > 4 {
			s.Not = fmt.Sprintf(" || s_number[%d:4] != %d'd%d", numberW-1, numberW-4, first/16)
		}
		for q := first; q <= s.Last; q += 4 {
			f := four{Index: fmt.Sprint(q / 4), Width: list[q].bits}
			for k := range 4 {
				x := min(q+k, len(list)-1) // the last one replaces missing ones
				f.Words = append(f.Words, choice{labels[k], padded(fmt.Sprintf("s_words[%d +: %d]", at[x], list[x].bits), list[x].bits, f.Width), f.Index})
			}
			s.Fours = append(s.Fours, f)
		}
		for k := range 4 {
			f := s.Fours[min(k, len(s.Fours)-1)]
			s.Choice = append(s.Choice, choice{labels[k], padded("c"+f.Index, f.Width, s.Width), s.Index})
		}
		sets = append(sets, s)
		join = append(join, padded("p"+s.Index+"_q", s.Width, list[0].bits))
	}
	var high []latched
	for _, v := range views {
		for _, x := range v.Latched {
			x.Number = numbers[[2]uint32{x.block, x.word}]
			high = append(high, x)
		}
	}
	values["Latched"], values["NumberW"], values["WordsBits"], values["LevelsW"] = high, numberW, total, list[0].bits
	values["Sets"], values["Join"], values["Words"] = sets, or("", join, 4), wrap(words, ", ", 17)
	return numbers
}

// A view is a block as its template sees it.
type view struct {
	Name      string
	Header    string // ports of the module
	Writable  bool
	WriteBits int // of s_wr_data that count
	Events    int

	Strobes    []strobe
	Settings   []signal
	AnySetting string
	EventPorts string
	EventBits  string
	Windows    []window
	Latched    []latched

	Instance string // in the top module
	WrSelect string // of the block by the address's high bits
	Nets     []net  // the nets of the block that are read

	rows   [][]string
	levels []level
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

// A net is a block's output that is read.
type net struct{ Range, Name string }

// A latched is the high word of a counter.
type latched struct {
	Name, Port string // in the top module
	Bits       int
	High       int
	Number     int // of the low word

	block, word uint32
}

// ident returns a register's name as a part of identifiers.
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

// newView prepares the block of a number.
func newView(b *csr.Block, number int) *view {
	v := &view{Name: b.Name}
	port := func(name string) string { // in the top module
		if number == 0 {
			return name
		}
		return Prefixed(b.Name, name)
	}
	read := func(offset uint32, bits int, value string) {
		v.levels = append(v.levels, level{uint32(number), offset / 4, value, bits})
	}
	shown := func(bits int, name string) string { // a block's output that is read
		r := sv.Range(fmt.Sprint(bits))
		if r != "" {
			r += " "
		}
		v.Nets = append(v.Nets, net{r, v.Name + "_" + name})
		return v.Name + "_" + name
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
			var list []string
			for _, f := range slices.Backward(r.Bit) {
				list = append(list, port(f.Port))
			}
			value := list[0]
			if len(list) > 1 {
				value = "{" + strings.Join(list, ", ") + "}"
			}
			read(r.Offset, r.Bits, value)
		case csr.Commit:
			written(r, "")
			read(r.Offset, 1, shown(1, "pending"))
		case csr.Events:
			written(r, "")
			v.Events, v.EventPorts = r.Bits, ports(r.Bit)
			v.EventBits = fmt.Sprintf("[%d:0]", r.Bits-1)
			if r.Bits == 1 {
				v.EventBits = "[0]"
			}
			words(r, shown(r.Bits, "events"))
		case csr.Enable:
			written(r, "")
			words(r, shown(r.Bits, "enable"))
		case csr.Setting:
			v.Settings = append(v.Settings, written(r, r.Port))
			words(r, shown(r.Bits, "next_"+r.Port))
		case csr.Counter:
			if r.Narrow > 0 {
				continue // in memory
			}
			if r.Bits <= 32 {
				words(r, port(r.Port))
				continue
			}
			read(r.Offset, 32, port(r.Port)+"[31:0]")
			read(r.Offset+4, r.Bits-32, "high_"+v.Name+"_"+r.Port)
			v.Latched = append(v.Latched, latched{Name: v.Name + "_" + r.Port, Port: port(r.Port), Bits: r.Bits - 32, High: r.Bits - 1,
				block: uint32(number), word: r.Offset / 4})
		case csr.Command:
			written(r, "")
			name := strings.TrimSuffix(r.Name, ".command")
			read(r.Offset, 2, "{"+shown(1, name+"_missed")+", "+port(name+"_valid")+"}")
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

	v.row(gen.In, 1, "clk")
	v.row(gen.In, 1, "rst")
	if v.Writable {
		v.row(gen.In, 1, "s_wr_go")
		v.row(gen.In, 10, "s_wr_addr")
		v.row(gen.In, v.WriteBits, "s_wr_data")
		if v.WriteBits == 1 { // its bit is named
			v.rows[len(v.rows)-1][2] = "[0:0]"
		}
	}
	if v.Events > 0 {
		v.row(gen.Out, 1, "irq")
	}
	for _, w := range wires(b) {
		if !strings.HasPrefix(w.Name, "sts_") { // levels bypass the block
			v.row(gen.Out-w.Dir, w.Bits, w.Name)
		}
	}
	for _, n := range v.Nets {
		v.rows = append(v.rows, []string{"output", "logic", strings.TrimSpace(n.Range), "m" + strings.TrimPrefix(n.Name, v.Name)})
	}
	v.Header = aligned(v.rows)
	return v
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

// wrap joins terms, and breaks lines that would become too long.
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

// aligned returns declarations of ports in columns.
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

// instance is the instantiation of the block in the top module.
func (v *view) instance(number, wordW int) {
	v.WrSelect = "1'b1"
	if n := wordW - 10; n > 0 {
		v.WrSelect = fmt.Sprintf("wr_addr[%d:10] == %d'd%d", wordW-1, n, number)
	}
	var names, values []string
	for _, r := range v.rows {
		name, value := r[3], ""
		switch name {
		case "clk":
			value = name
		case "rst":
			value = "rst_" + v.Name + "_q"
		case "s_wr_go":
			value = v.Name + "_wr_go"
		case "s_wr_addr":
			value = "wr_addr[9:0]"
		case "s_wr_data":
			value = "wr_data" + slice(32, v.WriteBits-1, 0)
		case "irq":
			value = v.Name + "_irq"
		default:
			if read, ok := strings.CutPrefix(name, "m_"); ok && slices.ContainsFunc(v.Nets, func(n net) bool { return n.Name == v.Name+"_"+read }) {
				value = v.Name + "_" + read
				break
			}
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
