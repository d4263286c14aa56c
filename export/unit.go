// SPDX-License-Identifier: Apache-2.0

// Package export makes a C library of a unit: a header with a call for each event, and the
// Verilated design and the golden model behind it. The header follows from the tables of ports and
// events, so that every unit has one.
package export

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/gen/event"
	"github.com/nicgen/nicgen/gen/sv"
)

// Version and Minor are the version of the interface and of the code behind it: a caller's source
// for 2.0 compiles with each 2.x. They are part of the number by which header and library recognise
// each other.
const Version, Minor = 2, 1

// GoldenVersion is the version of the golden models' library that units' libraries call.
const GoldenVersion = 4

// unit is a configuration as the interface has it.
type unit struct {
	cfg     gen.Config
	Name    string // of the unit: "reps"
	Label   string // the unit's name within names: "reps", or the user's choice
	Prefix  string // of functions and types: "nicgen_reps"
	Macro   string // of constants: "NICGEN_REPS"
	Title   string
	Top     string
	ABI     uint32
	Digest  string // SHA-256 of the configuration
	Design  string // of the RTL: gen.DesignDigest
	Time    bool   // the unit has the time as an input
	Bits    int    // of the time
	Ready   bool   // the unit says when it is ready
	Seed    *stream
	Events  []*stream // inputs with a valid flag
	Answers []*stream // outputs with a valid flag
	Inputs  []level   // other inputs
	Outputs []level   // other outputs
	Values  []constant
	// Latencies are numbers of cycles.
	Latencies []constant
	Command   string // that makes the library
}

// stream is a group of ports around a valid flag.
type stream struct {
	Name   string // "send"
	Valid  string // port
	Ready  string // port, or empty
	Fields []field
	Group  string    // heading of the ports
	Doc    string    // meaning of the valid flag
	Answer *stream   // of an event: where it has its answer
	Beats  string    // field: the number of transfers; empty: one
	One    string    // field that, if set, makes the number one; or empty
	Asks   []*stream // of an answer: the events
}

// field is a port of a stream.
type field struct {
	Name  string // in C
	Port  string
	Bits  int
	Doc   string
	Rare  bool
	Wide  bool   // an array: more than 64 bits, or a value for each transfer
	Each  bool   // a value for each transfer
	Words int    // of an array
	Only  string // field of the same answer that must be set for it to be valid, as it is 0 otherwise; may be empty
	Last  uint64 // the largest value; of more than 64 bits, of the last word
}

// Limited reports whether the C type has values that the field does not.
func (f field) Limited() bool {
	bits := map[string]int{"uint8_t": 8, "uint16_t": 16, "uint32_t": 32, "uint64_t": 64}[f.Type()]
	return f.Last < uint64(1)<<bits-1
}

// Top returns the last word of a field of more than 64 bits.
func (f field) Top() int { return f.Words - 1 }

// Flag returns the port of the flag that the field depends on.
func (f field) Flag(s *stream) string {
	return s.Fields[slices.IndexFunc(s.Fields, func(o field) bool { return o.Name == f.Only })].Port
}

// Type returns the C type of a field, or of a word of it.
func (f field) Type() string { return cType(f.Bits) }

// Decl declares the field in a struct.
func (f field) Decl() string {
	if f.Wide {
		return fmt.Sprintf("%s %s[%d]", f.Type(), f.Name, f.Words)
	}
	return f.Type() + " " + f.Name
}

// Param declares the field as a parameter of a function.
func (f field) Param() string {
	if f.Wide {
		return "const " + f.Type() + " *" + f.Name
	}
	return f.Type() + " " + f.Name
}

func cType(bits int) string {
	switch {
	case bits <= 8:
		return "uint8_t"
	case bits <= 16:
		return "uint16_t"
	case bits <= 32:
		return "uint32_t"
	}
	return "uint64_t"
}

// Below returns the number of values of a narrow field.
func (f field) Below() int { return 1 << f.Bits }

// Few returns the number of small values for a test, from 0.
func (f field) Few() uint64 {
	if f.Bits < 3 {
		return f.Last + 1
	}
	return min(f.Last, 3) + 1
}

// numbered is the format of a port that numbers the objects that a parameter counts.
var numbered = regexp.MustCompile(`\b0 to ([A-Z_]+)-1$`)

// last returns the largest value of a port, or of its last word.
func last(cfg gen.Config, p gen.Port) uint64 {
	most := ^uint64(0) >> (63 - (p.Bits-1)%64)
	if m := numbered.FindStringSubmatch(p.Format); m != nil {
		for _, f := range cfg.Fields() {
			if strings.ToUpper(f.Key) == m[1] && f.Int != nil {
				most = min(most, uint64(*f.Int)-1)
			}
		}
	}
	return most
}

// Plain returns the fields of an event that its plain call takes.
func (s *stream) Plain() (list []field) {
	for _, f := range s.Fields {
		if !f.Rare {
			list = append(list, f)
		}
	}
	return list
}

// Most returns the largest number of transfers.
func (s *stream) Most() int {
	i := slices.IndexFunc(s.Fields, func(f field) bool { return f.Name == s.Beats })
	return s.Fields[i].Below() - 1
}

// Rare reports whether the plain call omits fields.
func (s *stream) Rare() bool { return len(s.Plain()) < len(s.Fields) }

// field returns the field of a name, which exists.
func (s *stream) field(name string) *field {
	return &s.Fields[slices.IndexFunc(s.Fields, func(f field) bool { return f.Name == name })]
}

// Macro returns the stream's name in constants.
func (s *stream) Macro() string { return strings.ToUpper(s.Name) }

// level is a port that belongs to no stream.
type level struct {
	Port    string
	Macro   string
	Bits    int
	Doc     string
	Value   uint64 // of an input, at first
	Pulse   bool   // of an output: it is counted
	Counter bool   // of an output: it counts, and wraps
}

// Text describes the port.
func (l level) Text() string {
	bits := "bits"
	if l.Bits == 1 {
		bits = "bit"
	}
	return fmt.Sprintf("%d %s: %s", l.Bits, bits, l.Doc)
}

// constant is a number of the configuration.
type constant struct{ Name, Value string }

// reserved are names that fields cannot have in C or C++.
var reserved = strings.Fields("auto bool break case catch char class const continue default delete do double else " +
	"enum explicit export extern false final float for friend goto if inline int long mutable namespace new operator " +
	"private protected public register return short signed sizeof static struct switch template this throw true try " +
	"typedef typename union unsigned using virtual void volatile while")

// calls are the functions of every library: an event cannot have such a name.
var calls = strings.Fields("new free idle settle batch set get count save load error message about abi cycles dropped " +
	"clock until poll next record explain")

var alsoWith = regexp.MustCompile(`for (\w+)valid too`)

// describe reads the tables of a configuration. A nonempty label replaces the unit in names.
func describe(cfg gen.Config, def gen.Config, label string) (*unit, error) {
	u := &unit{cfg: cfg, Name: cfg.Unit(), Label: cfg.Unit(), Title: cfg.Title(), Top: cfg.Top(),
		Command: "nicgen export" + strings.TrimPrefix(emit.Command(cfg, def), "nicgen emit")}
	if label != "" && label != u.Label {
		u.Label = label
		u.Command += " --name " + label
	}
	u.Prefix, u.Macro = Folder(u.Label), strings.ToUpper(Folder(u.Label))
	var err error
	if u.Digest, err = emit.Digest(cfg); err != nil {
		return nil, err
	}
	if c := event.Of(cfg); c != nil {
		if faults := c.Check(cfg); len(faults) > 0 {
			return nil, fmt.Errorf("%s: the contract does not fit the ports:\n%s", u.Name, strings.Join(faults, "\n"))
		}
	}
	if u.Design, err = emit.DesignDigest(cfg); err != nil {
		return nil, err
	}
	values, err := defaults(cfg)
	if err != nil {
		return nil, err
	}
	ports := cfg.Ports()
	flags := map[string]bool{} // names of ports after their role
	for _, e := range event.Table(cfg) {
		for _, f := range e.Flags {
			flags["s_"+e.Name+"_"+f] = true
		}
	}
	streams := map[string]*stream{} // by the names of ports before "valid"
	var prefixes []string
	for _, p := range ports {
		at, ok := strings.CutSuffix(p.Name, "valid")
		if !ok || p.Bits != 1 || strings.HasPrefix(p.Name, "sts_") || flags[p.Name] {
			continue
		}
		name := strings.Trim(strings.TrimSuffix(at, "_t"), "_")
		for _, role := range []string{"s_", "m_"} {
			name = strings.TrimPrefix(name, role)
		}
		s := &stream{Name: name, Valid: p.Name, Group: p.Group, Doc: p.Meaning}
		streams[at] = s
		prefixes = append(prefixes, at)
		if p.Dir == gen.In {
			u.Events = append(u.Events, s)
		} else {
			u.Answers = append(u.Answers, s)
		}
	}
	// A port belongs to the longest matching prefix.
	slices.SortFunc(prefixes, func(a, b string) int { return len(b) - len(a) })
	dir := map[string]gen.Dir{}
	for _, p := range ports {
		dir[p.Name] = p.Dir
	}
	for _, p := range ports {
		switch p.Name {
		case "clk", "rst":
			continue
		case "now_ns":
			u.Time, u.Bits = true, p.Bits
			continue
		case "sts_ready":
			u.Ready = true
		}
		if u.place(p, streams, prefixes, dir) {
			continue
		}
		l := level{Port: p.Name, Macro: u.Macro + "_" + strings.ToUpper(p.Name), Bits: p.Bits, Doc: comment(p.Meaning), Value: values[p.Name]}
		if p.Bits > 64 {
			return nil, fmt.Errorf("%s: port %s has %d bits and belongs to no stream: a C library cannot have it", u.Name, p.Name, p.Bits)
		}
		if p.Dir == gen.In {
			u.Inputs = append(u.Inputs, l)
			continue
		}
		l.Pulse = strings.HasPrefix(p.Name, "evt_")
		l.Counter = strings.HasPrefix(p.Name, "sts_") && strings.HasSuffix(p.Name, "_cnt") && p.Bits > 1
		u.Outputs = append(u.Outputs, l)
	}
	if err := u.link(); err != nil {
		return nil, err
	}
	u.constants()
	u.ABI = u.number()
	return u, nil
}

// place finds the stream of a port, and reports whether it has one.
func (u *unit) place(p gen.Port, streams map[string]*stream, prefixes []string, dir map[string]gen.Dir) bool {
	found := false
	add := func(at string) {
		s := streams[at]
		rest, ok := strings.CutPrefix(p.Name, at)
		switch {
		case p.Name == s.Valid:
		case ok && rest == "ready":
			s.Ready = p.Name
		case p.Dir != dir[s.Valid]:
			return
		default:
			if !ok {
				rest = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(p.Name, "m_"), "s_"), "_")
			}
			if slices.Contains(reserved, rest) {
				rest += "_"
			}
			s.Fields = append(s.Fields, field{Name: rest, Port: p.Name, Bits: p.Bits, Doc: comment(p.Meaning + note(p.Format)), Wide: p.Bits > 64, Words: (p.Bits + 63) / 64, Last: last(u.cfg, p)})
		}
		found = true
	}
	for _, at := range prefixes {
		if strings.HasPrefix(p.Name, at) || p.Name == strings.TrimSuffix(at, "_") {
			add(at)
			break
		}
	}
	if m := alsoWith.FindStringSubmatch(p.Timing); m != nil && found && streams[m[1]] != nil {
		s := streams[m[1]]
		owner := s.Fields
		for _, at := range prefixes {
			if rest, ok := strings.CutPrefix(p.Name, at); ok {
				s.Fields = append(owner, field{Name: rest, Port: p.Name, Bits: p.Bits, Doc: comment(p.Meaning), Wide: p.Bits > 64, Words: (p.Bits + 63) / 64, Last: last(u.cfg, p)})
				break
			}
		}
	}
	return found
}

// note returns a number format as a part of a comment.
func note(format string) string {
	if format == "" || format == "flag" {
		return ""
	}
	return " (" + format + ")"
}

// link applies the unit's table of events, whose names the contract's check has found among the ports.
func (u *unit) link() error {
	find := func(list []*stream, name string) *stream {
		return list[slices.IndexFunc(list, func(s *stream) bool { return s.Name == name })]
	}
	for _, e := range event.Table(u.cfg) {
		s := find(u.Events, e.Name)
		if e.Answer != "" {
			s.Answer = find(u.Answers, e.Answer)
			s.Answer.Asks = append(s.Answer.Asks, s)
		}
		for name, flag := range e.Only {
			f := s.Answer.field(name)
			f.Only = flag
			f.Doc += " 0 unless " + flag + " is set."
		}
		for _, r := range e.Rare {
			s.field(r).Rare = true
		}
		if e.Beats == "" {
			continue
		}
		s.Beats, s.One = e.Beats, e.One
		for _, name := range e.Each {
			f := s.field(name)
			f.Wide, f.Each, f.Words = true, true, s.field(e.Beats).Below()-1
		}
	}
	for _, list := range [][]*stream{u.Events, u.Answers} {
		seen := map[string]bool{}
		for _, s := range list {
			if seen[s.Name] {
				return fmt.Errorf("%s: two streams in one direction are called %s", u.Name, s.Name)
			}
			seen[s.Name] = true
		}
	}
	owner := map[string]string{}
	for _, s := range u.Events {
		for _, f := range s.Fields {
			if other := owner[f.Port]; other != "" {
				return fmt.Errorf("%s: the events %s and %s share the port %s: with a clock they could not occur in one cycle", u.Name, other, s.Name, f.Port)
			}
			owner[f.Port] = s.Name
		}
		if slices.Contains(calls, s.Name) {
			return fmt.Errorf("%s: the event %s has the name of a function of every library", u.Name, s.Name)
		}
		if s.Name == "seed" && len(s.Fields) == 1 && !s.Fields[0].Wide && s.Ready == "" {
			u.Seed = s
		}
	}
	return nil
}

// constants lists the numbers of the configuration and the latencies.
func (u *unit) constants() {
	for _, f := range u.cfg.Fields() {
		c := constant{Name: u.Macro + "_PARAM_" + strings.ToUpper(f.Key), Value: f.Value()}
		switch f.Kind() {
		case gen.Bool:
			c.Value = map[bool]string{false: "0", true: "1"}[*f.Bool]
		case gen.Enum:
			c.Value = `"` + f.Value() + `"`
		default:
			if *f.Int > 1<<31-1 || *f.Int < -1<<31 {
				c.Value += "LL"
			}
		}
		u.Values = append(u.Values, c)
	}
	for name, n := range u.cfg.Latency() {
		macro := strings.Trim(notWord.ReplaceAllString(strings.ToUpper(name), "_"), "_")
		u.Latencies = append(u.Latencies, constant{Name: u.Macro + "_LATENCY_" + macro, Value: fmt.Sprint(n)})
	}
	slices.SortFunc(u.Latencies, func(a, b constant) int { return strings.Compare(a.Name, b.Name) })
}

var notWord = regexp.MustCompile(`\W+`)

// number returns the ABI: a digest of everything on which header and library must agree.
func (u *unit) number() uint32 {
	h := sha256.New()
	fmt.Fprintln(h, Version, Minor, u.Name, u.Digest, u.Design, u.Time)
	for _, list := range [][]*stream{u.Events, u.Answers} {
		for _, s := range list {
			fmt.Fprintln(h, s.Name, s.Valid, s.Ready, s.Answer != nil, s.Beats, s.One)
			for _, f := range s.Fields {
				fmt.Fprintln(h, f.Name, f.Bits, f.Rare, f.Each, f.Only)
			}
		}
	}
	for _, list := range [][]level{u.Inputs, u.Outputs} {
		for _, l := range list {
			fmt.Fprintln(h, l.Port, l.Bits)
		}
	}
	return binary.BigEndian.Uint32(h.Sum(nil))
}

// defaults returns the values of the cfg_ ports under the configuration: a choice or switch is repeated
// if its port has room for several.
func defaults(cfg gen.Config) (map[string]uint64, error) {
	values, err := csr.Values(cfg)
	if err != nil {
		return nil, err
	}
	if _, ok := cfg.(gen.Driven); ok {
		return values, nil
	}
	bits := map[string]int{}
	for _, p := range cfg.Ports() {
		bits[p.Name] = p.Bits
	}
	for _, f := range cfg.Fields() {
		w := 0
		switch {
		case !f.Runtime:
		case f.Kind() == gen.Bool:
			w = 1
		case f.Kind() == gen.Enum:
			w = sv.IdxW(int64(len(f.Choices)))
		}
		if w == 0 || bits[f.Port]%w != 0 {
			continue
		}
		one := values[f.Port]
		for at := w; at < bits[f.Port]; at += w {
			values[f.Port] |= one << at
		}
	}
	return values, nil
}
