// SPDX-License-Identifier: Apache-2.0

package niclookup_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_lookup"
	model "github.com/nicgen/nicgen/model/nic_lookup"
)

func configure(t testing.TB, set string) *params.Params {
	t.Helper()
	p := params.Default()
	if err := gen.SetAll(p, set); err != nil {
		t.Fatal(err)
	}
	if err := gen.Validate(p); err != nil {
		t.Fatal(err)
	}
	return p
}

func number(k model.Key) *big.Int {
	n := new(big.Int)
	for i := len(k) - 1; i >= 0; i-- {
		n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(k[i]))
	}
	return n
}

func randomKey(r *rand.Rand, bits int64) model.Key {
	var k model.Key
	for i := range k {
		k[i] = r.Uint64()
	}
	return k.Cut(bits)
}

// Keys that the page lists.
func TestKeys(t *testing.T) {
	for _, c := range []struct {
		address string
		id      uint32
		idBits  int
		v4only  bool
		want    string
	}{
		{"10.0.0.2", 0x123456, 24, true, "0a000002_123456"},
		{"10.0.0.2", 0x123456, 24, false, "0a000002_123456"},
		{"10.0.0.2", 0xbeef, 16, false, "0a000002_beef"},
		{"2001:db8::1", 0x123456, 24, false, "1_20010db8000000000000000000000001_123456"},
		{"::ffff:10.0.0.2", 1, 16, false, "1_00000000000000000000ffff0a000002_0001"},
	} {
		build := model.KeyAny
		if c.v4only {
			build = model.KeyV4
		}
		k, err := build(netip.MustParseAddr(c.address), c.id, c.idBits)
		want, _ := new(big.Int).SetString(strings.ReplaceAll(c.want, "_", ""), 16)
		if err != nil || number(k).Cmp(want) != 0 {
			t.Errorf("%s, %#x: %x, %v, want %s", c.address, c.id, number(k), err, c.want)
		}
	}
	if _, err := model.KeyV4(netip.MustParseAddr("::1"), 0, 24); err == nil {
		t.Error("an IPv6 address in a table for IPv4")
	}
	if _, err := model.KeyAny(netip.MustParseAddr("::1"), 1<<24, 24); err == nil {
		t.Error("a QP of 25 bits")
	}
	if _, err := model.KeyAny(netip.Addr{}, 0, 24); err == nil {
		t.Error("no address")
	}
}

// The functions of keys with few bits, by hand from the first numbers of SplitMix64 with seed 0,
// e220a8397b1dcdaf 6e789e6aa1b965f4 06c45d188009454f f88bb8a8724c81ec 1b39896a51a8749b 53cb9f0c747ea2ea:
// af & f4 = a4; 4f & ec = 4c; 9b & ea = 8a.
func TestFunctions(t *testing.T) {
	h := model.NewHash(configure(t, "key_bits=16 rows=256 hash_seed=0"))
	h1, h2 := h.Functions(model.Key{1})
	if h1 != 0xa4 || h2 != 0x4c {
		t.Errorf("bit 0: %x and %x, want a4 and 4c", h1, h2)
	}
	if h1, _ := h.Functions(model.Key{3}); h1 != 0xa4^0x8a {
		t.Errorf("bits 0 and 1: %x, want %x", h1, 0xa4^0x8a)
	}
	// a4 = 10100100, rotated by 1, 2, 4, 7: 49 92 4a 52; 49 & 92 = 00, 4a & 52 = 42: 4c becomes 0e.
	// 0e = 00001110: 1c 38 e0 07; 1c & 38 = 18, e0 & 07 = 00: a4 becomes bc.
	// 0e rotated by 8 / 3 and 16 / 3 bits: 38 and c1.
	if rows := h.Rows(model.Key{1}); rows != [4]int{0xbc, 0x0e, 0xbc ^ 0x38, 0xbc ^ 0xc1} {
		t.Errorf("rows %x", rows)
	}
}

var assignment = regexp.MustCompile(`assign h(\d)\[(\d+)\] = ([^;]*);`)
var term = regexp.MustCompile(`key\[(\d+)\]`)
var rotation = regexp.MustCompile(`assign p1_rows\[(\d)\*ROW_W \+: ROW_W\] = p1_first\s+\^ \{p1_second\[ROW_W-(\d+)-1:0\]`)

// The constants in the emitted text equal the model's, bit for bit.
func TestConstants(t *testing.T) {
	for _, set := range []string{"", "key_bits=16 rows=256 hash_seed=0", "key_bits=56 rows=512 ways=2", "key_bits=320 rows=16384 ways=3 hash_seed=2147483647"} {
		p := configure(t, set)
		files, err := p.Files()
		if err != nil {
			t.Fatal(err)
		}
		masks, sums := map[string]*big.Int{}, [][]string{}
		for _, f := range files {
			for _, m := range assignment.FindAllStringSubmatch(f.Text, -1) {
				mask := new(big.Int)
				for _, x := range term.FindAllStringSubmatch(m[3], -1) {
					bit, _ := strconv.Atoi(x[1])
					mask.SetBit(mask, bit, 1-mask.Bit(bit))
				}
				masks[m[1]+"."+m[2]] = mask
			}
			sums = append(sums, rotation.FindAllStringSubmatch(f.Text, -1)...)
		}
		h, rowBits := model.NewHash(p), 0
		for 1<<rowBits < p.Rows {
			rowBits++
		}
		if len(masks) != 2*rowBits || int64(len(sums)) != p.Ways-2 {
			t.Fatalf("%q: %d masks, %d sums", set, len(masks), len(sums))
		}
		for i := range int(p.KeyBits) {
			h1, h2 := h.Functions(model.Key{}.Flip(i))
			for b := range rowBits {
				for f, v := range []uint32{h1, h2} {
					if want := uint(v >> b & 1); masks[fmt.Sprintf("%d.%d", f+1, b)].Bit(i) != want {
						t.Errorf("%q: bit %d of the key in bit %d of function %d: want %d", set, i, b, f+1, want)
					}
				}
			}
		}
		for _, m := range sums {
			if want := map[string]int{"2": rowBits / 3, "3": 2 * rowBits / 3}[m[1]]; m[2] != strconv.Itoa(want) {
				t.Errorf("%q: way %s is rotated by %s, want %d", set, m[1], m[2], want)
			}
		}
	}
}

// Both functions together, which are linear, have full rank, also on keys of IPv4 alone: they lose
// nothing of a key that fits.
func TestRank(t *testing.T) {
	for _, set := range []string{"", "key_bits=56", "rows=16384", "rows=256 key_bits=320"} {
		for seed := range 20 {
			p := configure(t, fmt.Sprintf("%s hash_seed=%d", set, seed))
			h := model.NewHash(p)
			for _, n := range []int{int(p.KeyBits), 56} {
				var basis []uint64
				for i := range min(n, int(p.KeyBits)) {
					h1, h2 := h.Functions(model.Key{}.Flip(i))
					v := uint64(h1)<<32 | uint64(h2)
					for _, b := range basis {
						v = min(v, v^b)
					}
					if v != 0 {
						basis = append(basis, v)
					}
				}
				want := 0
				for 1<<want < p.Rows*p.Rows {
					want++
				}
				if len(basis) != want {
					t.Errorf("%s, seed %d, %d bits: rank %d, want %d", set, seed, n, len(basis), want)
				}
			}
		}
	}
}

// By hand: an entry, a second one of the same key, and one of another connection.
func TestSearch(t *testing.T) {
	m := model.New(configure(t, "connections=100"))
	k := model.Key{0x0a00000200000123, 7}
	rows := m.Rows(k)
	write := func(way int, conn uint32) {
		t.Helper()
		if err := m.Write(model.Write{Way: way, Row: rows[way], Entry: model.Entry{Set: true, Key: k, Conn: conn}}); err != nil {
			t.Fatal(err)
		}
	}
	want := func(step string, a model.Answer) {
		t.Helper()
		if got := m.Search(k); got != a {
			t.Errorf("%s: %+v, want %+v", step, got, a)
		}
	}
	want("empty", model.Answer{})
	write(2, 7)
	want("one", model.Answer{Hit: true, Conn: 7, Found: [4]bool{false, false, true}})
	write(3, 7)
	want("copied", model.Answer{Hit: true, Conn: 7, Found: [4]bool{false, false, true, true}})
	write(1, 8)
	want("conflict", model.Answer{Hit: true, Conn: 8, Found: [4]bool{false, true, true, true}, Conflict: true})
	for i := range 153 {
		if m.Search(k.Flip(i)).Hit {
			t.Errorf("found with bit %d inverted", i)
		}
	}
	for _, w := range []model.Write{
		{Way: 4, Row: 0}, {Way: -1, Row: 0}, {Way: 0, Row: 1024}, {Way: 0, Row: -1},
		{Way: 0, Row: rows[0], Entry: model.Entry{Set: true, Key: k, Conn: 100}},
	} {
		if err := m.Write(w); err == nil {
			t.Errorf("%+v is legal", w)
		}
	}
	want("after illegal writes", model.Answer{Hit: true, Conn: 8, Found: [4]bool{false, true, true, true}, Conflict: true})
	if err := m.Write(model.Write{Way: 1, Row: rows[1], Entry: model.Entry{Conn: 100}}); err != nil {
		t.Errorf("a deletion with any connection: %v", err)
	}
	want("deleted", model.Answer{Hit: true, Conn: 7, Found: [4]bool{false, false, true, true}})
	m.Reset()
	want("reset", model.Answer{})
}

// The table against a record of all writes that is searched from the newest to the oldest.
func TestEqualsRecord(t *testing.T) {
	for _, set := range []string{"", "ways=2 rows=256 key_bits=16", "ways=3 key_bits=320"} {
		p := configure(t, set)
		m, r := model.New(p), rand.New(rand.NewPCG(1, 2))
		keys := make([]model.Key, 8)
		for i := range keys {
			keys[i] = randomKey(r, p.KeyBits)
			if i%2 == 1 {
				keys[i] = keys[i-1].Flip(r.IntN(int(p.KeyBits)))
			}
		}
		var record []model.Write
		for range 3000 {
			at, what := keys[r.IntN(8)], keys[r.IntN(8)]
			way := r.IntN(int(p.Ways))
			w := model.Write{Way: way, Row: m.Rows(at)[way], Entry: model.Entry{Set: r.IntN(4) > 0, Key: what, Conn: uint32(r.IntN(3))}}
			if err := m.Write(w); err != nil {
				t.Fatal(err)
			}
			record = append(record, w)
			k := keys[r.IntN(8)]
			var found []uint32
			rows := m.Rows(k)
			for way, row := range rows[:p.Ways] {
				for i := len(record) - 1; i >= 0; i-- {
					if w := record[i]; w.Way == way && w.Row == row {
						if w.Entry.Set && w.Entry.Key == k {
							found = append(found, w.Entry.Conn)
						}
						break
					}
				}
			}
			a, conflict := m.Search(k), false
			for _, c := range found {
				conflict = conflict || c != found[0]
			}
			if a.Hit != (len(found) > 0) || a.Hit && a.Conn != found[0] || a.Conflict != conflict {
				t.Fatalf("%q: %+v, the record says %v", set, a, found)
			}
		}
	}
}
