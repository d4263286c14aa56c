// SPDX-License-Identifier: Apache-2.0

// Package event holds the contract of a unit: the events that enter it, the answers that leave it
// and when, the order in which events of one cycle take effect, and the settings, counters and
// handshakes around them. A unit declares its contract once, next to its parameters and ports.
// Driving, decoding, predicting, exporting and recording read it.
package event

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// Stream is a group of ports that share a prefix and, except for settings and ambient inputs, a valid.
type Stream struct {
	Name   string // "ack"
	Prefix string // of its ports: "s_ack_"; "cfg_" of settings; "" of ambient inputs
	Valid  string // port; empty: the ports have a value in every cycle
	Ready  string // port of a handshake; empty: every transfer is taken
	Type   reflect.Type
	Fields []Field

	// Unready is set if transfers are taken even while the unit is not ready.
	Unready bool
	// Refused is set if transfers offered while the unit is not ready are counted, although the
	// stream has a handshake and they wait. Streams without a handshake always count them.
	Refused bool
	// Tried is set if events may occur in any order and number: the self-test of an exported
	// library draws them at random.
	Tried bool
	// Beats is the field with the number of transfers of an event, at least one: each has the next
	// element of the fields that are arrays, and the others are the same in all. If the field One
	// is set, the number is one. If Beats is empty, an event is one transfer.
	Beats, One string
	// Over names the streams whose transfer in the same cycle holds this one back.
	Over []string
}

// Field is one field of a stream: a port, and its place in the Go struct.
type Field struct {
	Name     string // of the Go field
	Port     string // "s_ack_conn"
	Offset   uintptr
	Size     uintptr // bytes of the value, or of an element: 1, 2, 4 or 8
	Elements int     // of an array; 0: a single value
	Low      int     // the lowest bit of an element, and Bits its width, in a port that fields share
	Bits     int     // 0: the port is the field's own
	Step     int     // bits from one element of such a port to the next
	Bool     bool
	// Always is set for a field of an answer that counts even in the answer to an illegal event.
	Always bool
	// Optional is set if some configurations lack the port; it then reads as 0.
	Optional bool
	// Rare is set for a field that most callers leave at 0.
	Rare bool
	// Only names the field that must be set for this one to be valid; if empty, it is always valid.
	Only string
}

// In is a stream of events of type E.
type In[E any] struct{ *Stream }

// Out is a stream of answers of type A.
type Out[A any] struct{ *Stream }

// Group is a group of ports without a valid, such as the settings, of type S.
type Group[S any] struct{ *Stream }

// Input declares events on the ports s_<name>_*. A field of E is on the port of its name in snake case
// unless its tag names another one; a tag is the name, which may be empty, and words after commas:
//
//	RTT  uint64 `port:"rtt_ns"`
//	Port uint8  `port:",optional"`
//	EV   uint32 `port:"=m_ev"` // the whole name
//
// The words are always, optional, rare and only=FIELD; see Field. A field with the tag "-" is no port.
func Input[E any](name string) In[E] {
	return In[E]{streamOf(reflect.TypeFor[E](), name, "s_"+name+"_", true)}
}

// InputAt declares events on ports with their own prefix, such as the ports of AXI4-Lite, whose
// valid is <prefix>valid.
func InputAt[E any](name, prefix string) In[E] {
	return In[E]{streamOf(reflect.TypeFor[E](), name, prefix, true)}
}

// OutputAt declares answers on ports with their own prefix.
func OutputAt[A any](name, prefix string) Out[A] {
	return Out[A]{streamOf(reflect.TypeFor[A](), name, prefix, true)}
}

// Output declares answers on the ports m_<name>_*.
func Output[A any](name string) Out[A] {
	return Out[A]{streamOf(reflect.TypeFor[A](), name, "m_"+name+"_", true)}
}

// Ports declares a group of ports that have a value in every cycle.
func Ports[S any](prefix string) Group[S] {
	return Group[S]{streamOf(reflect.TypeFor[S](), "", prefix, false)}
}

// Unready returns the stream with Stream.Unready set.
func (s In[E]) Unready() In[E] {
	s.Stream.Unready = true
	return s
}

// Handshake returns the stream with a ready port.
func (s In[E]) Handshake() In[E] {
	s.Ready = strings.TrimSuffix(s.Valid, "valid") + "ready"
	return s
}

// Handshake returns the stream with a ready port.
func (s Out[A]) Handshake() Out[A] {
	s.Ready = strings.TrimSuffix(s.Valid, "valid") + "ready"
	return s
}

// Yields returns the stream with a ready port that is low while one of the other streams is valid.
func (s In[E]) Yields(to ...string) In[E] {
	s.Over = to
	return s.Handshake()
}

// Refused returns the stream with Stream.Refused set.
func (s In[E]) Refused() In[E] {
	s.Stream.Refused = true
	return s
}

// Tried returns the stream with Stream.Tried set.
func (s In[E]) Tried() In[E] {
	s.Stream.Tried = true
	return s
}

// InBeats returns the stream with Stream.Beats and Stream.One set.
func (s In[E]) InBeats(count, one string) In[E] {
	s.Beats, s.One = count, one
	return s
}

// Packed returns the stream with its arrays on one port, s_<name>_<port>: each element of the port has
// an element of each array, in the order of the fields from bit 0 on, of the given widths.
func (s In[E]) Packed(port string, bits ...int64) In[E] {
	low, k := 0, 0
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Elements > 0 {
			f.Port, f.Low, f.Bits = s.Prefix+port, low, int(bits[k])
			low += f.Bits
			k++
		}
	}
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Elements > 0 {
			f.Step = low
		}
	}
	return s
}

func streamOf(t reflect.Type, name, prefix string, valid bool) *Stream {
	s := &Stream{Name: name, Prefix: prefix, Type: t}
	if valid {
		s.Valid = prefix + "valid"
	}
	for i := range t.NumField() {
		f := t.Field(i)
		words := strings.Split(f.Tag.Get("port"), ",")
		if words[0] == "-" {
			continue
		}
		s.Fields = append(s.Fields, fieldOf(t, f, prefix, words))
	}
	return s
}

func fieldOf(t reflect.Type, f reflect.StructField, prefix string, words []string) Field {
	x := Field{Name: f.Name, Port: words[0], Offset: f.Offset}
	if x.Port == "" {
		x.Port = Snake(f.Name)
	}
	if whole, ok := strings.CutPrefix(x.Port, "="); ok {
		x.Port = whole
	} else {
		x.Port = prefix + x.Port
	}
	value := f.Type
	if value.Kind() == reflect.Array {
		x.Elements, value = value.Len(), value.Elem()
	}
	x.Size, x.Bool = value.Size(), value.Kind() == reflect.Bool
	kinds := []reflect.Kind{reflect.Bool, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64}
	if !slices.Contains(kinds, value.Kind()) || x.Bool && x.Elements > 0 {
		panic(fmt.Sprintf("event: field %s.%s is a %s, want a bool, an unsigned number or an array of those", t, f.Name, f.Type))
	}
	for _, w := range words[1:] {
		only, isOnly := strings.CutPrefix(w, "only=")
		switch {
		case isOnly:
			x.Only = only
		case w == "always":
			x.Always = true
		case w == "optional":
			x.Optional = true
		case w == "rare":
			x.Rare = true
		default:
			panic(fmt.Sprintf("event: field %s.%s: tag word %q, allowed: always, optional, rare, only=FIELD", t, f.Name, w))
		}
	}
	return x
}

// Snake returns a Go name in the spelling of ports: RTTNs is rtt_ns.
func Snake(name string) string {
	var b strings.Builder
	r := []rune(name)
	for i, c := range r {
		if i > 0 && unicode.IsUpper(c) && (!unicode.IsUpper(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
