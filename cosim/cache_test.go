// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/verilator"
)

// freshCache gives a test a separate cache, with the run-time already built, because the
// part common to all models takes seconds.
func freshCache(t *testing.T) string {
	t.Helper()
	l, err := Build(t.Context(), source(t, "counter"), BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	from, err := CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "runtime"), os.DirFS(filepath.Join(from, "runtime"))); err != nil {
		t.Fatal(err)
	}
	t.Setenv(CacheEnv, dir)
	return dir
}

func models(t *testing.T, cache string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(cache, "model", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// works builds the counter, runs it and closes it.
func works(t *testing.T) *Library {
	t.Helper()
	l, err := Build(t.Context(), source(t, "counter"), BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	counts(t, l, 5, 5)
	return l
}

// counts resets a counter, lets it count n cycles and looks for the result.
func counts(t *testing.T, l *Library, n int, want uint64) {
	t.Helper()
	i, err := l.New(InstanceOptions{Seed: 9})
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	y := l.Layout()
	in, out := make([]uint64, (n+2)*y.InWords), make([]uint64, (n+2)*y.OutWords)
	y.MustSlot("rst").Set(in, 1)
	for c := 1; c < n+2; c++ {
		y.MustSlot("up").Set(in[c*y.InWords:], 1)
	}
	if done, err := i.Run(in, out); done != n+2 || err != nil {
		t.Fatalf("%d cycles, %v", done, err)
	}
	if got := y.MustSlot("count").Get(out[(n+1)*y.OutWords:]); got != want {
		t.Errorf("counted to %d, want %d", got, want)
	}
}

func TestCacheHit(t *testing.T) {
	cache := freshCache(t)
	works(t)
	first := models(t, cache)
	old := time.Now().Add(-keepUnused / 2)
	if err := os.Chtimes(first[0], old, old); err != nil {
		t.Fatal(err)
	}
	so := filepath.Join(first[0], "model.so")
	before, err := os.Stat(so)
	if err != nil {
		t.Fatal(err)
	}
	if l := works(t); len(l.Notes()) != 0 {
		t.Errorf("notes: %v", l.Notes())
	}
	after, err := os.Stat(so)
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("the model was built again: %v", err)
	}
	if st, err := os.Stat(first[0]); err != nil || !st.ModTime().After(old) {
		t.Errorf("the use was not noted: %v", err)
	}
	// Another configuration is another entry.
	src := source(t, "counter")
	src.Params = map[string]string{"W": "6"}
	l, err := Build(t.Context(), src, BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	counts(t, l, 70, 63)
	if n := len(models(t, cache)); n != 2 {
		t.Errorf("%d models in the cache, want 2", n)
	}
}

// Entries that nobody has used for long go when another one is made.
func TestCachePrune(t *testing.T) {
	cache := freshCache(t)
	works(t)
	old := time.Now().Add(-2 * keepUnused)
	if err := os.Chtimes(models(t, cache)[0], old, old); err != nil {
		t.Fatal(err)
	}
	l, err := Build(t.Context(), source(t, "../cosimtest/fifo"), BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if n := len(models(t, cache)); n != 1 {
		t.Errorf("%d models in the cache, want 1", n)
	}
}

// A damaged entry is built again, and that is said.
func TestCacheDamage(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(dir string) error
		note   string
	}{
		{"byte of the library", func(dir string) error {
			f, err := os.OpenFile(filepath.Join(dir, "model.so"), os.O_RDWR, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteAt([]byte{0x55}, 5000)
			return errors.Join(err, f.Close())
		}, "model.so has changed"},
		{"library cut short", func(dir string) error { return os.Truncate(filepath.Join(dir, "model.so"), 4096) }, "model.so has changed"},
		{"library gone", func(dir string) error { return os.Remove(filepath.Join(dir, "model.so")) }, "model.so cannot be read"},
		{"ports", func(dir string) error { return os.WriteFile(filepath.Join(dir, "ports.json"), nil, 0o666) }, "ports.json has changed"},
		{"sums gone", func(dir string) error { return os.Remove(filepath.Join(dir, sums)) }, "SHA256SUMS cannot be read"},
		{"sums empty", func(dir string) error { return os.Truncate(filepath.Join(dir, sums), 0) }, "SHA256SUMS is empty"},
		{"sums cut short", func(dir string) error { return os.Truncate(filepath.Join(dir, sums), 30) }, "SHA256SUMS is malformed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache := freshCache(t)
			works(t)
			if err := c.damage(models(t, cache)[0]); err != nil {
				t.Fatal(err)
			}
			l := works(t)
			if len(l.Notes()) != 1 || !strings.Contains(l.Notes()[0], "was damaged and has been rebuilt: "+c.note) {
				t.Errorf("notes: %q, want %q", l.Notes(), c.note)
			}
			if l = works(t); len(l.Notes()) != 0 {
				t.Errorf("notes after the repair: %v", l.Notes())
			}
		})
	}
}

// A build that is stopped leaves no entry, and the next one is not disturbed.
func TestBuildCancelled(t *testing.T) {
	cache := freshCache(t)
	// The compiler tells that it runs, and waits to be killed.
	bin := t.TempDir()
	started := filepath.Join(bin, "started")
	script := "#!/bin/sh\ncase \"$*\" in *--version*) echo fake; exit;; esac\ntouch " + started + "\nsleep 1000\n"
	if err := os.WriteFile(filepath.Join(bin, "slow++"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CXX", filepath.Join(bin, "slow++"))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if _, err := os.Stat(started); err == nil || ctx.Err() != nil {
				cancel()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	_, err := Build(ctx, source(t, "counter"), BuildOptions{})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if left := append(models(t, cache), glob(t, cache, "tmp/*")...); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	t.Setenv("CXX", "")
	works(t)
}

// Leftovers of a killed process in the cache's temporary folder are removed.
func TestBuildKilled(t *testing.T) {
	cache := freshCache(t)
	works(t)
	entry := models(t, cache)[0]
	half := filepath.Join(cache, "tmp", "model-"+filepath.Base(entry))
	if err := os.Rename(entry, half); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(half, "model.so"), 100); err != nil {
		t.Fatal(err)
	}
	works(t)
	if left := glob(t, cache, "tmp/*"); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func glob(t *testing.T, dir, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// childEnv makes this test binary a process that builds the counter.
const childEnv = "NICGEN_TEST_BUILD"

// Processes and goroutines that want the same model at the same time get it,
// and one of them builds it.
func TestBuildTogether(t *testing.T) {
	if os.Getenv(childEnv) != "" {
		works(t)
		return
	}
	cache := freshCache(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// A compiler that counts how often it makes a library.
	gxx, err := tool.Find(tool.GXX)
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	log := filepath.Join(bin, "log")
	if err := os.WriteFile(filepath.Join(bin, "count++"), []byte("#!/bin/sh\ncase \"$*\" in *-shared*) echo link >>"+log+";; esac\nexec "+gxx+" \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CXX", filepath.Join(bin, "count++"))
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			cmd := exec.Command(exe, "-test.run", "^TestBuildTogether$")
			cmd.Env = append(os.Environ(), childEnv+"=1", CacheEnv+"="+cache)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
		wg.Go(func() { works(t) })
	}
	wg.Wait()
	b, err := os.ReadFile(log)
	if err != nil || strings.Count(string(b), "link") != 1 {
		t.Errorf("the library was made %d times, want once (%v)", strings.Count(string(b), "link"), err)
	}
	if n := len(models(t, cache)); n != 1 {
		t.Errorf("%d models in the cache, want 1", n)
	}
}

// Missing and broken tools are named.
func TestTools(t *testing.T) {
	verilatorPath, err := tool.Find(tool.Verilator)
	if err != nil {
		t.Fatal(err)
	}
	script := func(t *testing.T, dir, name, body string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	path := os.Getenv("PATH")
	for _, c := range []struct {
		name    string
		setup   func(t *testing.T, bin string) // bin is the whole PATH unless changed
		missing string                         // name of a *tool.Missing
		failed  string                         // name of a *tool.Failed
		text    string                         // in the error
	}{
		{"no verilator", func(t *testing.T, bin string) {}, "verilator", "", "install it with: apt-get install verilator"},
		{"no compiler", func(t *testing.T, bin string) {
			script(t, bin, "verilator", "PATH="+path+" exec "+verilatorPath+` "$@"`)
		},
			"g++", "", "install it with: apt-get install g++"},
		{"compiler named and missing", func(t *testing.T, bin string) { t.Setenv("PATH", path); t.Setenv("CXX", "nowhere++ -g") },
			"nowhere++", "", "nowhere++ not found, needed for co-simulation, as CXX names it: install it with: apt-get install g++; then unset CXX"},
		{"clang named and missing", func(t *testing.T, bin string) {
			script(t, bin, "verilator", "PATH="+path+" exec "+verilatorPath+` "$@"`)
			script(t, bin, "g++", "exit 1")
			t.Setenv("CXX", "clang++-14 -O1")
		}, "clang++-14", "", "clang++-14 not found, needed for co-simulation, as CXX names it: install it with: apt-get install clang-14"},
		{"compiler fails", func(t *testing.T, bin string) {
			t.Setenv("PATH", path)
			script(t, bin, "bad++", `case "$*" in *--version*) echo bad 1; exit;; esac
echo "In file included from somewhere" >&2
echo "all.cc:1: error: the first reason" >&2
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do echo "all.cc:$i: error: another" >&2; done
exit 1`)
			t.Setenv("CXX", filepath.Join(bin, "bad++"))
		}, "", "bad++", "bad++ failed: exit status 1\nall.cc:1: error: the first reason\n"},
		{"no header for waveforms", func(t *testing.T, bin string) {
			t.Setenv("PATH", path)
			script(t, bin, "bad++", `case "$*" in *--version*) echo bad 1; exit;; esac
echo "fstcpp_writer.cpp:18:10: fatal error: lz4.h: No such file or directory" >&2; exit 1`)
			t.Setenv("CXX", filepath.Join(bin, "bad++"))
		}, "", "bad++", "lz4.h: No such file or directory\nwaveforms in FST need it: install it with: apt-get install liblz4-dev; or choose VCD"},
		{"full disk", func(t *testing.T, bin string) {
			t.Setenv("PATH", path)
			script(t, bin, "bad++", `case "$*" in *--version*) echo bad 1; exit;; esac
echo "all.cc:1:1: fatal error: error writing to all.s: No space left on device" >&2
echo "compilation terminated." >&2; exit 1`)
			t.Setenv("CXX", filepath.Join(bin, "bad++"))
		}, "", "bad++", " MB free: make room, or set NICGEN_CACHE to a folder with more"},
		{"old verilator", func(t *testing.T, bin string) { script(t, bin, "verilator", "echo 'Verilator 4.038 2020-07-11'") },
			"", "verilator", "version 4.038 is too old, want 5.006 or later"},
		{"strange verilator", func(t *testing.T, bin string) {
			script(t, bin, "verilator", "echo hello")
			t.Setenv("PATH", bin+string(filepath.ListSeparator)+path)
		}, "", "verilator", "Vm.h: no such file or directory: nicgen is tested with Verilator 5.006, "},
		{"incomplete verilator", func(t *testing.T, bin string) {
			script(t, bin, "verilator", `case "$1" in --version) echo Verilator 5.006;; --getenv) echo /nowhere;; *) echo "%Error: Cannot find verilated_std.sv" >&2; exit 1;; esac`)
			t.Setenv("PATH", bin+string(filepath.ListSeparator)+path)
		}, "", "verilator", "it does not take a module of one register: nicgen is tested with Verilator " + verilator.Tested() + "\n%Error: Cannot find verilated_std.sv"},
		{"crashing verilator", func(t *testing.T, bin string) {
			t.Setenv("PATH", path)
			script(t, bin, "verilator", `case "$1" in --version) echo Verilator 5.006;; --getenv) echo /nowhere;; *) echo "%Error: Internal Error: oops" >&2; exit 134;; esac`)
			t.Setenv("PATH", bin+string(filepath.ListSeparator)+path)
		}, "", "verilator", "Internal Error: oops"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(CacheEnv, t.TempDir())
			t.Setenv("CXX", "")
			bin := t.TempDir()
			t.Setenv("PATH", bin)
			c.setup(t, bin)
			_, err := Build(t.Context(), source(t, "counter"), BuildOptions{})
			var m *tool.Missing
			var f *tool.Failed
			switch {
			case err == nil || !strings.Contains(err.Error(), c.text):
				t.Errorf("got %v, want %q in it", err, c.text)
			case c.missing != "" && (!errors.As(err, &m) || m.Name != c.missing):
				t.Errorf("got %#v, want a *tool.Missing of %s", err, c.missing)
			case c.failed != "" && (!errors.As(err, &f) || filepath.Base(f.Name) != c.failed):
				t.Errorf("got %#v, want a *tool.Failed of %s", err, c.failed)
			}
			if c.failed != "" && strings.Count(err.Error(), "\n") > 10 {
				t.Errorf("too much of the compiler's output:\n%v", err)
			}
		})
	}
}

// Sources that cannot be compiled are refused in words.
func TestBuildRefuses(t *testing.T) {
	good := "module m (input wire logic clk, input wire logic a, output logic q); always_ff @(posedge clk) q <= a; endmodule\n"
	for _, c := range []struct {
		name string
		src  Source
		o    BuildOptions
		text string
	}{
		{"warning", Source{Top: "m", Files: []File{{"m.sv", strings.Replace(good, "q <= a", "q <= a + 2'd1", 1)}}}, BuildOptions{}, "%Warning-WIDTH: m.sv:1"},
		{"syntax", Source{Top: "m", Files: []File{{"m.sv", "module m (\n"}}}, BuildOptions{}, "%Error: m.sv:"},
		{"elaboration check", Source{Top: "m", Files: []File{{"m.sv", strings.Replace(good, "endmodule", "if (1) begin : g_check $error(\"W must be even\"); end endmodule", 1)}}}, BuildOptions{}, "W must be even"},
		{"unknown parameter", Source{Top: "m", Files: []File{{"m.sv", good}}, Params: map[string]string{"W": "3"}}, BuildOptions{}, "W"},
		{"no clock", Source{Top: "m", Files: []File{{"m.sv", good}}, Clock: "clock"}, BuildOptions{}, `module m has no one-bit input "clock" for the clock: name its clock port in Source.Clock`},
		{"inout", Source{Top: "m", Files: []File{{"m.sv", strings.Replace(good, "input wire logic a,", "input wire logic a, inout wire logic z,", 1)}}}, BuildOptions{}, "port z is an inout, want an input or an output"},
		{"array port", Source{Top: "m", Files: []File{{"m.sv", strings.Replace(strings.Replace(good, "logic a,", "logic [1:0] a [3],", 1), "q <= a", "q <= ^{a[0], a[1], a[2]}", 1)}}}, BuildOptions{}, "port a is an unpacked array, want a packed vector"},
		{"no files", Source{Top: "m"}, BuildOptions{}, "module m: no source files"},
		{"bad top", Source{Top: "--m", Files: []File{{"m.sv", good}}}, BuildOptions{}, `top module "--m" is not an identifier`},
		{"file outside", Source{Top: "m", Files: []File{{"../m.sv", good}}}, BuildOptions{}, `source file "../m.sv": want a relative name within the design`},
		{"file twice", Source{Top: "m", Files: []File{{"m.sv", good}, {"m.sv", good}}}, BuildOptions{}, `source file "m.sv" appears twice`},
		{"trace", Source{Top: "m", Files: []File{{"m.sv", good}}}, BuildOptions{Trace: "lxt"}, `waveform format "lxt", want fst or vcd`},
		{"optimize", Source{Top: "m", Files: []File{{"m.sv", good}}}, BuildOptions{Optimize: 9}, `optimization level 9, want 1 to 3, or 0 for a quick compilation`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Build(t.Context(), c.src, c.o)
			if err == nil || !strings.Contains(err.Error(), c.text) {
				t.Errorf("got %v, want %q in it", err, c.text)
			}
			var r *verilator.Rejected
			if isLog := strings.HasPrefix(c.text, "%") || c.name == "elaboration check"; isLog && !errors.As(err, &r) {
				t.Errorf("got %#v, want a *verilator.Rejected", err)
			}
		})
	}
}

// A cache that cannot be written is an error that says what to do.
func TestCacheReadOnly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv(CacheEnv, filepath.Join(file, "cache"))
	_, err := Build(t.Context(), source(t, "counter"), BuildOptions{})
	var pe *fs.PathError
	if !errors.As(err, &pe) || !strings.Contains(err.Error(), "set NICGEN_CACHE to a folder that can be written") {
		t.Errorf("got %v", err)
	}
}
