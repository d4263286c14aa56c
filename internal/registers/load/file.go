// SPDX-License-Identifier: Apache-2.0

package load

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/nicgen/nicgen/gen/csr"
	"github.com/nicgen/nicgen/internal/plainyaml"
	"github.com/nicgen/nicgen/internal/registers"
	"github.com/nicgen/nicgen/model/laps_paths/place"
)

// Limits of the reader.
const (
	maxYAML    = 1 << 20
	maxNesting = 6
)

// A File describes the set-up of a NIC.
type File struct {
	Network     *Network // nil: none
	Settings    []Setting
	Seeds       []Seed
	LinkRates   []LinkRate
	Profiles    map[string]uint32
	Connections []Connection
	Beta        float64      // of Table, β′
	Table       *place.Table // paths that are to be placed
	Sequence    []byte       // paths as nicgen place wrote them; nil: none
	Writes      []Write
}

// A Setting is a register, by any name of registers.Find, and its value, as registers.Parse reads it.
type Setting struct{ Name, Value string }

// A Seed is words for the random generator of a block.
type Seed struct {
	Block string
	Words []string
}

// A LinkRate is a code of PowerTCP's table and its rate.
type LinkRate struct {
	Code int
	Mbps int64
}

// A Write is a word for a window.
type Write struct {
	Window string
	Fields map[string]string
}

// A Connection is a connection and its peer.
type Connection struct {
	Conn              int64
	Address           netip.Addr // of the peer
	RemoteQP, LocalQP *uint32    // destinations of packets to the peer, and from it: QPs or PDCs
	Profile           string
	Window            string // bytes, or none; empty: as after the flush
	RateGbps          float64
	Feedback          *Feedback
	Writes            []Write
}

// Feedback is the beginning of a connection's feedback packets, without the peer's address and
// queue pair.
type Feedback struct {
	MAC, PeerMAC net.HardwareAddr
	Source       netip.Addr
	Tags         []int // VLANs, the outer one first
	DSCP, TTL    int
	PKey         int
}

// keys reports whether a connection has keys.
func (f *File) keys() bool {
	return slices.ContainsFunc(f.Connections, func(c Connection) bool { return c.RemoteQP != nil || c.LocalQP != nil })
}

// Flags of a profile's word that the loader reads.
const (
	queueBit  = 0
	pathBit   = 1
	windowBit = 6
	ecnBit    = 15 // ECN is set
	ecnValue  = 16 // two bits: what it is set to
)

// flag reports whether the connection's profile has a flag.
func (f *File) flag(c *Connection, bit int) bool { return f.Profiles[c.Profile]>>bit&1 != 0 }

// queued returns the number of connections whose packets go through queues.
func (f *File) queued() (n int64) {
	for i := range f.Connections {
		if f.flag(&f.Connections[i], queueBit) {
			n++
		}
	}
	return n
}

// scalar is a value as written in the file.
type scalar string

// UnmarshalYAML keeps the text of a scalar.
func (s *scalar) UnmarshalYAML(text []byte) error {
	var v any
	if err := yaml.Unmarshal(text, &v); err != nil {
		return err
	}
	switch v := v.(type) {
	case string:
		*s = scalar(v)
	case bool:
		*s = "0"
		if v {
			*s = "1"
		}
	case uint64, int64, int:
		*s = scalar(fmt.Sprint(v))
	case float64:
		*s = scalar(strconv.FormatFloat(v, 'f', -1, 64))
	default:
		return fmt.Errorf("%q, want a number or a word", bytes.TrimSpace(text))
	}
	return nil
}

// shape is the shape of the YAML.
type shape struct {
	Network     *networkShape             `yaml:"network"`
	Settings    yaml.MapSlice             `yaml:"settings"`
	Seeds       map[string]any            `yaml:"seeds"`
	LinkRates   map[int]int64             `yaml:"link_rates"`
	Profiles    map[string]map[string]any `yaml:"profiles"`
	Source      int64                     `yaml:"source"`
	Beta        *float64                  `yaml:"beta"`
	Paths       any                       `yaml:"paths"`
	Writes      []map[string]fields       `yaml:"writes"`
	Connections []struct {
		Conn     *int64              `yaml:"conn"`
		Address  string              `yaml:"address"`
		RemoteQP *uint32             `yaml:"remote_qp"`
		LocalQP  *uint32             `yaml:"local_qp"`
		Profile  string              `yaml:"profile"`
		Window   scalar              `yaml:"window"`
		RateGbps float64             `yaml:"rate_gbps"`
		Feedback *feedbackShape      `yaml:"feedback"`
		Writes   []map[string]fields `yaml:"writes"`
	} `yaml:"connections"`
}

type fields map[string]scalar

// feedbackShape is the shape of a connection's feedback.
type feedbackShape struct {
	MAC     string `yaml:"mac"`
	PeerMAC string `yaml:"peer_mac"`
	Source  string `yaml:"source"`
	Tags    []int  `yaml:"tags"`
	DSCP    int    `yaml:"dscp"`
	TTL     *int   `yaml:"ttl"`
	PKey    *int   `yaml:"pkey"`
}

// networkShape is the shape of the network.
type networkShape struct {
	RateGbps    float64 `yaml:"rate_gbps"`
	RTT         scalar  `yaml:"rtt"`
	MTU         *int64  `yaml:"mtu"`
	Flows       int64   `yaml:"flows"`
	Outstanding scalar  `yaml:"outstanding"`
}

// read returns the network.
func (y *networkShape) read() (*Network, error) {
	n := &Network{RateGbps: y.RateGbps, MTU: defaultMTU, Flows: y.Flows}
	if y.MTU != nil {
		n.MTU = *y.MTU
	}
	errs := []error{}
	for _, q := range []struct {
		key, unit string
		text      scalar
		to        *int64
	}{{"rtt", "ns", y.RTT, &n.RTT}, {"outstanding", "bytes", y.Outstanding, &n.Outstanding}} {
		if q.text == "" {
			continue // 0, of which check tells
		}
		// As a register with this unit.
		v, err := registers.Parse(csr.Place{Block: &csr.Block{Name: "network"}, Register: &csr.Register{Name: q.key, Bits: 48, Format: "unsigned, " + q.unit}}, string(q.text))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		*q.to = v.Int64()
	}
	if len(errs) == 0 {
		errs = n.check()
	}
	return n, errors.Join(errs...)
}

// read returns the feedback of a connection.
func (y *feedbackShape) read(c *Connection) (f *Feedback, err error) {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("connection %d: feedback: "+format, append([]any{c.Conn}, args...)...))
	}
	f = &Feedback{Tags: y.Tags, DSCP: y.DSCP, TTL: 64, PKey: 0xFFFF}
	for _, m := range []struct {
		key, text string
		to        *net.HardwareAddr
	}{{"mac", y.MAC, &f.MAC}, {"peer_mac", y.PeerMAC, &f.PeerMAC}} {
		a, err := net.ParseMAC(m.text)
		if err != nil || len(a) != 6 {
			bad("%s %q, want an Ethernet address", m.key, m.text)
		}
		*m.to = a
	}
	if f.Source, err = netip.ParseAddr(y.Source); err != nil || f.Source.Zone() != "" {
		bad("source %q, want an IPv4 or IPv6 address", y.Source)
	}
	f.Source = f.Source.Unmap()
	if c.RemoteQP == nil || !c.Address.IsValid() {
		bad("want address and remote_qp of the connection: the packets go there")
	} else if f.Source.IsValid() && f.Source.Is4() != c.Address.Is4() {
		bad("source %v, want an address of the kind of the peer's, %v", f.Source, c.Address)
	}
	if y.TTL != nil {
		f.TTL = *y.TTL
	}
	if y.PKey != nil {
		f.PKey = *y.PKey
	}
	for _, v := range []struct {
		key            string
		value, low, up int
	}{{"dscp", f.DSCP, 0, 63}, {"ttl", f.TTL, 1, 255}, {"pkey", f.PKey, 0, 0xFFFF}, {"tags: their number", len(f.Tags), 0, 2}} {
		if v.value < v.low || v.value > v.up {
			bad("%s %d, want %d to %d", v.key, v.value, v.low, v.up)
		}
	}
	for _, t := range f.Tags {
		if t < 0 || t > 4095 {
			bad("tags: %d, want 0 to 4095", t)
		}
	}
	return f, errors.Join(errs...)
}

// profileFlags are the flags of a profile, by bit, and profileValues its numbers: docs/units/nic_transport.md.
var (
	profileFlags  = []string{"queue", "path", "flow", "echo_tx", "echo_rx", "feedback", "window", "telemetry"}
	profileValues = map[string]struct {
		valid    uint32 // the flag that it is there
		at, bits uint
	}{"dscp": {1 << 8, 9, 6}, "ecn": {1 << 15, 16, 2}, "dst": {0, 18, 14}}
)

// profile returns the word of a profile.
func profile(name string, flags map[string]any) (word uint32, err error) {
	for _, k := range slices.Sorted(maps.Keys(flags)) {
		if i := slices.Index(profileFlags, k); i >= 0 {
			on, ok := flags[k].(bool)
			if !ok {
				return 0, fmt.Errorf("profile %s: %s: %v, want true or false", name, k, flags[k])
			}
			if on {
				word |= 1 << i
			}
			continue
		}
		f, ok := profileValues[k]
		if !ok {
			return 0, fmt.Errorf("profile %s: %s, want %s, dscp, ecn, dst", name, k, strings.Join(profileFlags, ", "))
		}
		v, ok := flags[k].(uint64)
		if !ok || v>>f.bits != 0 {
			return 0, fmt.Errorf("profile %s: %s: %v, want 0 to %d", name, k, flags[k], 1<<f.bits-1)
		}
		word |= f.valid | uint32(v)<<f.at
	}
	return word, nil
}

// Read reads the named file: a YAML file as described in docs/registers.md; a path table in CSV or
// YAML; or the folder or the sequence.csv that nicgen place wrote. CSV may be compressed by gzip.
func Read(name string) (*File, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, "sequence.csv")
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Parse(name, text)
}

// Parse reads a text as Read does a file of a name.
func Parse(name string, text []byte) (*File, error) {
	f := &File{Beta: 1}
	switch filepath.Ext(strings.TrimSuffix(name, ".gz")) {
	case ".csv":
		return f, f.csv(name, text)
	case ".yaml", ".yml":
		return f, f.yaml(name, text)
	}
	return nil, fmt.Errorf("%s: want a name that ends in .yaml, .yml or .csv, or a folder that nicgen place wrote", name)
}

// csv reads paths.
func (f *File) csv(name string, text []byte) error {
	text, err := place.Plain(name, text)
	if err != nil {
		return err
	}
	text = plainyaml.Text(text)
	if line, _, _ := bytes.Cut(text, []byte("\n")); strings.TrimSpace(string(line)) == sequenceHeader {
		f.Sequence = text
		return nil
	}
	f.Table, err = place.ReadCSV(name, bytes.NewReader(text))
	return err
}

// yaml reads the file.
func (f *File) yaml(name string, text []byte) error {
	if len(text) > maxYAML {
		return fmt.Errorf("%s: %d bytes, want at most %d", name, len(text), maxYAML)
	}
	text = plainyaml.Text(text)
	if e := plainyaml.Check(text, maxNesting); e != nil {
		return fmt.Errorf("%s:%w", name, e)
	}
	var y shape
	d := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict())
	if err := d.Decode(&y); err != nil && !errors.Is(err, io.EOF) {
		var e yaml.Error
		if errors.As(err, &e) && e.GetToken() != nil && e.GetToken().Position != nil {
			at := e.GetToken().Position
			return fmt.Errorf("%s:%d:%d: %s", name, at.Line, at.Column, e.GetMessage())
		}
		return fmt.Errorf("%s: %w", name, err)
	}
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(name+": "+format, args...)) }
	if y.Network != nil {
		n, err := y.Network.read()
		if err != nil {
			bad("%w", err)
		}
		f.Network = n
	}
	for _, s := range y.Settings {
		v, err := text1(s.Value)
		if err != nil {
			bad("settings: %v: %w", s.Key, err)
		}
		f.Settings = append(f.Settings, Setting{fmt.Sprint(s.Key), v})
	}
	for _, b := range slices.Sorted(maps.Keys(y.Seeds)) {
		list, ok := y.Seeds[b].([]any)
		if !ok {
			list = []any{y.Seeds[b]}
		}
		s := Seed{Block: b}
		for _, v := range list {
			w, err := text1(v)
			if err != nil {
				bad("seeds: %s: %w", b, err)
			}
			s.Words = append(s.Words, w)
		}
		f.Seeds = append(f.Seeds, s)
	}
	for _, code := range slices.Sorted(maps.Keys(y.LinkRates)) {
		f.LinkRates = append(f.LinkRates, LinkRate{code, y.LinkRates[code]})
	}
	f.Profiles = map[string]uint32{}
	for _, p := range slices.Sorted(maps.Keys(y.Profiles)) {
		word, err := profile(p, y.Profiles[p])
		if err != nil {
			bad("%w", err)
		}
		f.Profiles[p] = word
	}
	f.Writes = writes(y.Writes)
	seen := map[int64]bool{}
	for i, c := range y.Connections {
		if c.Conn == nil || *c.Conn < 0 {
			bad("entry %d of connections has no conn, want its number, from 0 upwards", i+1)
			continue
		}
		if seen[*c.Conn] {
			bad("connection %d is there twice", *c.Conn)
		}
		seen[*c.Conn] = true
		x := Connection{Conn: *c.Conn, RemoteQP: c.RemoteQP, LocalQP: c.LocalQP, Profile: c.Profile, Window: string(c.Window), RateGbps: c.RateGbps, Writes: writes(c.Writes)}
		keys := c.RemoteQP != nil || c.LocalQP != nil
		if keys != (c.Address != "") {
			bad("connection %d: address and remote_qp or local_qp: want both or none", *c.Conn)
		} else if keys {
			a, err := netip.ParseAddr(c.Address)
			if err != nil || a.Zone() != "" {
				bad("connection %d: address %q, want an IPv4 or IPv6 address", *c.Conn, c.Address)
			}
			x.Address = a.Unmap()
		}
		if c.Feedback != nil {
			f, err := c.Feedback.read(&x)
			if err != nil {
				bad("%w", err)
			}
			x.Feedback = f
		}
		f.Connections = append(f.Connections, x)
	}
	if y.Beta != nil {
		f.Beta = *y.Beta
	}
	switch paths := y.Paths.(type) {
	case nil:
	case string:
		if err := f.from(filepath.Join(filepath.Dir(name), paths), paths); err != nil {
			errs = append(errs, err)
		}
	default:
		table, err := yaml.Marshal(map[string]any{"source": y.Source, "paths": paths})
		if err == nil {
			f.Table, err = place.ReadYAML(name, table)
		}
		if err != nil {
			bad("paths: %w", err)
		}
	}
	return errors.Join(errs...)
}

// from reads the paths of another file.
func (f *File) from(name, said string) error {
	if filepath.IsAbs(said) {
		name = said
	}
	other, err := Read(name)
	if err != nil {
		return err
	}
	if other.Table == nil && other.Sequence == nil {
		return fmt.Errorf("%s has no paths", name)
	}
	f.Table, f.Sequence = other.Table, other.Sequence
	return nil
}

// text1 returns a scalar's text.
func text1(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case bool:
		if v {
			return "1", nil
		}
		return "0", nil
	case uint64, int64, int:
		return fmt.Sprint(v), nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	}
	return "", fmt.Errorf("%v, want a number or a word", v)
}

// writes returns words for windows.
func writes(list []map[string]fields) (out []Write) {
	for _, m := range list {
		for _, w := range slices.Sorted(maps.Keys(m)) {
			x := Write{Window: w, Fields: map[string]string{}}
			for k, v := range m[w] {
				x.Fields[k] = string(v)
			}
			out = append(out, x)
		}
	}
	return out
}
