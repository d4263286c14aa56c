// SPDX-License-Identifier: Apache-2.0

package place_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_lookup"
	model "github.com/nicgen/nicgen/model/nic_lookup"
	"github.com/nicgen/nicgen/model/nic_lookup/place"
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

// Ways to make keys.
var kinds = map[string]func(r *rand.Rand, i int) model.Key{
	"random": func(r *rand.Rand, _ int) model.Key {
		return model.Key{r.Uint64(), r.Uint64(), r.Uint64()}.Cut(153)
	},
	"IPv4, hosts and QPs in a row": func(_ *rand.Rand, i int) model.Key {
		return v4(0x0a000000+uint32(i/16), uint32(0x11+i%16))
	},
	"IPv4, QPs in a row": func(_ *rand.Rand, i int) model.Key { return v4(0x0a000001, uint32(i)) },
	"IPv6, networks in a row": func(_ *rand.Rand, i int) model.Key {
		return v6(0x2001_0db8_0000_0000+uint64(i/16), uint32(0x11+i%16))
	},
	"IPv4, random QPs": func(r *rand.Rand, i int) model.Key {
		return v4(0x0a000000+uint32(i%256), r.Uint32()&0xffffff)
	},
}

func v4(address, qp uint32) model.Key {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], address)
	k, err := model.KeyAny(netip.AddrFrom4(b), qp, 24)
	if err != nil {
		panic(err)
	}
	return k
}

func v6(network uint64, qp uint32) model.Key {
	b := [16]byte{15: 1}
	binary.BigEndian.PutUint64(b[:], network)
	k, err := model.KeyAny(netip.AddrFrom16(b), qp, 24)
	if err != nil {
		panic(err)
	}
	return k
}

// fill inserts until the first failure, and returns the load and the writes for each entry on the
// way to 0.8 and from there on.
func fill(t *testing.T, p *params.Params, seed uint64, key func(*rand.Rand, int) model.Key) (load, low, high float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 3))
	table, places := place.New(p), int(p.Ways*p.Rows)
	var writes [2]int
	for i := 0; ; i++ {
		list, err := table.Insert(key(r, i), uint32(int64(i)%p.Connections))
		if errors.Is(err, place.ErrKnown) {
			continue
		}
		if err != nil {
			if !errors.Is(err, place.ErrFull) {
				t.Fatal(err)
			}
			break
		}
		if 10*table.Len() <= 8*places {
			writes[0] += len(list)
		} else {
			writes[1] += len(list)
		}
		if table.Len() == places {
			break
		}
	}
	n := table.Len()
	early := min(n, 8*places/10)
	return float64(n) / float64(places), float64(writes[0]) / float64(early), float64(writes[1]) / float64(max(1, n-early))
}

// Four ways fill to 0.95 at least, for any seed and kind of keys; two to about a half, and less
// with networks of IPv6 in a row, whose bits are in few bits of the functions. The page has the
// figures of the log.
func TestLoad(t *testing.T) {
	seeds := 5
	if testing.Short() {
		seeds = 2
	}
	for _, c := range []struct {
		set   string
		least float64
		v6    float64 // with networks in a row
	}{
		{"rows=256", 0.8, 0.8}, {"rows=1024", 0.95, 0.95}, {"rows=1024 ways=3", 0.86, 0.86}, {"rows=1024 ways=2", 0.35, 0.2},
	} {
		for kind, key := range kinds {
			least, most, sum, low, high := 1.0, 0.0, 0.0, 0.0, 0.0
			for seed := range seeds {
				p := configure(t, fmt.Sprintf("%s hash_seed=%d", c.set, seed+1))
				load, l, h := fill(t, p, uint64(seed), key)
				least, most, sum, low, high = min(least, load), max(most, load), sum+load, low+l, high+h
			}
			n := float64(seeds)
			t.Logf("%s, %s: load %.3f, from %.3f to %.3f; writes for an entry %.2f up to a load of 0.8, %.2f above", c.set, kind, sum/n, least, most, low/n, high/n)
			want := c.least
			if strings.HasPrefix(kind, "IPv6") {
				want = c.v6
			}
			if least < want {
				t.Errorf("%s, %s: load %.3f, want %.2f", c.set, kind, least, want)
			}
		}
	}
}

// After each write of each list, every key of the table is found with its connection, every key that
// is deleted or was never there is not found, and no search sees two connections. The key that a list is
// about is found from the list's last write on, if it is inserted, or until then, if it is deleted.
func TestEveryPrefix(t *testing.T) {
	for _, set := range []string{"rows=256 connections=1024", "rows=256 ways=2 connections=1024", "rows=256 ways=3 key_bits=320 connections=1024"} {
		p := configure(t, set)
		r := rand.New(rand.NewPCG(1, 4))
		table, unit := place.New(p), model.New(p)
		in, rows, moves := map[model.Key]uint32{}, map[model.Key][params.MaxWays]int{}, 0
		var keys []model.Key
		random := func() model.Key {
			return model.Key{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}.Cut(p.KeyBits)
		}
		steps := 1200
		for step := range steps {
			var subject model.Key
			var list []model.Write
			var err error
			before, after := false, false
			switch what := r.IntN(10); {
			case step < 950 || what < 5 || len(keys) == 0:
				subject, after = random(), true
				list, err = table.Insert(subject, uint32(step)%1024)
				if errors.Is(err, place.ErrFull) {
					continue
				}
				keys = append(keys, subject)
				in[subject], rows[subject] = uint32(step)%1024, unit.Rows(subject)
			case what < 8:
				i := r.IntN(len(keys))
				subject, before = keys[i], true
				keys[i] = keys[len(keys)-1]
				keys = keys[:len(keys)-1]
				list, err = table.Delete(subject)
			default:
				subject, before, after = keys[r.IntN(len(keys))], true, true
				list, err = table.Move(subject, r.IntN(int(p.Ways)))
				if errors.Is(err, place.ErrTaken) {
					continue
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			moves += max(0, len(list)-1)
			for i, w := range list {
				if err := unit.Write(w); err != nil {
					t.Fatal(err)
				}
				full := step%50 == 0 // all keys; else those that the write may concern
				for k, conn := range in {
					if k == subject || !full && k != w.Entry.Key && rows[k][w.Way] != w.Row {
						continue
					}
					if a := unit.Search(k); !a.Hit || a.Conn != conn || a.Conflict {
						t.Fatalf("%q, step %d, write %d of %d: key of connection %d: %+v", set, step, i+1, len(list), conn, a)
					}
				}
				want := before
				if i == len(list)-1 {
					want = after
				}
				if a := unit.Search(subject); a.Hit != want || a.Hit && a.Conn != in[subject] || a.Conflict {
					t.Fatalf("%q, step %d, write %d of %d: the key of the list: %+v, want hit %t", set, step, i+1, len(list), a, want)
				}
				if unit.Search(random()).Hit {
					t.Fatal("a key that was never there is found")
				}
			}
			if before && !after {
				delete(in, subject)
			}
			if conn, ok := table.Lookup(subject); ok != after || ok && conn != in[subject] {
				t.Fatalf("Lookup says %d, %t", conn, ok)
			}
		}
		if len(in) != table.Len() || moves < 20 {
			t.Errorf("%q: %d entries, want %d; %d moves", set, table.Len(), len(in), moves)
		}
	}
}

// A change that cannot be made changes nothing and says why.
func TestErrors(t *testing.T) {
	p := configure(t, "connections=10 rows=256 key_bits=56")
	table := place.New(p)
	k := model.Key{5}
	if _, err := table.Insert(k, 9); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		want error
		do   func() ([]model.Write, error)
	}{
		"known":          {place.ErrKnown, func() ([]model.Write, error) { return table.Insert(k, 1) }},
		"deleted before": {place.ErrUnknown, func() ([]model.Write, error) { return table.Delete(model.Key{6}) }},
		"moved before":   {place.ErrUnknown, func() ([]model.Write, error) { return table.Move(model.Key{6}, 1) }},
		"connection":     {nil, func() ([]model.Write, error) { return table.Insert(model.Key{6}, 10) }},
		"long key":       {nil, func() ([]model.Write, error) { return table.Insert(model.Key{1 << 56}, 1) }},
		"way":            {nil, func() ([]model.Write, error) { return table.Move(k, 4) }},
	} {
		list, err := c.do()
		if list != nil || err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v", name, list, err)
		}
	}
	if conn, ok := table.Lookup(k); !ok || conn != 9 || table.Len() != 1 {
		t.Errorf("connection %d, %t, %d entries", conn, ok, table.Len())
	}
}
