// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/sim/device"
	"github.com/nicgen/nicgen/sim/pair"
	"github.com/nicgen/nicgen/sim/pair/rtl"
	"github.com/nicgen/nicgen/sim/plot"
	nictransport "github.com/nicgen/nicgen/tb/nic_transport"
)

// pairNIC is a NIC of nic pair.
type pairNIC struct {
	name    string
	set     string // in the block's configuration; empty: no block, a NIC that changes nothing
	profile device.Profile
	what    string
}

// pairNICs are the NICs of nic pair to choose from.
var pairNICs = []pairNIC{
	{"plain", "", device.Profile{}, "no block: the hosts' own source ports"},
	{"spray", "path=spray window=none", device.Profile{Queue: true, Path: true, EchoTX: true, EchoRX: true}, "a random path for each packet"},
	{"reps", "path=reps window=none", device.Profile{Queue: true, Path: true, EchoTX: true, EchoRX: true}, "REPS"},
	{"theta", "path=none window=powertcp telemetry=theta", device.Profile{Queue: true, EchoTX: true, EchoRX: true, Window: true}, "θ-PowerTCP's windows"},
	{"int", "path=none window=powertcp telemetry=int", device.Profile{Queue: true, EchoTX: true, EchoRX: true, Window: true, Telemetry: true}, "PowerTCP's windows, by telemetry"},
}

// pairDefaults are the NICs that a scenario compares.
var pairDefaults = map[string][]string{"failure": {"plain", "spray", "reps"}, "burst": {"plain", "theta", "int"}}

func (r *runner) nicPairCommand() *cli.Command {
	p, flags := r.blockFlags()
	var names []string
	var list strings.Builder
	for _, n := range pairNICs {
		names = append(names, n.name)
		fmt.Fprintf(&list, "   %s\t%s\n", n.name, n.what)
	}
	return &cli.Command{
		Name:      "nic pair",
		Usage:     "two NICs with hosts, and a network of several paths between",
		ArgsUsage: strings.Join(pair.Names, "|"),
		Description: "Two hosts with RoCEv2 connections, each behind the RTL of nic_transport, and two switches with\n" +
			"several paths between them: real frames, with their checksums, all the way round. Golden models run\n" +
			"beside both blocks, and each cycle is compared. The hosts check each ICRC and each byte of payload;\n" +
			"each frame is accounted for.\n\n" +
			"   failure\tone of eight paths fails, and is repaired\n" +
			"   burst\tseven flows join one, on a path of 25 Gb/s\n\n" +
			"What a scenario runs with is told by --nic:\n\n" + list.String() + "\n" +
			"Examples:\n" +
			"   nicgen nic pair failure --svg build/failure.svg\n" +
			"   nicgen nic pair burst --nic int --captures build/burst",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "nic", Usage: "run with each NIC of a `LIST` of " + strings.Join(names, ", ") + "; without it, with those that fit the scenario"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "of everything random, a `NUMBER`"},
			clockFlag(),
			&cli.StringFlag{Name: "csv", Usage: "write the samples as CSV to `FILE`, - for standard output", TakesFile: true},
			&cli.StringFlag{Name: "svg", Usage: "draw the runs to `FILE`, - for standard output", TakesFile: true},
			&cli.StringFlag{Name: "json", Usage: "write the results as JSON to `FILE`, - for standard output", TakesFile: true},
			&cli.StringFlag{Name: "captures", Usage: "write a capture of each NIC's wire into `FOLDER`, which must not be there", TakesFile: true},
		}, flags...),
		Action: func(c *cli.Context) error { return r.nicPair(c, p) },
	}
}

// pairLoop is a run.
type pairLoop struct {
	Scenario string       `json:"scenario"`
	Seed     uint64       `json:"seed"`
	NIC      string       `json:"nic"`
	Cycles   [2]uint64    `json:"cycles"`   // of the blocks
	Failures uint64       `json:"failures"` // that reached host 0's path unit
	Result   *pair.Result `json:"result"`
}

func (r *runner) nicPair(c *cli.Context, flags *parameters) error {
	name, err := oneArgument(c, strings.Join(pair.Names, " or "))
	if err != nil {
		return err
	}
	if !pair.Known(name) {
		return usagef("nic pair: found %q%s, allowed: %s", name, nearest(name, pair.Names), strings.Join(pair.Names, ", "))
	}
	p, err := flags.block(c)
	if err != nil {
		return err
	}
	period, err := clockOf(c)
	if err != nil {
		return err
	}
	wanted := pairDefaults[name]
	if c.IsSet("nic") {
		wanted = strings.Split(c.String("nic"), ",")
	}
	for _, f := range []string{"csv", "svg", "json"} {
		if err := checkFile("--"+f, c.String(f)); err != nil {
			return err
		}
	}
	folder := c.String("captures")
	if folder != "" {
		if _, err := os.Lstat(folder); err == nil {
			return usagef("--captures: %s is there already: remove it, or choose another name", folder)
		}
	}
	show := r.progress("nic pair "+name, "ns")
	defer show.close()
	var loops []pairLoop
	for i, n := range wanted {
		at := slices.IndexFunc(pairNICs, func(x pairNIC) bool { return x.name == strings.TrimSpace(n) })
		if at < 0 {
			var names []string
			for _, x := range pairNICs {
				names = append(names, x.name)
			}
			return usagef("--nic: found %q%s, allowed: %s", n, nearest(n, names), strings.Join(names, ", "))
		}
		sc, err := pair.New(name, c.Uint64("seed"))
		if err != nil {
			return err
		}
		o := pair.Options{Capture: folder != "", Progress: func(done, total uint64) { show.set(i, done, total) }}
		l, err := r.runPair(c.Context, p, at, sc, o, rtl.Options{Period: period, Seed: c.Uint64("seed"), Profile: pairNICs[at].profile})
		var fault *nictransport.Fault
		if errors.As(err, &fault) {
			_, err := fmt.Fprintf(r.out, "FAIL nic pair %s, %s: %v\n  repeat it with: %s\n", name, n, err, r.command())
			return errors.Join(err, errFound)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", n, err)
		}
		show.set(i, sc.End, sc.End)
		loops = append(loops, *l)
	}
	if err := r.printPair(loops); err != nil {
		return err
	}
	if folder != "" {
		if err := r.pairCaptures(c.Context, folder, loops); err != nil {
			return err
		}
	}
	var runs []plot.PairRun
	for _, l := range loops {
		runs = append(runs, plot.PairRun{Label: l.NIC, Result: l.Result})
	}
	return r.writeAll(c, []resultFile{
		{"csv", func() ([]byte, error) {
			var b bytes.Buffer
			err := plot.CSVPair(&b, runs)
			return b.Bytes(), err
		}},
		{"svg", func() ([]byte, error) {
			if name == "failure" {
				return plot.PairFailure(runs)
			}
			return plot.PairBurst(runs)
		}},
		{"json", func() ([]byte, error) { return marshal(loops) }},
	})
}

// runPair makes the NICs and runs the scenario.
func (r *runner) runPair(ctx context.Context, base *params.Params, which int, sc *pair.Scenario, o pair.Options, ro rtl.Options) (l *pairLoop, err error) {
	kind := pairNICs[which]
	l = &pairLoop{Scenario: sc.Name, Seed: sc.Seed, NIC: kind.name}
	if kind.set == "" {
		l.Result, err = pair.Run(ctx, sc, [2]pair.NIC{&pair.Plain{}, &pair.Plain{}}, o)
		return l, err
	}
	p := *base
	if err := gen.Configure(&p, kind.set); err != nil {
		return nil, err
	}
	lib, err := r.buildBlock(ctx, &p, "")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lib.Close()) }()
	var nics [2]*rtl.NIC
	for host := range nics {
		check, err := nictransport.New(&p, lib.Layout())
		if err != nil {
			return nil, err
		}
		n, err := rtl.New(ctx, lib, &p, check, sc, host, ro)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, n.Close()) }()
		nics[host] = n
	}
	o.Window = nics[0].Window
	if l.Result, err = pair.Run(ctx, sc, [2]pair.NIC{nics[0], nics[1]}, o); err != nil {
		return nil, err
	}
	l.Failures = nics[0].Failures()
	for host, n := range nics {
		if err := n.End(); err != nil {
			return nil, fmt.Errorf("NIC %d: %w", host, err)
		}
		l.Cycles[host] = n.Cycle()
	}
	return l, nil
}

func (r *runner) printPair(loops []pairLoop) error {
	var b strings.Builder
	sc := loops[0].Result.Scenario
	fmt.Fprintf(&b, "%s: %s; seed %d\n", sc.Name, sc.Title, sc.Seed)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(cells ...string) { fmt.Fprintln(w, strings.Join(cells, "\t")+"\t") }
	n := func(x uint64) string { return fmt.Sprint(x) }
	f := func(x float64) string { return fmt.Sprintf("%.1f", x) }
	head := []string{"NIC", "frames", "dropped", "ACKs", "dropped", "sent again", "timeouts", "payload MB", "Gb/s before", "Gb/s after", "message µs", "slowest"}
	failed := slices.IndexFunc(sc.Paths, func(l pair.Link) bool { return l.Fails < l.Repaired })
	if failed >= 0 {
		head = append(head, "failed path %: before", "while down", "failures")
	} else {
		head = append(head, "queue KB: before", "peak", "later", "below 50 KB after µs")
	}
	row(head...)
	for _, l := range loops {
		x := l.Result
		drops := func(host int) string {
			var parts []string
			for _, why := range pair.Reasons {
				if k := x.Hosts[host].Dropped[why]; k > 0 {
					parts = append(parts, fmt.Sprintf("%d %s", k, why))
				}
			}
			if parts == nil {
				return "0"
			}
			return strings.Join(parts, ", ")
		}
		var again, timeouts, bytes uint64
		var median, slowest float64
		for _, q := range x.Flows {
			again, timeouts, bytes = again+q.Again, timeouts+q.Timeouts, bytes+q.Bytes
			median += q.Median / float64(len(x.Flows))
			slowest = max(slowest, q.Slowest)
		}
		until := sc.Repair // of what happens after the event
		if failed < 0 {
			until = sc.Stop
		}
		later := sc.Event + (until-sc.Event)/2
		cells := []string{l.NIC, n(x.Hosts[0].Sent), drops(0), n(x.Hosts[1].Sent), drops(1), n(again), n(timeouts), f(float64(bytes) / 1e6),
			f(x.Goodput(sc.Event/2, sc.Event)), f(x.Goodput(later, until)), f(median / 1000), f(slowest / 1000)}
		if failed >= 0 {
			cells = append(cells, f(100*x.Share(failed, sc.Event/2, sc.Event)), f(100*x.Share(failed, later, until)), n(l.Failures))
		} else {
			peak, _ := x.Peak(0, sc.Event, sc.Stop)
			below := "–"
			if at, ok := x.Below(0, 50_000, sc.Event, sc.Stop); ok {
				below = fmt.Sprintf("%.0f", float64(at-sc.Event)/1000)
			}
			cells = append(cells, f(x.MeanQueue(0, sc.Event/2, sc.Event)/1000), f(float64(peak)/1000), f(x.MeanQueue(0, later, until)/1000), below)
		}
		row(cells...)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, l := range loops {
		if l.Cycles[0] > 0 {
			fmt.Fprintf(&b, "%s: %d cycles of each block, each equal in RTL and golden model\n", l.NIC, min(l.Cycles[0], l.Cycles[1]))
		}
	}
	fmt.Fprintf(&b, "each frame is accounted for; before: %d to %d ns, after: the half before %d ns\n", sc.Event/2, sc.Event, map[bool]uint64{true: sc.Repair, false: sc.Stop}[failed >= 0])
	_, err := r.out.Write([]byte(b.String()))
	return err
}

// pairCaptures writes a capture of each NIC of each run.
func (r *runner) pairCaptures(ctx context.Context, folder string, loops []pairLoop) (err error) {
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(folder)), 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(filepath.Clean(folder)), ".nicgen-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(tmp)
		}
	}()
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	for _, l := range loops {
		for host, list := range l.Result.Captures {
			var b bytes.Buffer
			if err := capture.WritePcapng(&b, capture.Merge(list)); err != nil {
				return err
			}
			name := fmt.Sprintf("%s-%s-%d.pcapng", l.Scenario, l.NIC, host)
			if err := os.WriteFile(filepath.Join(tmp, name), b.Bytes(), 0o644); err != nil {
				return err
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return os.Rename(tmp, folder)
}
