// SPDX-License-Identifier: Apache-2.0

//go:build peers

// Package linux tests the block against Linux' own RoCE, which shares no code with it: two virtual machines, and between
// them two blocks as RTL with their golden models, and a network. `make test-linux` runs it.
package linux

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/registers/load"
	"github.com/nicgen/nicgen/sim/device"
	"github.com/nicgen/nicgen/sim/live"
	"github.com/nicgen/nicgen/tb/bench"
	nictransport "github.com/nicgen/nicgen/tb/nic_transport"
)

var (
	only     = flag.String("rows", "", "run only the rows whose names match this regular expression")
	update   = flag.Bool("update", false, "rewrite the table of runs in docs/nic_live.md; all rows have to run")
	captures = flag.String("captures", "", "write captures of each row into a folder below this one")
)

// work is the folder that initrd.sh made.
func work(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("LINUX_WORK")
	if dir == "" {
		dir = filepath.Join("..", "..", "build", "linux")
	}
	dir, err := filepath.Abs(dir)
	if err == nil {
		_, err = os.Stat(filepath.Join(dir, "initrd.gz"))
	}
	if err != nil {
		t.Fatalf("%v: integrations/linux/initrd.sh makes it; `make test-linux` calls it", err)
	}
	return dir
}

// Each row: the program finishes, or stands if that is known, and the counts are as the row says.
func TestLinux(t *testing.T) {
	choose, err := regexp.Compile(*only)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(rows, func(r row) bool { return choose.MatchString(r.name) }) {
		t.Fatalf("-rows: no row matches %q", *only)
	}
	dir := work(t)
	var machines [2]*machine
	for i := range machines {
		machines[i] = boot(t, i+1, dir)
	}
	for _, m := range machines {
		if err := m.ready(5 * time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	record := &record{}
	blocks := &library{t: t, built: map[string]*cosim.Library{}}
	for i := range rows {
		r := &rows[i]
		if !choose.MatchString(r.name) {
			continue
		}
		t.Run(strings.ReplaceAll(r.name, " ", "-"), func(t *testing.T) {
			// Linux sends again what a slow machine delays for too long: once more, to tell that from a fault.
			for try := range 2 {
				res := r.run(t, machines, blocks)
				t.Log(res.String())
				faults, bad := r.want.judge(r, res)
				for _, f := range faults {
					t.Error(f)
				}
				switch {
				case len(faults) > 0:
				case r.want.known != "" && len(bad) == 0:
					t.Errorf("all counts are as wanted: remove the reason for others from its row: %s", r.want.known)
				case r.want.known != "":
					t.Logf("%s: %s", r.want.known, strings.Join(bad, "; "))
				case len(bad) > 0 && try == 0:
					t.Logf("again, as %s", strings.Join(bad, "; "))
					continue
				case len(bad) > 0:
					t.Error(strings.Join(bad, "; "))
				}
				record.add(r, res, bad)
				return
			}
		})
	}
	t.Log("\n" + record.table())
	if *update {
		if err := record.write(len(rows)); err != nil {
			t.Fatal(err)
		}
	}
}

// library has the compiled blocks.
type library struct {
	t     *testing.T
	built map[string]*cosim.Library
}

// block returns a configuration and its RTL.
func (l *library) block(set string) (*params.Params, *cosim.Library, error) {
	p := params.Default()
	if err := gen.Configure(p, set); err != nil {
		return nil, nil, err
	}
	if lib := l.built[set]; lib != nil {
		return p, lib, nil
	}
	src, err := bench.Source(p)
	if err != nil {
		return nil, nil, err
	}
	lib, err := cosim.Build(context.Background(), src, cosim.BuildOptions{})
	if err != nil {
		return nil, nil, err
	}
	l.t.Cleanup(func() { _ = lib.Close() })
	l.built[set] = lib
	return p, lib, nil
}

// result holds the counts of a run, and the end of its programs.
type result struct {
	*live.Result
	finished bool
	code     int
	text     string // of the client
	err      error  // of the middle
	took     time.Duration
}

// sender returns the side that sends a row's data.
func (r *row) sender() int {
	if strings.HasPrefix(r.program, "ib_read") || strings.HasPrefix(r.program, "ib_atomic") {
		return 0
	}
	return 1
}

// sent returns the frames that a row's needed counts: those that entered the block of the side that sends the data.
func (r *row) sent(x *live.Result) uint64 {
	if s := r.sender(); s == 0 {
		return x.Sides[s].FromHost[live.Response]
	}
	return x.Sides[1].FromHost[live.Request]
}

// counter returns the sum of both blocks' counters of a name.
func (r *result) counter(name string) (n uint64) {
	for s := range r.Sides {
		if c := r.Sides[s].NIC; c != nil {
			n += c.Registers[name]
		}
	}
	return n
}

func (r *result) count(k live.Kind) uint64 { return r.Sides[0].FromHost[k] + r.Sides[1].FromHost[k] }

// String returns the counts that a run is judged by.
func (r *result) String() string {
	s := fmt.Sprintf("%.1f s, exit code %d; requests %d, responses %d, ACKs %d, NAKs %d, RNR NAKs %d; sent again %v, lost %d, marked %d, Not-ECT %d, CNPs %d; entropy values %d, frames by path %v, with telemetry %d; connections %d",
		r.took.Seconds(), r.code, r.count(live.Request), r.count(live.Response), r.count(live.ACK), r.count(live.NAK), r.count(live.RNR),
		r.Wire.Again, r.Wire.Lost, r.Wire.Marked, r.Wire.NotECT, r.Wire.CNPs, r.Wire.Ports, r.Wire.Paths, r.Wire.Told, len(r.Learned))
	for i := range r.Sides {
		c := r.Sides[i].NIC
		if c == nil || c.Cycles == 0 {
			continue
		}
		s += fmt.Sprintf("\nblock %s: %d cycles, %.3f ms, held %d, dropped %d", live.Name(i), c.Cycles, float64(c.TimeNS)/1e6, c.Held, c.Dropped)
		for _, n := range []string{"gate.sts_stall_cnt", "gate.sts_stray_cnt", "gate.sts_timeout_cnt", "queue.sts_quota_cnt", "reps.sts_ecn_cnt"} {
			if v := c.Registers[n]; v > 0 {
				s += fmt.Sprintf(", %s %d", n, v)
			}
		}
	}
	for _, l := range r.LeftOut {
		s += "\nnot opened: " + l
	}
	for line := range strings.Lines(r.text) {
		if r.code != 0 && r.code != 143 || said.MatchString(line) { // 143: it took too long
			s += "\n" + strings.TrimSpace(line)
		}
	}
	return s
}

// said are the lines of perftest with a result or an error.
var said = regexp.MustCompile(`(?i)^ *\d+ +\d+ +[\d.]+|error|fail|couldn't|unable|completion|syndrom`)

// judge returns faults, and the counts that differ from the wanted ones.
func (w *want) judge(r *row, x *result) (faults, bad []string) {
	say := func(format string, args ...any) { bad = append(bad, fmt.Sprintf(format, args...)) }
	if x.err != nil {
		faults = append(faults, x.err.Error())
	}
	for _, f := range x.Faults {
		faults = append(faults, fmt.Sprintf("%s: %d; the first: %s", f.What, f.Count, f.First))
	}
	for _, l := range x.LeftOut {
		faults = append(faults, "a connection was not opened: "+l)
	}
	if !x.finished {
		say("it does not finish: exit code %d", x.code)
	}
	ratio := w.ratio
	if ratio == 0 {
		ratio = 1
	}
	if n := r.sent(x.Result); n < r.needed || float64(n) > ratio*float64(r.needed) {
		say("%d frames sent, want %d to %.0f", n, r.needed, ratio*float64(r.needed))
	}
	if n := x.count(live.NAK); n > w.naks {
		say("%d NAKs, want at most %d", n, w.naks)
	}
	if n := x.count(live.RNR); n > 0 != w.rnrs {
		say("%d RNR NAKs, want some: %t", n, w.rnrs)
	}
	if (x.Wire.Marked > 0) != w.marks {
		say("%d frames marked, want some: %t", x.Wire.Marked, w.marks)
	}
	if n := x.counter("reps.sts_ecn_cnt"); w.hears && n == 0 {
		say("REPS hears of none of %d marks", x.Wire.Marked)
	}
	if x.Wire.Ports < w.entropy {
		say("%d entropy values, want at least %d", x.Wire.Ports, w.entropy)
	}
	if w.paths && slices.Min(x.Wire.Paths[r.sender()]) == 0 {
		say("frames by path %v, want some by each", x.Wire.Paths[r.sender()])
	}
	if (x.Wire.Told > 0) != w.told {
		say("%d frames with telemetry, want some: %t", x.Wire.Told, w.told)
	}
	if n := x.counter("gate.sts_stall_cnt"); n > 0 {
		say("%d packets left by the stall rule, want 0", n)
	}
	if n := x.counter("gate.sts_timeout_cnt"); n > 0 && w.naks == 0 {
		say("%d timeouts, want 0", n)
	}
	return faults, bad
}

// profile returns the profile of a row's connections.
func (r *row) profile() (device.Profile, error) {
	p := device.Profile{DSCP: -1, ECN: -1}
	for _, n := range strings.FieldsFunc(r.actions, func(c rune) bool { return c == ',' }) {
		f := map[string]*bool{"queue": &p.Queue, "path": &p.Path, "flow": &p.Flow, "echo-tx": &p.EchoTX, "echo-rx": &p.EchoRX, "feedback": &p.Feedback, "window": &p.Window, "telemetry": &p.Telemetry}[n]
		if f == nil {
			return p, fmt.Errorf("row %q: unknown action %q", r.name, n)
		}
		*f = true
	}
	if r.ecn > 0 {
		p.ECN = r.ecn
	}
	return p, nil
}

// middle makes the blocks and the network of a row.
func (r *row) middle(ctx context.Context, blocks *library) (c live.Config, closing func(), err error) {
	closing = func() {}
	c = live.Config{Seed: 1, Drain: 5 * time.Second, Network: live.Network{Paths: 1, Choose: live.ByFlow, Delay: 2 * time.Millisecond, Dead: -1}}
	if c.BlockTime = r.blockTime; r.blockTime {
		c.Network.Delay = time.Microsecond
	}
	if r.network != nil {
		r.network(&c.Network)
	}
	if err = c.Network.Check(); err != nil {
		return c, closing, err
	}
	if !r.fixed && r.pairs == 0 {
		c.Learner = &live.Learner{Perftest: true, CM: true}
	}
	if r.block == plain {
		c.NICs = [2]live.NIC{&live.Plain{}, &live.Plain{}}
		return c, closing, nil
	}
	if r.alone {
		return c, closing, r.models(&c)
	}
	p, lib, err := blocks.block(r.block)
	if err != nil {
		return c, closing, err
	}
	profile, err := r.profile()
	if err != nil {
		return c, closing, err
	}
	var open []*live.Block
	closing = func() {
		for _, b := range open {
			_ = b.Close()
		}
	}
	for side := range c.NICs {
		s := live.Setup{Library: lib, Params: p, Seed: uint64(1 + side), Profile: profile, Rate: r.mbps / 8000, Window: r.window}
		if s.Checker, err = nictransport.New(p, lib.Layout()); err != nil {
			return c, closing, err
		}
		for _, text := range []string{r.load, r.connections(side, profile)} {
			f, err := load.Parse("load.yaml", []byte(text))
			if text != "" && err != nil {
				return c, closing, err
			}
			if text != "" {
				s.Files = append(s.Files, f)
			}
		}
		b, err := live.NewBlock(ctx, s)
		if err != nil {
			return c, closing, err
		}
		open = append(open, b)
		c.NICs[side] = b
	}
	live.Together(open...)
	return c, closing, nil
}

// models makes golden models for both sides.
func (r *row) models(c *live.Config) error {
	p := params.Default()
	if err := gen.Configure(p, r.block); err != nil {
		return err
	}
	profile, err := r.profile()
	for side := range c.NICs {
		if err == nil {
			c.NICs[side], err = live.NewGolden(live.GoldenSetup{Params: p, Seed: uint64(1 + side), Profile: profile, Window: r.window})
		}
	}
	return err
}

// run runs the row: machine 1 is the server, machine 2 the client.
func (r *row) run(t *testing.T, machines [2]*machine, blocks *library) *result {
	t.Helper()
	c, closing, err := r.middle(t.Context(), blocks)
	defer closing()
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range machines {
		c.Ports[i] = m.port.attach()
	}
	if *captures != "" {
		files, err := live.NewCaptures(filepath.Join(*captures, filepath.Base(t.Name())))
		if err != nil {
			t.Fatal(err)
		}
		defer files.Close()
		c.Capture = files.Put
	}
	ctx, stop := context.WithCancel(context.Background())
	x := &result{}
	ended := make(chan struct{})
	start := time.Now()
	go func() {
		defer close(ended)
		x.Result, x.err = live.Run(ctx, c)
	}()
	err = r.drive(machines, x)
	stop()
	<-ended
	x.took = time.Since(start)
	if err != nil {
		t.Fatal(errors.Join(err, x.err))
	}
	return x
}

// connections returns the file of connections that are loaded before the run; empty: none.
func (r *row) connections(side int, p device.Profile) string {
	if r.pairs == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "profiles: {p: {queue: %t, path: %t}}\nconnections:\n", p.Queue, p.Path)
	for i := range r.pairs {
		fmt.Fprintf(&b, "  - {conn: %d, address: 10.0.0.%d, remote_qp: %d, local_qp: %d, profile: p}\n", i, 2-side, 0x11+i, 0x11+i)
	}
	return b.String()
}

// listens waits until a server listens at a port; a server of RDMA-CM shows none.
func (r *row) listens(m *machine, port int) error {
	wait := fmt.Sprintf("i=0; until grep -qi ':%04x 0*:0000 0A' /proc/net/tcp /proc/net/tcp6 || [ $i = 100 ]; do sleep 0.1; i=$((i + 1)); done", port)
	if strings.Contains(r.program, " -R") {
		wait = "sleep 2"
	}
	_, _, err := m.run(30*time.Second, wait)
	return err
}

// Ports of perftest.
const (
	firstPort  = 18515
	secondPort = 18516
)

// drive runs the programs in the machines.
func (r *row) drive(machines [2]*machine, x *result) error {
	limit := r.limit
	if limit == 0 {
		limit = 90 * time.Second
	}
	server, client := machines[0], machines[1]
	for range max(1, r.again) {
		if r.pairs > 0 {
			for _, m := range machines {
				if _, err := m.must(20*time.Second, "rdma link del rxe0 && rdma link add rxe0 type rxe netdev eth0 && sleep 1"); err != nil {
					return err
				}
			}
		}
		command := fmt.Sprintf("timeout %d %s 10.0.0.1", int(limit.Seconds()), r.program)
		if r.second != "" {
			if _, err := server.must(10*time.Second, fmt.Sprintf("%s -p %d >/tmp/p 2>&1 & other=$!", r.second, secondPort)); err != nil {
				return err
			}
			if err := r.listens(server, secondPort); err != nil {
				return err
			}
			command = fmt.Sprintf("timeout %d %s -p %d 10.0.0.1 >/tmp/p 2>&1 & %s; a=$?; wait $!; b=$?; cat /tmp/p; [ $a$b = 00 ]", int(limit.Seconds()), r.second, secondPort, command)
		}
		if _, err := server.must(10*time.Second, r.program+" >/tmp/o 2>&1 & one=$!"); err != nil {
			return err
		}
		if err := r.listens(server, firstPort); err != nil {
			return err
		}
		text, code, err := client.run(limit+30*time.Second, command)
		if err != nil {
			return err
		}
		x.text, x.code, x.finished = x.text+text, code, code == 0
		if _, _, err := server.run(30*time.Second, "kill $one $other 2>/dev/null; wait; other="); err != nil {
			return err
		}
		if code != 0 {
			break
		}
	}
	return nil
}
