// SPDX-License-Identifier: Apache-2.0

package registers

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/gen/csr"
)

// A format is the number format in a register's text.
type format struct {
	unit    string           // "ns", "bytes", ...; empty: none
	frac    uint             // fraction bits
	element int              // bits of an element of a list; 0: it is one number
	names   map[int64]string // of numbers
}

var (
	fixed    = regexp.MustCompile(`\bUQ\d+\.(\d+)\b`)
	elements = regexp.MustCompile(`^(\d+) bits an? [^:]*: (.*)$`)
	named    = regexp.MustCompile(`^(\d+)(?: or (\d+))? (.+)$`)
	units    = []string{"ns", "bytes", "KiB", "bits", "cycles", "packets", "rounds", "cells", "EVs", "ns a byte"}
)

// formatOf reads a register's format.
func formatOf(r *csr.Register) (f format) {
	text := r.Format
	if m := fixed.FindStringSubmatch(text); m != nil {
		n, _ := strconv.ParseUint(m[1], 10, 8) // digits
		f.frac = uint(min(n, 64))
	}
	if m := elements.FindStringSubmatch(text); m != nil {
		f.element, _ = strconv.Atoi(m[1])
		text = m[2]
	}
	parts := strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ';' })
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
		if f.unit == "" && slices.Contains(units, parts[i]) {
			f.unit = parts[i]
		}
	}
	if r.Kind == csr.Parameter && f.unit == "" && !strings.ContainsAny(text, "0123456789") && text != "flag" {
		f.unit = text
	}
	if f.unit == "" { // from the name
		for end, unit := range map[string]string{"_ns": "ns", "bytes": "bytes"} {
			if strings.HasSuffix(r.Name, end) {
				f.unit = unit
			}
		}
	}
	names := map[int64]string{}
	for _, p := range parts {
		m := named.FindStringSubmatch(p)
		if m == nil {
			names = nil
			break
		}
		for _, n := range m[1:3] {
			if v, err := strconv.ParseInt(n, 10, 32); err == nil {
				names[v] = m[3]
			}
		}
	}
	if len(names) > 1 {
		f.names = names
	}
	if f.names == nil || f.element < 1 || f.element >= r.Bits || r.Bits%f.element != 0 {
		f.element = 0 // or one alone
	}
	return f
}

// scales are the larger units in which values are shown, and the smaller ones in which they can be
// given.
var scales = map[string][]struct {
	name string
	mult int64
}{
	"ns":    {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}},
	"bytes": {{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}},
}

// Show returns a value of a register, or of a flag, for people: "10000000 ns (10 ms)", "2 ECMP".
func Show(p csr.Place, v uint64) string {
	r := p.Register
	if p.Bit != nil {
		return strconv.FormatUint(v, 10)
	}
	if len(r.Bit) > 0 {
		var on []string
		for _, b := range r.Bit {
			if v>>b.Bit&1 != 0 {
				on = append(on, b.Name)
			}
		}
		text := fmt.Sprintf("0x%x", v)
		if len(on) > 0 {
			text += " " + strings.Join(on, " ")
		}
		return text
	}
	if r.Kind == csr.Header {
		return fmt.Sprintf("0x%08x", v)
	}
	f := formatOf(r)
	text := strconv.FormatUint(v, 10)
	if f.names != nil {
		bits := f.element
		if bits == 0 {
			bits = r.Bits
		}
		for i := 0; i < r.Bits; i += bits {
			part := v >> i
			if bits < 64 {
				part &= 1<<bits - 1
			}
			if name, ok := f.names[int64(part)]; ok {
				text += " " + name
			} else {
				text += " ?"
			}
		}
		return text
	}
	if f.frac > 0 {
		text += " = " + decimal(new(big.Rat).SetFrac(new(big.Int).SetUint64(v), new(big.Int).Lsh(big.NewInt(1), f.frac)))
	}
	if f.unit == "" {
		return text
	}
	text += " " + f.unit
	for _, s := range scales[f.unit] {
		if s.mult == 1 {
			break
		}
		if x := new(big.Rat).SetFrac(new(big.Int).SetUint64(v), new(big.Int).Lsh(big.NewInt(s.mult), f.frac)); x.Cmp(big.NewRat(1, 1)) >= 0 {
			return fmt.Sprintf("%s (%s %s)", text, decimal(x), s.name)
		}
	}
	return text
}

// decimal returns a number with up to six decimal places.
func decimal(x *big.Rat) string {
	text := x.FloatString(6)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

var quantity = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?) ?([a-zA-Z]*)$`)

// Parse returns a value for a register, or for a flag: a whole number, in decimal or in hexadecimal
// after 0x, which is written unchanged; a quantity with a unit, "10ms", "64KiB", if the register's
// format is in ns or bytes, or with a point if it has a fraction, "1.5"; or one of the format's
// names, "ECMP".
func Parse(p csr.Place, text string) (*big.Int, error) {
	r, bits := p.Register, p.Register.Bits
	var f format
	if p.Bit != nil {
		bits = 1
	} else {
		f = formatOf(r)
	}
	v, ok := whole(text)
	if !ok {
		if f.element == 0 {
			for n, name := range f.names {
				if strings.EqualFold(name, text) && (v == nil || v.Int64() > n) {
					v, ok = big.NewInt(n), true
				}
			}
		}
	}
	if m := quantity.FindStringSubmatch(text); !ok && m != nil {
		x, _ := new(big.Rat).SetString(m[1]) // digits
		known := m[2] == "" && f.frac > 0
		for _, s := range scales[f.unit] {
			if m[2] == s.name {
				x.Mul(x, big.NewRat(s.mult, 1))
				known = true
			}
		}
		if known {
			x.Mul(x, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), f.frac)))
			if !x.IsInt() {
				return nil, fmt.Errorf("%s: %s is no multiple of the register's unit", p.Name(), text)
			}
			v, ok = new(big.Int).Set(x.Num()), true
		}
	}
	if !ok {
		return nil, fmt.Errorf("%s: %q, want %s", p.Name(), text, wanted(f))
	}
	if v.BitLen() > bits {
		return nil, fmt.Errorf("%s: %s does not fit %d bits", p.Name(), text, bits)
	}
	return v, nil
}

// whole reads a whole number.
func whole(text string) (*big.Int, bool) {
	base := 10
	if hex, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		base, text = 16, hex
	}
	text = strings.ReplaceAll(text, "_", "")
	if text == "" || strings.ContainsAny(text, "+-") {
		return nil, false
	}
	return new(big.Int).SetString(text, base)
}

// wanted describes the values that are allowed.
func wanted(f format) string {
	text := "a number, decimal or behind 0x hexadecimal"
	if s := scales[f.unit]; s != nil {
		text += ", or one with the unit"
		for i := range s {
			text += " " + s[len(s)-1-i].name
		}
	}
	if f.frac > 0 {
		text += ", or one with a point"
	}
	if f.names != nil && f.element == 0 {
		var list []string
		for _, n := range sortedNames(f.names) {
			list = append(list, n)
		}
		text += ", or one of " + strings.Join(list, ", ")
	}
	return text
}

func sortedNames(names map[int64]string) []string {
	var keys []int64
	for n := range names {
		keys = append(keys, n)
	}
	slices.Sort(keys)
	var out []string
	for _, k := range keys {
		if !slices.Contains(out, names[k]) {
			out = append(out, names[k])
		}
	}
	return out
}
