// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	module  = "github.com/nicgen/nicgen/"
	outside = "starter/module" // becomes a separate module
)

// rooms lists the rooms that the packages of each room may import in addition to their own room. A
// room "gen" is the package gen and all below it, except the packages of rooms with longer names.
// If there is also a room "gen/", it has the packages below, and "gen" is one package. Tests may
// import anything.
var rooms = map[string]string{
	"":                          "cli registry",
	"cli":                       "gen gen/ gen/device model registry cosim cosim/failure packet internal/registers synth svparse verilator internal/tool check tb internal/evidence export starter internal/sweep internal sim/agenda sim/fabric sim/transport sim/device sim/replay sim/live sim/scenario/bottleneck sim/scenario/rail sim/scenario/pair sim/scenario/pair/rtl sim/plot papers papers/figures papers/reps",
	"internal/evidence":         "gen gen/ rtl tb registry cosim synth svparse check internal sim/transport sim/plot papers papers/figures internal/evidence/due internal/evidence/section",
	"internal/evidence/due":     "internal",
	"internal/evidence/section": "",

	"gen":         "gen/device internal",
	"gen/device":  "",
	"gen/":        "gen gen/device rtl constraints internal",
	"rtl":         "gen",
	"constraints": "",

	"model":              "gen/ internal",
	"packet":             "internal/tool internal",
	"internal/registers": "gen gen/ model packet cosim internal",

	"internal/tool":   "",
	"verilator":       "internal/tool",
	"svparse":         "",
	"cosim":           "verilator svparse internal/tool internal",
	"cosim/failure":   "cosim",
	"cosim/cosimtest": "cosim",
	"synth":           "gen gen/device verilator internal/tool",

	"sim/agenda":              "",
	"sim/fabric":              "sim/agenda",
	"sim/workload":            "",
	"sim/transport":           "sim/fabric sim/workload",
	"sim/topo":                "sim/fabric sim/transport",
	"sim/measure":             "sim/fabric",
	"sim/clocked":             "sim/agenda sim/fabric sim/transport cosim",
	"sim/device":              "sim/agenda gen gen/ model cosim",
	"sim/replay":              "sim/agenda sim/device gen/ packet cosim",
	"sim/live":                "sim/agenda sim/fabric sim/device sim/replay gen/ model internal/registers packet cosim",
	"sim/scenario/bottleneck": "sim/fabric sim/topo sim/transport sim/workload sim/measure",
	"sim/scenario/rail":       "sim/fabric sim/topo sim/transport sim/workload",
	"sim/scenario/pair":       "sim/agenda sim/fabric packet",
	"sim/scenario/pair/rtl":   "sim/agenda sim/fabric sim/device sim/scenario/pair gen/ internal/registers cosim",
	"sim/host":                "gen gen/ model cosim tb sim/fabric sim/transport sim/clocked sim/scenario/bottleneck",
	"sim/plot":                "sim/measure sim/scenario/bottleneck sim/scenario/pair sim/scenario/rail",

	"papers":          "sim/fabric sim/transport sim/measure",
	"papers/reps":     "papers sim/fabric sim/topo sim/transport sim/workload sim/measure",
	"papers/powertcp": "papers sim/fabric sim/topo sim/transport sim/workload sim/measure model",
	"papers/laps":     "papers sim/fabric sim/topo sim/transport sim/workload sim/measure",
	"papers/plb":      "papers sim/fabric sim/topo sim/transport sim/workload sim/measure",
	"papers/dcsim":    "papers sim/fabric sim/topo sim/transport sim/workload sim/measure gen/",
	"papers/figures":  "papers papers/reps papers/powertcp papers/laps papers/plb papers/dcsim",

	"tb":       "gen gen/ model rtl cosim cosim/failure packet synth svparse internal/tool internal sim/transport internal/evidence/due internal/evidence/section",
	"registry": "tb sim/host sim/transport",

	"check":  "gen gen/ cosim cosim/failure tb synth internal/tool internal",
	"export": "gen gen/ registry tb cosim cosim/failure verilator internal/tool",

	"starter":          "",
	"internal/sweep":   "internal/tool internal",
	"integrations":     "sim/measure sim/plot",
	"internal":         "",
	"internal/toy":     "gen gen/",
	"internal/standin": "gen gen/",
}

// room returns the room of a package, whose path is below the module.
func room(pkg string) (name string, ok bool) {
	if _, ok := rooms[pkg]; ok {
		return pkg, true
	}
	for at := path.Dir(pkg); at != "."; at = path.Dir(at) {
		for _, name := range []string{at + "/", at} {
			if _, ok := rooms[name]; ok {
				return name, true
			}
		}
	}
	return "", false
}

// arrows returns the imports between packages of the module below root, test files left out.
func arrows(t *testing.T, root string) map[[2]string]string {
	t.Helper()
	all := map[[2]string]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if b := d.Name(); name != root && (strings.HasPrefix(b, ".") || b == "build" || b == "testdata" || filepath.ToSlash(name) == outside) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		if dir == "." {
			dir = ""
		}
		for _, i := range f.Imports {
			p, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			if to, ok := strings.CutPrefix(p, module); ok {
				all[[2]string{filepath.ToSlash(dir), to}] = name
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// broken returns the imports that the table of rooms does not allow, and the entries that no
// import needs.
func broken(all map[[2]string]string) []string {
	var out []string
	used := map[string]bool{}
	for a, file := range all {
		from, known := room(a[0])
		if !known {
			out = append(out, fmt.Sprintf("%s: package %s is in no room: enter it in the table of rooms", file, a[0]))
			continue
		}
		to, _ := room(a[1])
		used[from+" "+to] = true
		if allowed := strings.Fields(rooms[from]); from != to && !slices.Contains(allowed, to) {
			out = append(out, fmt.Sprintf("%s: %s imports %s, want of other rooms only: %s", file, from, a[1], strings.Join(allowed, ", ")))
		}
	}
	for from, list := range rooms {
		for _, to := range strings.Fields(list) {
			if _, ok := rooms[to]; !ok {
				out = append(out, fmt.Sprintf("the table lets %s import %s, which is no room", from, to))
			} else if !used[from+" "+to] {
				out = append(out, fmt.Sprintf("the table lets %s import %s, and it does not: remove it from the table", from, to))
			}
		}
	}
	slices.Sort(out)
	return out
}

// Data flows one way: each room imports the rooms that the table allows, and the table has no circle.
func TestRooms(t *testing.T) {
	all := arrows(t, ".")
	for _, b := range broken(all) {
		t.Error(b)
	}
	state := map[string]int{}
	var visit func(from string, way []string)
	visit = func(from string, way []string) {
		way = append(way, from)
		switch state[from] {
		case 1:
			t.Errorf("a circle of rooms: %s", strings.Join(way[slices.Index(way, from):], " → "))
			return
		case 2:
			return
		}
		state[from] = 1
		for _, to := range strings.Fields(rooms[from]) {
			visit(to, way)
		}
		state[from] = 2
	}
	for from := range rooms {
		visit(from, nil)
	}
}

// A forbidden import, a package without a room and an entry that nothing needs are each found.
func TestRoomsFindsBreaches(t *testing.T) {
	all := arrows(t, ".")
	all[[2]string{"gen/dcsim_port", "model/dcsim"}] = "planted.go"
	all[[2]string{"elsewhere", "gen"}] = "planted.go"
	for a := range all {
		if a[0] == "verilator" {
			delete(all, a)
		}
	}
	got := strings.Join(broken(all), "\n")
	want := strings.Join([]string{
		"planted.go: gen/ imports model/dcsim, want of other rooms only: gen, gen/device, rtl, constraints, internal",
		"planted.go: package elsewhere is in no room: enter it in the table of rooms",
		"the table lets verilator import internal/tool, and it does not: remove it from the table",
	}, "\n")
	if got != want {
		t.Errorf("found:\n%s\nwant:\n%s", got, want)
	}
}
