// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	encodinghex "encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/evidence/pages"
	"github.com/nicgen/nicgen/internal/registers/load"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/tshark"
	"github.com/nicgen/nicgen/sim/device"
	"github.com/nicgen/nicgen/sim/plot"
	"github.com/nicgen/nicgen/sim/scenario/pair"
	"github.com/nicgen/nicgen/sim/scenario/pair/rtl"
	nictransport "github.com/nicgen/nicgen/tb/nic_transport"
)

// pairNIC is a NIC of nic pair.
type pairNIC struct {
	name    string
	set     string // settings of the block's configuration; empty: no block, a NIC that changes nothing
	profile device.Profile
	what    string
}

// pairNICs lists the NICs that nic pair offers.
var pairNICs = []pairNIC{
	{"plain", "", asMade(device.Profile{}), "no block: the hosts' own source ports"},
	{"spray", "path=spray window=none", asMade(device.Profile{Queue: true, Path: true, EchoTX: true, EchoRX: true}), "a random path for each packet"},
	{"reps", "path=reps window=none", asMade(device.Profile{Queue: true, Path: true, EchoTX: true, EchoRX: true}), "REPS, by the ACKs' echo"},
	{"lists", "path=reps window=none list=16", asMade(device.Profile{Queue: true, Path: true, Feedback: true}), "REPS, by lists of feedback"},
	{"plb", "path=plb window=none", asMade(device.Profile{Queue: true, Path: true, EchoTX: true, EchoRX: true}), "PLB: a new path for a connection that is congested or timed out"},
	{"laps", "path=laps window=none", asMade(device.Profile{Queue: true, Path: true, Telemetry: true}), "LAPS: paths by their latencies, and a rate for each connection"},
	{"theta", "path=none window=powertcp telemetry=theta", asMade(device.Profile{Queue: true, EchoTX: true, EchoRX: true, Window: true}), "θ-PowerTCP's windows"},
	{"int", "path=none window=powertcp telemetry=int", asMade(device.Profile{Queue: true, EchoTX: true, EchoRX: true, Window: true, Telemetry: true}), "PowerTCP's windows, by telemetry"},
}

// asMade returns the profile with DSCP and ECN left as the host made them.
func asMade(p device.Profile) device.Profile {
	p.DSCP, p.ECN = -1, -1
	return p
}

// pairDefaults lists the NICs that each scenario compares.
var pairDefaults = map[string][]string{
	"failure": {"plain", "plb", "spray", "reps", "lists", "laps"},
	"burst":   {"plain", "theta", "int"},
	"share":   {"plain", "plb", "spray", "reps", "laps"},
}

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
		Usage:     "simulate two NICs with hosts, and a multipath network between them",
		ArgsUsage: strings.Join(pair.Names, "|"),
		Description: "Two hosts with RoCEv2 connections, each behind the RTL of nic_transport, and two switches with\n" +
			"several paths between them. Frames are real, with checksums, all the way. Golden models run\n" +
			"alongside both blocks and compare every frame, traced event and completion; order and time, rates and\n" +
			"drops of full queues are the RTL's. The hosts check each ICRC and each byte of payload; each frame is\n" +
			"accounted for.\n\n" +
			"   failure\tone of eight paths fails, and is repaired\n" +
			"   burst\tseven flows join one, on a path of 25 Gb/s\n" +
			"   share\tfour paths of different lengths; other traffic loads the shortest one for a while\n\n" +
			"--nic selects the NICs of a scenario:\n\n" + list.String() + "\n" +
			"Examples:\n" +
			"   nicgen nic pair failure --svg build/failure.svg\n" +
			"   nicgen nic pair burst --nic int --captures build/burst\n" +
			"   nicgen nic pair share --nic laps --tables tables.yaml",
		Flags: append([]cli.Flag{
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "nic", Usage: "run with each NIC of a `LIST` of " + strings.Join(names, ", ") + "; default: those that fit the scenario"}, choices: names, several: true},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the random seed, a `NUMBER`"},
			clockFlag(),
			&cli.StringFlag{Name: "tables", Usage: "set up blocks with LAPS from a `FILE` of path tables, described in docs/registers.md, for one destination whose anchors are path numbers; default: the scenario's tables", TakesFile: true},
			&cli.StringFlag{Name: "record", Usage: "write the printed tables as JSON, for docs/nic_pair.md, to `FILE`, - for standard output", TakesFile: true},
			&cli.StringFlag{Name: "csv", Usage: "write the samples as CSV to `FILE`, - for standard output", TakesFile: true},
			&cli.StringFlag{Name: "svg", Usage: "draw the runs to `FILE`, - for standard output", TakesFile: true},
			jsonFlag("the results", ""),
			&cli.StringFlag{Name: "captures", Usage: "write a capture of each NIC's wire into `FOLDER`, which must not exist, and print what tshark reads in them", TakesFile: true},
		}, flags...),
		Action: func(c *cli.Context) error { return r.nicPair(c, p) },
	}
}

// pairLoop is one run of a scenario with one NIC.
type pairLoop struct {
	Scenario string       `json:"scenario"`
	Seed     uint64       `json:"seed"`
	NIC      string       `json:"nic"`
	Cycles   [2]uint64    `json:"cycles"`   // of the blocks
	Failures uint64       `json:"failures"` // that reached host 0's path unit
	Result   *pair.Result `json:"result"`

	compared string // the outputs compared for each block; empty without a block
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
	for _, f := range []string{"csv", "svg", "json", "record"} {
		if err := checkFile("--"+f, c.String(f)); err != nil {
			return err
		}
	}
	folder := c.String("captures")
	if folder != "" {
		if _, err := os.Lstat(folder); err == nil {
			return usagef("--captures: %s already exists: remove it, or choose another name", folder)
		}
	}
	var tables *load.File
	if c.IsSet("tables") {
		if tables, err = load.Read(c.String("tables")); err != nil {
			return usagef("--tables: %v", err)
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
		l, err := r.runPair(c.Context, p, at, sc, o, rtl.Options{Period: period, Seed: c.Uint64("seed"), Profile: pairNICs[at].profile, Tables: tables})
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
	record := pairRecord(loops)
	record.Command = r.command()
	if folder != "" {
		if err := r.pairCaptures(c.Context, folder, loops); err != nil {
			return err
		}
		t, err := openCaptures(c.Context, folder, loops)
		var missing *tool.Missing
		switch {
		case errors.As(err, &missing):
			record.Note = fmt.Sprintf("tshark did not read the captures: %v", err)
		case err != nil:
			return err
		default:
			record.Tables = append(record.Tables, *t)
		}
	}
	if err := r.printPair(loops, record); err != nil {
		return err
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
			switch name {
			case "failure":
				return plot.PairFailure(runs)
			case "share":
				return plot.PairShare(runs)
			}
			return plot.PairBurst(runs)
		}},
		{"record", func() ([]byte, error) { return marshal([]pages.Pair{*record}) }},
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
	l.compared = nictransport.Compared(&p)
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
	rtl.Together(nics[:]...)
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

// pairRecord returns the printed tables: a row for each run, and for share also a row for
// each path.
func pairRecord(loops []pairLoop) *pages.Pair {
	sc := loops[0].Result.Scenario
	rec := &pages.Pair{Scenario: sc.Name, Title: sc.Title, Seed: sc.Seed}
	n := func(x uint64) string { return fmt.Sprint(x) }
	f := func(x float64) string { return fmt.Sprintf("%.1f", x) }
	head := []string{"NIC", "frames", "dropped", "ACKs", "dropped", "sent again", "timeouts", "payload MB", "Gb/s before", "Gb/s after", "message µs", "slowest"}
	failed := slices.IndexFunc(sc.Paths, func(l pair.Link) bool { return l.Fails < l.Repaired })
	loaded := slices.IndexFunc(sc.Paths, func(l pair.Link) bool { return l.Load.Share > 0 })
	until := sc.Repair // the end of the window after the event
	switch {
	case failed >= 0:
		head = append(head, "failed path %: before", "while down", "failures", "probes")
	case loaded < 0:
		head = append(head, "queue KB: before", "peak", "later", "below 50 KB after µs")
		until = sc.Stop
	}
	later := sc.Event + (until-sc.Event)/2
	rec.Before, rec.After = [2]uint64{sc.Event / 2, sc.Event}, [2]uint64{later, until}
	main := pages.PairTable{Head: head}
	paths := pages.PairTable{Head: []string{"NIC", "path", "share % before", "latency µs", "by the latencies %", "share % while loaded", "latency µs", "by the latencies %", "probes"}}
	for _, l := range loops {
		x := l.Result
		drops := func(host int) string {
			var parts []string
			for _, why := range pair.Reasons {
				if k := x.Hosts[host].Dropped[why]; k > 0 {
					parts = append(parts, fmt.Sprintf("%d %s", k, why))
				}
			}
			if k := x.Hosts[host].Refused; k > 0 {
				parts = append(parts, fmt.Sprintf("%d by the NIC", k))
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
		cells := []string{l.NIC, n(x.Hosts[0].Sent), drops(0), n(x.Hosts[1].Sent), drops(1), n(again), n(timeouts), f(float64(bytes) / 1e6),
			f(x.Goodput(sc.Event/2, sc.Event)), f(x.Goodput(later, until)), f(median / 1000), f(slowest / 1000)}
		switch {
		case failed >= 0:
			cells = append(cells, f(100*x.Share(failed, sc.Event/2, sc.Event)), f(100*x.Share(failed, later, until)), n(l.Failures), n(x.Forward[failed].Probes))
		case loaded < 0:
			peak, _ := x.Peak(0, sc.Event, sc.Stop)
			below := "–"
			if at, ok := x.Below(0, 50_000, sc.Event, sc.Stop); ok {
				below = fmt.Sprintf("%.0f", float64(at-sc.Event)/1000)
			}
			cells = append(cells, f(x.MeanQueue(0, sc.Event/2, sc.Event)/1000), f(float64(peak)/1000), f(x.MeanQueue(0, later, until)/1000), below)
		}
		main.Rows = append(main.Rows, cells)
		if loaded < 0 {
			continue
		}
		before, after := rtl.Weights(x, sc.Event/2, sc.Event), rtl.Weights(x, later, until)
		for p := range sc.Paths {
			by := []string{"–", "–"}
			if l.NIC == "laps" {
				by = []string{f(100 * before[p]), f(100 * after[p])}
			}
			paths.Rows = append(paths.Rows, []string{l.NIC, n(uint64(p)), f(100 * x.Share(p, sc.Event/2, sc.Event)), f(x.Latency(p, sc.Event/2, sc.Event) / 1000), by[0],
				f(100 * x.Share(p, later, until)), f(x.Latency(p, later, until) / 1000), by[1], n(x.Forward[p].Probes)})
		}
	}
	rec.Tables = []pages.PairTable{main}
	if loaded >= 0 {
		rec.Tables = append(rec.Tables, paths)
	}
	return rec
}

func (r *runner) printPair(loops []pairLoop, rec *pages.Pair) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s; seed %d\n", rec.Scenario, rec.Title, rec.Seed)
	for _, t := range rec.Tables {
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
		for _, row := range append([][]string{t.Head}, t.Rows...) {
			fmt.Fprintln(w, strings.Join(row, "\t")+"\t")
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	for _, l := range loops {
		if l.Cycles[0] > 0 {
			fmt.Fprintf(&b, "%s: %d cycles of each block; %s\n", l.NIC, min(l.Cycles[0], l.Cycles[1]), l.compared)
		}
	}
	fmt.Fprintf(&b, "each frame is accounted for; before: %d to %d ns, after: the half before %d ns\n", rec.Before[0], rec.Before[1], rec.After[1])
	if rec.Note != "" {
		fmt.Fprintln(&b, rec.Note)
	}
	_, err := r.out.Write([]byte(b.String()))
	return err
}

func captureName(l *pairLoop, host int) string {
	return fmt.Sprintf("%s-%s-%d.pcapng", l.Scenario, l.NIC, host)
}

// openCaptures returns what tshark reads in the captures of the runs.
func openCaptures(ctx context.Context, folder string, loops []pairLoop) (*pages.PairTable, error) {
	t := &pages.PairTable{Head: []string{"capture, as tshark reads it", "frames", "malformed", "RoCEv2: requests", "their source ports", "with CE", "ACKs, NAKs", "with BECN", "lists of feedback", "frames with a shim"}}
	for i := range loops {
		for host := range 2 {
			name := captureName(&loops[i], host)
			rows, err := tshark.Fields(ctx, filepath.Join(folder, name), []string{"_ws.malformed", "eth.type", "udp.srcport", "ip.dsfield.ecn", "infiniband.bth.opcode", "infiniband.bth"})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			var malformed, requests, ce, acks, becn, lists, shims int
			ports := map[string]bool{}
			count := func(n *int, on bool) {
				if on {
					*n++
				}
			}
			for _, r := range rows {
				count(&malformed, r[0] != "")
				count(&shims, r[1] == "0x88b5")
				op, err := strconv.Atoi(r[4])
				if err != nil {
					continue
				}
				switch o := roce.Opcode(op); {
				case o.Request():
					requests++
					ports[r[2]] = true
					count(&ce, r[3] == "3")
				case o == roce.Acknowledge:
					acks++
					b, err := encodinghex.DecodeString(r[5])
					count(&becn, err == nil && len(b) == 12 && b[4]&0x40 != 0)
				case o == roce.Feedback:
					lists++
				}
			}
			row := []string{name}
			for _, n := range []int{len(rows), malformed, requests, len(ports), ce, acks, becn, lists, shims} {
				row = append(row, strconv.Itoa(n))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t, nil
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
			if err := os.WriteFile(filepath.Join(tmp, captureName(&l, host)), b.Bytes(), 0o644); err != nil {
				return err
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return os.Rename(tmp, folder)
}
