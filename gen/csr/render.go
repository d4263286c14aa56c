// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"go/format"
	"strings"
	"text/template"
)

//go:embed *.tmpl
var folder embed.FS

// functions are the functions that templates may call.
var functions = template.FuncMap{
	"upper": func(s string) string { return strings.ToUpper(strings.ReplaceAll(s, ".", "_")) },
	"camel": camel,
	"top":   func(r *Register, n uint32) int { return min(32, r.Bits-32*int(n)) - 1 },
	"cell":  func(s string) string { return strings.ReplaceAll(s, "|", `\|`) },
	"quote": func(s string) string {
		return `"` + strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), `"`, `\"`) + `"`
	},
	"ident":   func(s string) string { return strings.ReplaceAll(s, ".", "_") },
	"comment": func(s string) string { return strings.ReplaceAll(s, "*/", "* /") },
	"hex":     func(n int, v any) string { return fmt.Sprintf("0x%0*X", n, v) },
	"add":     func(a, b any) uint64 { return number(a) + number(b) },
	"words": func(r *Register) []uint32 {
		var list []uint32
		for n := range r.Words() {
			list = append(list, n)
		}
		return list
	},
	"reset": func(r *Register, n uint32) uint32 { return uint32(r.Reset >> (32 * n)) },
	"place": func(r *Register, n uint32) uint32 { return r.Offset + 4*n },
	"mask": func(r *Register) uint32 {
		if r.Bits >= 32 {
			return 1<<32 - 1
		}
		return 1<<r.Bits - 1
	},
}

func number(v any) uint64 {
	switch v := v.(type) {
	case uint32:
		return uint64(v)
	case int:
		return uint64(v)
	case uint64:
		return v
	}
	return 0
}

// camel returns a name in Go's style: "s_flush.conn" is SFlushConn.
func camel(s string) string {
	var b strings.Builder
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return r == '_' || r == '.' }) {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

var templates = template.Must(template.New("").Funcs(functions).ParseFS(folder, "*.tmpl"))

// Formats are the names of the renderings.
var Formats = []string{"c", "go", "markdown", "rdl", "json"}

// Render writes a map in a format, one of Formats. Name is used for the header's guard, the Go
// package and the SystemRDL map: "nic_regs".
func (m *Map) Render(to, name string) ([]byte, error) {
	if !legalName(name) {
		return nil, fmt.Errorf("name %q: want small letters, digits and underscores, a letter first", name)
	}
	var b bytes.Buffer
	switch to {
	case "json":
		e := json.NewEncoder(&b)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		if err := e.Encode(m); err != nil {
			return nil, err
		}
		return b.Bytes(), nil
	case "c", "go", "markdown", "rdl":
		err := templates.ExecuteTemplate(&b, to+".tmpl", struct {
			*Map
			Name string
		}{m, name})
		if err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("format %q: want one of %s", to, strings.Join(Formats, ", "))
	}
	if to == "go" {
		return format.Source(b.Bytes())
	}
	return b.Bytes(), nil
}

// Image returns the map as memory after reset, in little-endian words.
func (m *Map) Image() []byte {
	out := make([]byte, m.Size())
	for _, b := range m.Blocks {
		for _, r := range b.Registers {
			for n := range r.Words() {
				if !r.Readable() {
					continue
				}
				at := b.Base + r.Offset + 4*n
				v := uint32(0)
				if n < 2 {
					v = uint32(r.Reset >> (32 * n))
				}
				out[at], out[at+1], out[at+2], out[at+3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
			}
		}
	}
	return out
}
