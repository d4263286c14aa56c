// SPDX-License-Identifier: Apache-2.0

// Package load turns a file that describes the set-up of a NIC into register writes, in an order in
// which no packet meets an unfinished connection: settings, tables, then for each connection its
// state, and last its entry in the connection table.
//
// docs/registers.md describes the file.
package load

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	lookupparams "github.com/nicgen/nicgen/gen/nic_lookup"
	powertcp "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/internal/registers"
	lookup "github.com/nicgen/nicgen/model/nic_lookup"
	"github.com/nicgen/nicgen/model/nic_lookup/place"
)

// A Step is a set of settings that are written together, or a word that is offered to a window.
type Step struct {
	Settings []registers.Assignment
	Offer    *registers.Offer
}

// String returns the step as an argument list of nicgen csr write.
func (s Step) String() string {
	if s.Offer != nil {
		return s.Offer.String()
	}
	text := ""
	for i, a := range s.Settings {
		if i > 0 {
			text += " "
		}
		text += a.String()
	}
	return text
}

// Do carries out steps in their order. An error says which one failed.
func Do(ctx context.Context, n *registers.NIC, steps []Step, patience time.Duration) error {
	for i, s := range steps {
		err := ctx.Err()
		switch {
		case err != nil:
		case s.Offer != nil:
			err = n.Offer(ctx, *s.Offer, patience)
		default:
			err = n.Assign(s.Settings)
		}
		if err != nil {
			return fmt.Errorf("write %d of %d, %s: %w", i+1, len(steps), s, err)
		}
	}
	return nil
}

// Options hold the values that a file does not contain.
type Options struct {
	// Clear first empties every place of the connection table. Without it, the table is assumed to
	// be as after reset.
	Clear bool
}

// planner makes steps.
type planner struct {
	m     *csr.Map
	steps []Step
	errs  []error
}

func (p *planner) bad(format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf(format, args...))
}

// offer adds a word for a window.
func (p *planner) offer(b *csr.Block, w *csr.Window, values map[string]*big.Int) {
	o := registers.Offer{Block: b, Window: w, Values: values}
	if err := o.Check(); err != nil {
		p.errs = append(p.errs, err)
		return
	}
	p.steps = append(p.steps, Step{Offer: &o})
}

// windows returns the windows with a name and some fields, with their blocks.
func (p *planner) windows(name string, fields ...string) (out []registers.Offer) {
	for _, b := range p.m.Blocks {
		if w := b.Window(name); w != nil && has(w, fields...) {
			out = append(out, registers.Offer{Block: b, Window: w})
		}
	}
	return out
}

// only returns the one window of a name with some fields.
func (p *planner) only(what, name string, fields ...string) (*csr.Block, *csr.Window) {
	list := p.windows(name, fields...)
	if len(list) != 1 {
		p.bad("%s: the map has %d windows %s with the fields %s, want one", what, len(list), name, strings.Join(fields, ", "))
		return nil, nil
	}
	return list[0].Block, list[0].Window
}

func has(w *csr.Window, fields ...string) bool {
	for _, f := range fields {
		if w.Field(f) == nil {
			return false
		}
	}
	return true
}

// configure gives a configuration the parameters that a block shows; the parameters of keys are
// required.
func configure(cfg gen.Config, b *csr.Block, keys ...string) error {
	needed := map[string]bool{}
	for _, k := range keys {
		needed[k] = true
	}
	for _, f := range cfg.Fields() {
		r := b.Register("param_" + f.Key)
		if r == nil {
			if needed[f.Key] {
				return fmt.Errorf("block %s does not show the parameter %s", b.Name, f.Key)
			}
			continue
		}
		switch f.Kind() {
		case gen.Bool:
			*f.Bool = r.Reset != 0
		case gen.Enum:
			if r.Reset >= uint64(len(f.Choices)) {
				return fmt.Errorf("block %s: %s is choice %d of %d", b.Name, r.Name, r.Reset, len(f.Choices))
			}
			*f.Enum = f.Choices[r.Reset]
		default:
			*f.Int = int64(r.Reset)
			if r.Bits == 32 && f.Min < 0 {
				*f.Int = int64(int32(r.Reset))
			}
		}
	}
	if err := gen.Validate(cfg); err != nil {
		return fmt.Errorf("block %s: %w", b.Name, err)
	}
	return nil
}

// Plan returns the steps of a file.
func Plan(m *csr.Map, f *File, o Options) ([]Step, error) {
	p := &planner{m: m}
	p.settings(f)
	var table *searches
	if o.Clear || f.keys() {
		table = p.searches()
	}
	if o.Clear && table != nil {
		table.clear()
	}
	p.seeds(f)
	p.linkRates(f)
	p.paths(f)
	for _, w := range f.Writes {
		p.write(w, nil)
	}
	for i := range f.Connections {
		p.connection(f, &f.Connections[i])
	}
	if table != nil {
		for i := range f.Connections {
			table.insert(&f.Connections[i])
		}
	}
	if len(p.errs) > 0 {
		return nil, errors.Join(p.errs...)
	}
	return p.steps, nil
}

// settings are written block by block, in the order of the map.
func (p *planner) settings(f *File) {
	of := map[*csr.Block][]registers.Assignment{}
	var said []registers.Assignment
	for _, s := range f.Settings {
		at, err := registers.Find(p.m, s.Name)
		if err != nil {
			p.errs = append(p.errs, err)
			continue
		}
		v, err := registers.Parse(at, s.Value)
		if err != nil {
			p.errs = append(p.errs, err)
			continue
		}
		said = append(said, registers.Assignment{Place: at, Value: v})
	}
	said = p.follow(f, said)
	if len(p.errs) == 0 {
		p.agree(said)
	}
	for _, a := range said {
		of[a.Place.Block] = append(of[a.Place.Block], a)
	}
	for _, b := range p.m.Blocks {
		if list := of[b]; len(list) > 0 {
			if err := registers.CheckAssignments(list); err != nil {
				p.errs = append(p.errs, err)
			}
			p.steps = append(p.steps, Step{Settings: list})
		}
	}
}

// seeds shifts words into the random generators of blocks.
func (p *planner) seeds(f *File) {
	for _, s := range f.Seeds {
		b := p.m.Block(s.Block)
		if b == nil || b.Window("s_seed") == nil || b.Window("s_seed").Field("word") == nil {
			p.bad("seeds: no block %q with a random generator", s.Block)
			continue
		}
		w := b.Window("s_seed")
		for _, text := range s.Words {
			p.offer(b, w, p.values(b, w, map[string]string{"word": text}))
		}
	}
}

// values reads the values of a window's fields.
func (p *planner) values(b *csr.Block, w *csr.Window, texts map[string]string) map[string]*big.Int {
	out := map[string]*big.Int{}
	for name, text := range texts {
		f := w.Field(name)
		if f == nil {
			out[name] = new(big.Int) // Check knows the fields
			continue
		}
		v, err := registers.Parse(csr.Place{Block: b, Register: f}, text)
		if err != nil {
			p.errs = append(p.errs, err)
			v = new(big.Int)
		}
		out[name] = v
	}
	return out
}

// write is a write to a window that the file names; conn, if not nil, is its connection.
func (p *planner) write(x Write, conn *Connection) {
	b, w, err := registers.FindWindow(p.m, x.Window)
	if err != nil {
		p.errs = append(p.errs, err)
		return
	}
	values := p.values(b, w, x.Fields)
	if conn != nil {
		for _, name := range []string{"conn", "flow"} {
			if w.Field(name) != nil && values[name] == nil {
				values[name] = big.NewInt(conn.Conn)
				break
			}
		}
	}
	p.offer(b, w, values)
}

// linkRates are the entries of PowerTCP's table of link rates.
func (p *planner) linkRates(f *File) {
	if len(f.LinkRates) == 0 {
		return
	}
	b, w := p.only("link_rates", "s_rate", "code", "entry")
	if b == nil {
		return
	}
	cfg := powertcp.Default()
	tau := b.Register("cfg_tau_ns")
	if tau == nil {
		p.bad("link_rates: block %s has no setting cfg_tau_ns", b.Name)
		return
	}
	cfg.TauNS = int64(tau.Reset)
	for _, s := range p.steps {
		for _, a := range s.Settings {
			if a.Place.Block == b && a.Place.Register == tau {
				cfg.TauNS = a.Value.Int64()
			}
		}
	}
	for i := range cfg.LinkRatesMbps {
		cfg.LinkRatesMbps[i] = 0
	}
	if err := configure(cfg, b, "variant", "base_rtt", "tx_unit_bytes", "qlen_unit_bytes", "rate_bits"); err != nil {
		p.errs = append(p.errs, fmt.Errorf("link_rates: %w", err))
		return
	}
	for _, r := range f.LinkRates {
		if r.Code < 0 || r.Code >= 1<<cfg.RateBits {
			p.bad("link_rates: code %d, want 0 to %d", r.Code, 1<<cfg.RateBits-1)
			continue
		}
		cfg.LinkRatesMbps[r.Code] = r.Mbps
		e := cfg.Rate(r.Code)
		if r.Mbps != 0 && !e.Valid || r.Mbps < 0 {
			p.bad("link_rates: code %d: the unit cannot use %d Mbit/s with τ %d ns", r.Code, r.Mbps, cfg.TauNS)
			continue
		}
		p.offer(b, w, map[string]*big.Int{"code": big.NewInt(int64(r.Code)), "entry": new(big.Int).SetUint64(e.Entry())})
	}
}

// connection is the state of a connection, but not its keys.
func (p *planner) connection(f *File, c *Connection) {
	number := big.NewInt(c.Conn)
	for _, o := range p.windows("s_flush", "conn") {
		if r := o.Block.Register("param_connections"); r != nil && uint64(c.Conn) >= r.Reset {
			p.bad("connection %d: block %s has 0 to %d", c.Conn, o.Block.Name, int64(r.Reset)-1)
			continue
		}
		values := map[string]*big.Int{"conn": number}
		if o.Window.Field("port") == nil {
			p.offer(o.Block, o.Window, values)
			continue
		}
		ports := uint64(1)
		if r := o.Block.Register("param_nic_ports"); r != nil {
			ports = r.Reset
		}
		for port := range ports {
			p.offer(o.Block, o.Window, map[string]*big.Int{"conn": number, "port": new(big.Int).SetUint64(port)})
		}
	}
	for _, field := range []string{"conn", "flow"} {
		for _, o := range p.windows("s_open", field) {
			p.offer(o.Block, o.Window, map[string]*big.Int{field: number})
		}
	}
	if c.Feedback != nil {
		p.feedback(c, f.Profiles[c.Profile]>>flowBit&1 != 0)
	}
	if c.Profile != "" {
		word, ok := f.Profiles[c.Profile]
		if !ok {
			p.bad("connection %d: no profile %q", c.Conn, c.Profile)
		} else {
			p.unheard(f, c)
			p.other("connection "+strconv.FormatInt(c.Conn, 10)+": profile", "s_profile", number, func(*csr.Block, *csr.Register) *big.Int {
				return new(big.Int).SetUint64(uint64(word))
			})
		}
	}
	if f.Network != nil {
		c = f.Network.begins(f, c)
	}
	if c.Window != "" {
		p.other(fmt.Sprintf("connection %d: window", c.Conn), "s_window", number, func(b *csr.Block, r *csr.Register) *big.Int {
			if c.Window == noWindow {
				return new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(r.Bits)), big.NewInt(1))
			}
			v, err := registers.Parse(csr.Place{Block: b, Register: r}, c.Window)
			if err != nil {
				p.errs = append(p.errs, err)
			}
			return v
		})
	}
	if c.RateGbps != 0 {
		p.other(fmt.Sprintf("connection %d: rate_gbps", c.Conn), "s_rate", number, func(_ *csr.Block, r *csr.Register) *big.Int {
			v, err := inverse(r, c.RateGbps)
			if err != nil {
				p.bad("connection %d: %w", c.Conn, err)
			}
			return v
		})
	}
	for _, w := range c.Writes {
		p.write(w, c)
	}
}

// feedback writes a connection's template of feedback packets, the word that makes it valid last.
func (p *planner) feedback(c *Connection, label bool) {
	b, w := p.only(fmt.Sprintf("connection %d: feedback", c.Conn), "s_template", "conn", "word", "data")
	if b == nil {
		return
	}
	t := Template(c, label)
	offer := func(k int, data uint32) {
		p.offer(b, w, map[string]*big.Int{"conn": big.NewInt(c.Conn), "word": big.NewInt(int64(k)), "data": new(big.Int).SetUint64(uint64(data))})
	}
	offer(0, 0)
	place, _ := t.Place()
	for k := place.Needed() - 1; k >= 0; k-- {
		offer(k, t[k])
	}
}

// other writes the one window of a name that has the connection's number and one more field.
func (p *planner) other(what, window string, number *big.Int, value func(*csr.Block, *csr.Register) *big.Int) {
	b, w := p.only(what, window, "conn")
	if b == nil {
		return
	}
	if len(w.Fields) != 2 {
		p.bad("%s: the window %s.%s has %d fields, want conn and one more: use writes", what, b.Name, w.Name, len(w.Fields))
		return
	}
	f := w.Fields[0]
	if f == w.Field("conn") {
		f = w.Fields[1]
	}
	if v := value(b, f); v != nil {
		p.offer(b, w, map[string]*big.Int{"conn": number, f.Name[len(window)+1:]: v})
	}
}

var perByte = regexp.MustCompile(`^ns a byte, UQ\d+\.(\d+)\b`)

// inverse returns the time that a byte takes at a rate, as a field has it.
func inverse(r *csr.Register, gbps float64) (*big.Int, error) {
	m := perByte.FindStringSubmatch(r.Format)
	if m == nil {
		return nil, fmt.Errorf("rate_gbps: the format of %s is %q, want ns a byte: use writes", r.Name, r.Format)
	}
	frac, err := strconv.ParseUint(m[1], 10, 8)
	if err != nil || frac > 64 {
		return nil, fmt.Errorf("rate_gbps: the format of %s is %q", r.Name, r.Format)
	}
	x := new(big.Rat).SetFloat64(gbps)
	if x == nil || x.Sign() <= 0 {
		return nil, fmt.Errorf("rate_gbps %g: want a number above 0", gbps)
	}
	// 8 / gbps · 2^frac, rounded to the nearest, halves up
	x.Quo(new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(16), uint(frac))), x)
	x.Add(x, big.NewRat(1, 1))
	v := new(big.Int).Quo(x.Num(), x.Denom())
	v.Rsh(v, 1)
	if v.Sign() == 0 || v.BitLen() > r.Bits {
		return nil, fmt.Errorf("rate_gbps %g is beyond the range of %s", gbps, r.Name)
	}
	return v, nil
}

// searches is the connection table while it is filled.
type searches struct {
	p     *planner
	block *csr.Block
	w     *csr.Window
	cfg   *lookupparams.Params
	table *place.Table
	of    map[lookup.Key]int64
}

// searches finds the search of connections.
func (p *planner) searches() *searches {
	b, w := p.only("connections", "s_write", "way", "row", "set", "key", "conn")
	if b == nil {
		return nil
	}
	cfg := lookupparams.Default()
	if err := configure(cfg, b, "key_bits", "ways", "rows", "connections", "conn_bits", "hash_seed"); err != nil {
		p.errs = append(p.errs, fmt.Errorf("connections: %w", err))
		return nil
	}
	return &searches{p, b, w, cfg, place.New(cfg), map[lookup.Key]int64{}}
}

// write offers the write of a place.
func (s *searches) write(w lookup.Write) {
	values := map[string]*big.Int{"way": big.NewInt(int64(w.Way)), "row": big.NewInt(int64(w.Row)), "set": new(big.Int)}
	if w.Entry.Set {
		key := new(big.Int)
		for i := len(w.Entry.Key) - 1; i >= 0; i-- {
			key.Or(key.Lsh(key, 64), new(big.Int).SetUint64(w.Entry.Key[i]))
		}
		values["set"], values["key"], values["conn"] = big.NewInt(1), key, new(big.Int).SetUint64(uint64(w.Entry.Conn))
	}
	s.p.offer(s.block, s.w, values)
}

// clear empties all places.
func (s *searches) clear() {
	for way := range int(s.cfg.Ways) {
		for row := range int(s.cfg.Rows) {
			s.write(lookup.Write{Way: way, Row: row})
		}
	}
}

// insert adds the keys of a connection.
func (s *searches) insert(c *Connection) {
	ids := []struct {
		what string
		d    lookup.Direction
		id   *uint32
	}{{"remote_qp", lookup.Sent, c.RemoteQP}, {"local_qp", lookup.Received, c.LocalQP}}
	for _, x := range ids {
		if x.id == nil {
			continue
		}
		key, err := s.key(c, x.d, *x.id)
		if err != nil {
			s.p.bad("connection %d, %s: %w", c.Conn, x.what, err)
			continue
		}
		if other, ok := s.of[key]; ok {
			if other != c.Conn {
				s.p.bad("connection %d, %s: connection %d has the same address and number: no packet tells which of them is meant", c.Conn, x.what, other)
			}
			continue
		}
		if c.Conn < 0 || c.Conn >= s.cfg.Connections {
			s.p.bad("connection %d: want 0 to %d", c.Conn, s.cfg.Connections-1)
			return
		}
		writes, err := s.table.Insert(key, uint32(c.Conn))
		if err != nil {
			s.p.bad("connection %d, %s: %w: the table has %d entries in %d places", c.Conn, x.what, err, s.table.Len(), s.cfg.Ways*s.cfg.Rows)
			continue
		}
		s.of[key] = c.Conn
		for _, w := range writes {
			s.write(w)
		}
	}
}

// key returns the key of an address and a QP or PDC: the width of the table's keys selects the
// kind.
func (s *searches) key(c *Connection, d lookup.Direction, id uint32) (lookup.Key, error) {
	switch s.cfg.KeyBits {
	case 57:
		return lookup.KeyOf(false, c.Address, d, id, 24)
	case 154:
		return lookup.KeyOf(true, c.Address, d, id, 24)
	case 49:
		return lookup.KeyOf(false, c.Address, d, id, 16)
	case 146:
		return lookup.KeyOf(true, c.Address, d, id, 16)
	}
	return lookup.Key{}, fmt.Errorf("keys of %d bits do not consist of an address and a number: use writes", s.cfg.KeyBits)
}
