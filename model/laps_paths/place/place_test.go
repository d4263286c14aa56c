// SPDX-License-Identifier: Apache-2.0

package place_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_paths"
	model "github.com/nicgen/nicgen/model/laps_paths"
	"github.com/nicgen/nicgen/model/laps_paths/place"
)

func text(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if b, err = place.Plain(name, b); err != nil {
		t.Fatal(err)
	}
	return b
}

func configured(t *testing.T, sets string) *params.Params {
	t.Helper()
	p := params.Default()
	if err := gen.Configure(p, sets); err != nil {
		t.Fatal(err)
	}
	return p
}

// Tables of the LAPS authors, with the values of a host in Table I of the paper.
var authors = []struct {
	file                string
	first, last         int64
	destinations, paths int
}{
	{"rail-pst.txt.gz", 80, 143, 63, 455},
	{"dragonfly-pst.txt.gz", 36, 36, 143, 1063},
	{"dragonfly-pst.txt.gz", 83, 83, 143, 1063},
	{"dragonfly-pst.txt.gz", 120, 120, 143, 1063},
	{"dragonfly-pst.txt.gz", 179, 179, 143, 1063},
}

// Every source of Rail and four of Dragonfly are placed without a conflict, as evenly
// as can be, in the largest and in the smallest tables that hold them; the written
// sequence gives every destination exactly its paths.
func TestAuthorsTables(t *testing.T) {
	sources := 0
	for _, a := range authors {
		pst := text(t, a.file)
		for src := a.first; src <= a.last; src++ {
			sources++
			for _, sets := range []string{"", "destinations=143 banks=8 rows=256"} {
				p := configured(t, sets)
				table, err := place.ReadAuthors(a.file, bytes.NewReader(pst), "", nil, src, place.Costs{BaseNS: 9000})
				if err != nil {
					t.Fatal(err)
				}
				if len(table.Destinations()) != a.destinations || len(table.Paths) != a.paths {
					t.Fatalf("%s source %d: %d destinations and %d paths, want %d and %d", a.file, src, len(table.Destinations()), len(table.Paths), a.destinations, a.paths)
				}
				placed, err := place.Assign(p, table, 1)
				if err != nil {
					t.Fatal(err)
				}
				check(t, p, table, placed)
			}
		}
	}
	if sources < 68 {
		t.Errorf("%d sources, want all 64 of Rail and 4 of Dragonfly", sources)
	}
}

// check verifies a placement using only the table.
func check(t *testing.T, p *params.Params, table *place.Table, placed *place.Placement) {
	t.Helper()
	m := model.New(p)
	names := map[uint32]int64{}
	used := make([]int, p.Banks)
	for _, e := range placed.Entries {
		if _, ok := names[e.Pid]; ok || int64(e.Pid) >= p.Paths() {
			t.Fatalf("path number %d is given twice or does not exist", e.Pid)
		}
		names[e.Pid] = e.Name
		used[int64(e.Pid)/p.Rows]++
	}
	for _, n := range used {
		if least := len(table.Paths) / int(p.Banks); n < least || n > least+1 {
			t.Fatalf("a bank has %d paths, want %d or one more", n, least)
		}
	}
	for _, c := range placed.Sequence() {
		if o := m.Take(&c); o != model.Done {
			t.Fatalf("%+v is refused", c)
		}
		m.Do(&c, 0, 1<<15)
	}
	want := map[int64]map[int64]bool{}
	for _, x := range table.Paths {
		if want[x.Destination] == nil {
			want[x.Destination] = map[int64]bool{}
		}
		want[x.Destination][x.Name] = true
	}
	for i, dst := range placed.Destinations {
		got := map[int64]bool{}
		for b, row := range m.Set(uint32(i)) {
			if row >= 0 {
				got[names[uint32(int64(b)*p.Rows+int64(row))]] = true
			}
		}
		if d := cmp.Diff(want[dst], got); d != "" {
			t.Fatalf("destination %d (-want +got)\n%s", dst, d)
		}
	}
}

// With the authors' path information table, baselines grow with the length and
// anchors are inner nodes.
func TestPathInformation(t *testing.T) {
	table, err := place.ReadAuthors("pst", bytes.NewReader(text(t, "rail-pst.txt.gz")), "pit", bytes.NewReader(text(t, "rail-80-pit.txt.gz")),
		80, place.Costs{BaseNS: 1000, HopNS: 1500, Anchors: 4})
	if err != nil {
		t.Fatal(err)
	}
	want := map[int64]place.Path{
		0: {Name: 0, Destination: 88, BaseNS: 7000, LatencyNS: 7000, Anchors: []uint32{8, 0, 16}},
		1: {Name: 1, Destination: 88, BaseNS: 13000, LatencyNS: 13000, Anchors: []uint32{8, 9, 17, 16}},
	}
	lengths := map[uint32]int{}
	for _, p := range table.Paths {
		lengths[p.BaseNS]++
		if w, ok := want[p.Name]; ok {
			if d := cmp.Diff(w, p); d != "" {
				t.Errorf("path %d (-want +got)\n%s", p.Name, d)
			}
		}
	}
	// 7 in the cluster have 2 links as well as 7 straight on a rail.
	if d := cmp.Diff(map[uint32]int{7000: 14, 10000: 98, 13000: 343}, lengths); d != "" {
		t.Errorf("baselines (-want +got)\n%s", d)
	}
}

const header = "destination,path,base_ns,latency_ns,anchors\n"

// CSV and YAML give the same table.
func TestReadFormats(t *testing.T) {
	c, err := place.ReadCSV("x.csv", strings.NewReader(header+"88,0,9600,9700,8 1\n89,1,9000,9000,\n"))
	if err != nil {
		t.Fatal(err)
	}
	y, err := place.ReadYAML("x.yaml", []byte("source: 0\npaths:\n"+
		"  - {destination: 88, path: 0, base_ns: 9600, latency_ns: 9700, anchors: [8, 1]}\n"+
		"  - {destination: 89, path: 1, base_ns: 9000, latency_ns: 9000}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(c, y); d != "" {
		t.Errorf("(-CSV +YAML)\n%s", d)
	}
}

// Errors of the reader name the place in the file.
func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ format, text, want string }{
		{"csv", "", "x:"},
		{"csv", "destination,path,base,latency_ns,anchors\n", `x:1: column "base", want destination,path,base_ns,latency_ns,anchors`},
		{"csv", header + "88,0,9600,9700,8\n88,-1,9600,9700,\n", `x:3: path "-1", want a whole number from 0 to 2^63 - 1`},
		{"csv", header + "88,0,9600,9700,8 z\n", `x:2: anchor "z", want a whole number from 0 to 2^32 - 1`},
		{"csv", header + "88,0,9600\n", "x: record on line 2: wrong number of fields"},
		{"yaml", "paths: [{destination: 1}]", "x: entry 1 of paths has no destination or no path, want both, from 0 upwards"},
		{"yaml", "paths: [{destination: 1, path: 2, color: 3}]", "color"},
		{"pst", "80 88 2 0\n", "x:1: 1 path numbers, want 2"},
		{"pst", "80 88 a 0\n", `x:1: count "a", want a whole number from 0 to 2^31 - 1`},
		{"pst", "80 88\n", "x:1: 2 fields, want src dst n pid1 … pidn"},
		{"pst", "81 88 1 0\n82 88 1 1\n", "x: no path from source 80, want one of its 2 sources"},
		{"pit", "0 -1 1 2 80 8 89\n", "y:1: path 0 goes from 80 to 89, want from 80 to 88 as in x"},
		{"pit", "0 -1 1 80\n", "y:1: 4 fields, want pid, priority, L ports and L+1 nodes"},
		{"pit", "1 -1 1 80 88\n", "y: 0 of the 1 paths from source 80, want all"},
	} {
		var err error
		switch c.format {
		case "csv":
			_, err = place.ReadCSV("x", strings.NewReader(c.text))
		case "yaml":
			_, err = place.ReadYAML("x", []byte(c.text))
		case "pst":
			_, err = place.ReadAuthors("x", strings.NewReader(c.text), "", nil, 80, place.Costs{})
		case "pit":
			_, err = place.ReadAuthors("x", strings.NewReader("80 88 1 0\n"), "y", strings.NewReader(c.text), 80, place.Costs{})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: error %v, want %s", c.format, c.text, err, c.want)
		}
	}
}

// Tables that do not fit are named, with the remedy; the fullest tables that fit are accepted.
func TestAssignErrors(t *testing.T) {
	many := func(counts ...int) *place.Table { // paths of each destination
		t := &place.Table{}
		for d, n := range counts {
			for range n {
				t.Paths = append(t.Paths, place.Path{Name: int64(len(t.Paths)), Destination: int64(100 + d), BaseNS: 1000, LatencyNS: 1000})
			}
		}
		return t
	}
	with := func(f func(p *place.Path)) *place.Table {
		t := many(2)
		f(&t.Paths[1])
		return t
	}
	const small = "destinations=4 banks=4 rows=2 lat_bits=10 anchors=1"
	for _, c := range []struct {
		name  string
		table *place.Table
		beta  float64
		want  string
	}{
		{"full", many(4, 1, 3), 1, ""},
		{"full, uneven", many(1, 1, 2, 4), 1, ""},
		{"too many for a destination", many(5, 1), 1, "destination 100 has 5 paths, want at most 4, one in each bank: raise banks"},
		{"too many in all", many(4, 4, 1), 1, "the table has 9 paths, want at most 8, which is 4 banks of 2 rows: raise rows or banks"},
		{"too many destinations", many(1, 1, 1, 1, 1), 1, "the table has 5 destinations, want at most 4: raise destinations"},
		{"shared path", with(func(p *place.Path) { p.Name, p.Destination = 0, 101 }), 1,
			"path 0 leads to destinations 100 and 101, want one: use a separate path number for each"},
		{"no baseline", with(func(p *place.Path) { p.BaseNS = 0 }), 1,
			"path 1 to destination 100: base_ns 0, want at least 1: its latency without congestion in ns"},
		{"long latency", with(func(p *place.Path) { p.LatencyNS = 1024 }), 1,
			"path 1 to destination 100: base_ns 1000, latency_ns 1024, want at most 1023 and a baseline above 0: raise lat_bits"},
		{"anchors", with(func(p *place.Path) { p.Anchors = []uint32{1, 2} }), 1, "path 1 to destination 100 has 2 anchors, want at most 1: raise anchors"},
		{"beta", many(1), 65, "β′ 65, want from 0 to 64"},
		{"beta is no number", many(1), math.NaN(), "β′ NaN, want from 0 to 64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := configured(t, small)
			placed, err := place.Assign(p, c.table, c.beta)
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want == "":
				check(t, p, c.table, placed)
			case err == nil || err.Error() != c.want:
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

// A scale is right to 2^-16 of itself, and a path as long as T then weighs
// β′·log2(e) octaves.
func TestScale(t *testing.T) {
	m := model.New(params.Default())
	for _, T := range []uint32{2, 3, 100, 7000, 20000, 1 << 19, 1<<20 - 2} {
		for _, beta := range []float64{0.25, 1, 4, 16} {
			s, err := place.Scale(beta, T)
			if err != nil {
				t.Fatal(err)
			}
			exact := beta * math.Log2E * 512 / float64(T)
			if got := math.Ldexp(float64(s.Mantissa), -int(s.Exponent)); math.Abs(got/exact-1) > 1.0/(1<<16) || s.Mantissa < 1<<15 {
				t.Errorf("β′ %g, T %d: %v, %g, want %g", beta, T, s, got, exact)
			}
			if got, want := float64(m.Weight(T, s, 1<<15)), beta*math.Log2E*512; got < want-1.5 || got > want+0.5 {
				t.Errorf("β′ %g, T %d: weight %g, want %g", beta, T, got, want)
			}
		}
	}
	if s, err := place.Scale(0, 5); err != nil || s != (model.Scale{}) {
		t.Errorf("β′ 0: %v, %v", s, err)
	}
	if _, err := place.Scale(1e-4, 1<<23); err == nil {
		t.Error("a scale below 2^-16 is accepted")
	}
}

// Memory images are as the sequence leaves the tables: spot checks by hand.
func TestImages(t *testing.T) {
	p := configured(t, "destinations=2 banks=2 rows=2 anchors=1 lat_bits=8 time_bits=16 ack_lookup=own path_latency=true baselines=paths")
	table := &place.Table{Paths: []place.Path{
		{Name: 7, Destination: 5, BaseNS: 100, LatencyNS: 120, Anchors: []uint32{0xabc}},
		{Name: 8, Destination: 6, BaseNS: 64, LatencyNS: 255},
		{Name: 9, Destination: 6, BaseNS: 50, LatencyNS: 60},
	}}
	placed, err := place.Assign(p, table, 1)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for name, b := range placed.Files(1 << 15) {
		got[name] = strings.TrimSpace(strings.ReplaceAll(string(b), "\n", " "))
	}
	// Destination 5 has bank 0 row 0; 6 has bank 0 row 1 and bank 1 row 0.
	want := map[string]string{
		"pst.mem":             "2 b", // used and row of bank 1, then of bank 0
		"pst_copy.mem":        "2 b",
		"owner.mem":           "2 3 3 0", // owned and destination, by path number
		"anchors.mem":         "00000abc 00000000 00000000 00000000",
		"latency.mem":         "78 ff 3c 00",
		"bank0_base.mem":      "64 40",
		"bank1_base.mem":      "32 00",
		"bank0_real_copy.mem": "78 ff",
		"bank1_real_copy.mem": "3c 00",
		// deadline, latency, weight: 240 ns, 120 ns, 120/100·738.6; dead; 60/64·738.6.
		"bank0_state.mem": fmt.Sprintf("%010x %010x", 240<<22|120<<14|886, 510<<22|255<<14|16383),
		"bank1_state.mem": fmt.Sprintf("%010x %010x", 120<<22|60<<14|692, 0),
		"placement.csv":   "destination,dst,path,pid,bank,row 5,0,7,0,0,0 6,1,8,1,0,1 6,1,9,2,1,0",
	}
	for name, w := range want {
		if got[name] != w {
			t.Errorf("%s: %s, want %s", name, got[name], w)
		}
	}
	if n := len(want) + 2; len(got) != n { // and sequence.csv, scale.mem
		t.Errorf("%d files, want %d", len(got), n)
	}

	// With T of the destination in place of baselines of paths.
	p = configured(t, "destinations=2 banks=2 rows=2 anchors=1 lat_bits=8 time_bits=16")
	if placed, err = place.Assign(p, table, 1); err != nil {
		t.Fatal(err)
	}
	files := placed.Files(1 << 15)
	if got, want := strings.Fields(string(files["owner.mem"])), []string{"192", "103", "0cb", "000"}; !slices.Equal(got, want) {
		t.Errorf("owner.mem: %v, want %v: baseVal, owned, destination", got, want)
	}
	for d, word := range strings.Fields(string(files["scale.mem"])) {
		x, err := strconv.ParseUint(word, 16, 64)
		if want := []uint64{100, 64}[d]; err != nil || x>>21 != want {
			t.Errorf("scale.mem: T of destination %d is %d, want %d", d, x>>21, want)
		}
	}
	if files["bank0_base.mem"] != nil {
		t.Error("there is an image of baselines, of which the design has no memory")
	}
}

func ExampleAssign() {
	table, err := place.ReadCSV("paths.csv", strings.NewReader(header+"88,0,9600,9600,8\n88,1,13000,13000,9\n90,2,9600,9600,8\n"))
	if err != nil {
		panic(err)
	}
	placed, err := place.Assign(params.Default(), table, 1)
	if err != nil {
		panic(err)
	}
	for _, e := range placed.Entries {
		fmt.Printf("path %d to %d: bank %d row %d\n", e.Name, e.Destination, e.Pid/256, e.Pid%256)
	}
	// Output:
	// path 0 to 88: bank 0 row 0
	// path 1 to 88: bank 1 row 0
	// path 2 to 90: bank 2 row 0
}
