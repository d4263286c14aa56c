// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/registers/load"
	"github.com/nicgen/nicgen/sim/live"
	nictransport "github.com/nicgen/nicgen/tb/nic_transport"
)

// Choices of --block.
const (
	liveChecked = "checked"
	liveRTL     = "rtl"
	liveGolden  = "golden"
	liveNone    = "none"
)

// Choices of --network-clock.
const (
	liveWall      = "wall"
	liveBlockTime = "block"
)

var (
	liveBlocks  = []string{liveChecked, liveRTL, liveGolden, liveNone}
	liveLearns  = []string{live.LearnPerftest, live.LearnCM}
	liveChoices = []string{live.ByFlow, live.ByPort, live.ByFrame}
)

func (r *runner) nicLiveCommand() *cli.Command {
	p, flags := r.blockFlags()
	return &cli.Command{
		Name:  "nic live",
		Usage: "put two blocks and a network between two hosts that run in real time",
		Description: "Two hosts, such as virtual machines with Linux' own RoCE, exchange Ethernet frames through two\n" +
			"instances of the RTL of nic_transport and a network of several paths between them. A port to a host\n" +
			"is udp:LISTEN,SEND, a frame in each datagram, as QEMU's -netdev dgram has it; stream:LISTEN, a TCP port\n" +
			"for QEMU's -netdev stream, which loses no frame of a burst; or tap:NAME, a TAP device of Linux. Each\n" +
			"cycle of both blocks is compared with golden models, and each frame is checked: ICRC, IPv4 checksum,\n" +
			"and that what leaves a block had entered it.\n\n" +
			"Connections are set up when the hosts tell each other about them: in the text that perftest's programs\n" +
			"exchange by TCP, or in RDMA-CM's REQ and REP. --load-a and --load-b load a file of connections instead,\n" +
			"as csr load does.\n\n" +
			"Runs until Ctrl-C, lets what is inside leave, and prints all counters. Exits with 1 if a block differs\n" +
			"from its golden model, if a frame is wrong or not accounted for. docs/nic_live.md describes a run.\n\n" +
			"Examples:\n" +
			"   nicgen nic live --block none\n" +
			"   nicgen nic live --paths 8 --connections 16 --rows 256\n" +
			"   nicgen nic live --a tap:nic-a --b tap:nic-b --path plb",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "a", Value: "udp:17001,17011", Usage: "the `PORT` to host A"},
			&cli.StringFlag{Name: "b", Value: "udp:17002,17012", Usage: "the `PORT` to host B"},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "block", Value: liveChecked, Usage: "`WHAT` is between a host and the network: checked, RTL and golden model; rtl, RTL alone, which is faster; golden, the model alone, whose events take no time and which needs no Verilator; none"}, choices: liveBlocks},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "learn", Value: strings.Join(liveLearns, ","), Usage: "open the connections that hosts tell each other in a `LIST` of perftest, cm; empty: none"}, choices: liveLearns, several: true},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "actions", Value: "queue,path,echo-tx,echo-rx", Usage: "enable a `LIST` of the block's functions for these connections: " + strings.Join(actions, ", ")}, choices: actions, several: true},
			&cli.IntFlag{Name: "dscp", Value: -1, Usage: "DSCP of their data, a `NUMBER`; -1: unchanged"},
			&cli.IntFlag{Name: "ecn", Value: -1, Usage: "ECN field of their data, a `NUMBER`; -1: unchanged. Linux sends 0, which nothing can mark"},
			&cli.Float64Flag{Name: "mbps", Usage: "their rate in the block's time, `MBPS`; 0: not paced"},
			&cli.UintFlag{Name: "cwnd", Usage: "their initial window, `BYTES`; 0: the unit's setting"},
			&cli.StringFlag{Name: "load", Usage: "load settings and tables into both blocks from `FILE`, as csr load does", TakesFile: true},
			&cli.StringFlag{Name: "load-a", Usage: "load a `FILE` into block A, also with connections", TakesFile: true},
			&cli.StringFlag{Name: "load-b", Usage: "load a `FILE` into block B, also with connections", TakesFile: true},
			&cli.IntFlag{Name: "paths", Value: 1, Usage: "`NUMBER` of paths in each direction"},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "choose", Value: live.ByFlow, Usage: "a frame's path is chosen by `WHAT`: flow, a hash as ECMP has it; port, source port and flow label modulo the number of paths; random"}, choices: liveChoices},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "network-clock", Value: liveWall, Usage: "`CLOCK` of the network's times and rates: wall, or block, whose time passes with the blocks' cycles and stops while nothing is inside"}, choices: []string{liveWall, liveBlockTime}},
			&cli.DurationFlag{Name: "delay", Value: 2 * time.Millisecond, Usage: "`TIME` that a frame takes by the first path; 1µs by default with --network-clock block"},
			&cli.DurationFlag{Name: "spread", Usage: "`TIME` that it takes longer by the last path; paths between are in equal steps"},
			&cli.DurationFlag{Name: "jitter", Usage: "random `TIME` in addition, of each frame: frames of a path may overtake each other"},
			&cli.IntFlag{Name: "dead", Value: -1, Usage: "`NUMBER` of a path that delivers no RoCEv2; -1: none"},
			&cli.Float64Flag{Name: "path-mbps", Usage: "rate of each path, `MBPS`; 0: any"},
			&cli.IntFlag{Name: "path-buffer", Usage: "`BYTES` that may wait for a path; 0: any"},
			&cli.IntFlag{Name: "path-mark", Usage: "mark frames while at least `BYTES` wait for their path; 0: never"},
			&cli.Float64Flag{Name: "drop", Usage: "`PROBABILITY` that a request or READ response is lost"},
			&cli.Float64Flag{Name: "drop-acks", Usage: "`PROBABILITY` that an ACK or NAK is lost"},
			&cli.Float64Flag{Name: "mark", Usage: "`PROBABILITY` that a request or READ response is marked (ECN)"},
			&cli.DurationFlag{Name: "cnp", Usage: "answer marks with CNPs, at most one for a connection in this `TIME`; 0s: no CNPs"},
			&cli.DurationFlag{Name: "host-gap", Value: 150 * time.Microsecond, Usage: "least `TIME` between two frames to a host, whose UDP socket holds few; 0s by default if neither port is udp"},
			&cli.DurationFlag{Name: "time", Usage: "stop after this `TIME`; 0s: at Ctrl-C"},
			&cli.DurationFlag{Name: "drain", Value: 2 * time.Second, Usage: "at the end, the `TIME` for what is inside to leave"},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "clock", Value: "100", Usage: "the block's clock, `MHZ`: 100, 250, or 322 for 322.265625. A cycle takes as long to simulate whatever it stands for"}, choices: []string{"100", "250", "322"}},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of the path units and of the network, a `NUMBER`"},
			&cli.StringFlag{Name: "captures", Usage: "write captures of both hosts' ports and both blocks' wires into `FOLDER`, which must not exist", TakesFile: true},
			jsonFlag("all counts", ""),
		}, flags...),
		Action: func(c *cli.Context) error { return r.nicLive(c, p) },
	}
}

// liveBlockDelay is the default of --delay in the blocks' time.
const liveBlockDelay = time.Microsecond

// liveNetwork returns the network that the flags describe.
func liveNetwork(c *cli.Context) (live.Network, error) {
	n := live.Network{Paths: c.Int("paths"), Choose: c.String("choose"), Delay: c.Duration("delay"), Spread: c.Duration("spread"), Jitter: c.Duration("jitter"),
		Dead: c.Int("dead"), Rate: c.Float64("path-mbps") / 8000, Buffer: c.Int("path-buffer"), MarkAt: c.Int("path-mark"),
		Drop: c.Float64("drop"), DropACK: c.Float64("drop-acks"), Mark: c.Float64("mark"), CNP: c.Duration("cnp")}
	if err := n.Check(); err != nil {
		return n, usagef("nic live: %v", err)
	}
	return n, nil
}

// liveSetup returns the setup of both blocks, without their RTL, and the queue pairs of the files' connections.
func liveSetup(c *cli.Context, p *params.Params) (setup [2]live.Setup, senders map[live.End]uint32, err error) {
	s := live.Setup{Params: p, Seed: c.Uint64("seed"), Rate: c.Float64("mbps") / 8000, Window: uint32(c.Uint("cwnd"))}
	if s.Profile, err = profileOf(c.String("actions")); err != nil {
		return setup, nil, err
	}
	for _, f := range []struct {
		name string
		most int
		to   *int
	}{{"dscp", 63, &s.Profile.DSCP}, {"ecn", 3, &s.Profile.ECN}} {
		if *f.to = c.Int(f.name); *f.to < -1 || *f.to > f.most {
			return setup, nil, usagef("--%s: found %d, allowed: 0 to %d, or -1", f.name, *f.to, f.most)
		}
	}
	if s.Rate < 0 || s.Rate > 50 {
		return setup, nil, usagef("--mbps: found %v, allowed: 0 to 400000", c.Float64("mbps"))
	}
	s.Period = live.Period
	if clock := c.String("clock"); clock != "100" {
		if s.Period, err = clockOf(c); err != nil {
			return setup, nil, err
		}
	}
	senders = map[live.End]uint32{}
	setup = [2]live.Setup{s, s}
	setup[1].Seed++
	for _, f := range []struct {
		flag string
		to   []int
	}{{"load", []int{0, 1}}, {"load-a", []int{0}}, {"load-b", []int{1}}} {
		if !c.IsSet(f.flag) {
			continue
		}
		x, err := load.Read(c.String(f.flag))
		if err != nil {
			return setup, nil, usagef("--%s: %v", f.flag, err)
		}
		if len(x.Connections) > 0 && len(f.to) > 1 {
			return setup, nil, usagef("--load: %s has connections, and each has two sides: want them in --load-a and --load-b", c.String(f.flag))
		}
		for _, side := range f.to {
			setup[side].Files = append(setup[side].Files, x)
		}
		for _, k := range x.Connections {
			if k.RemoteQP != nil && k.LocalQP != nil {
				senders[live.End{Addr: k.Address, QP: *k.RemoteQP}] = *k.LocalQP
			}
		}
	}
	return setup, senders, nil
}

func (r *runner) nicLive(c *cli.Context, flags *parameters) (result error) {
	if err := noArguments(c); err != nil {
		return err
	}
	p, err := flags.block(c)
	if err != nil {
		return err
	}
	block := c.String("block")
	if !slices.Contains(liveBlocks, block) {
		return usagef("--block: found %q%s, allowed: %s", block, nearest(block, liveBlocks), strings.Join(liveBlocks, ", "))
	}
	cfg := live.Config{Seed: c.Uint64("seed"), HostGap: c.Duration("host-gap"), Drain: c.Duration("drain")}
	if cfg.Network, err = liveNetwork(c); err != nil {
		return err
	}
	setup, senders, err := liveSetup(c, p)
	if err != nil {
		return err
	}
	cfg.Senders, cfg.Period = senders, setup[0].Period
	switch clock := c.String("network-clock"); {
	case clock == liveWall:
	case clock != liveBlockTime:
		return usagef("--network-clock: found %q, allowed: %s, %s", clock, liveWall, liveBlockTime)
	case block == liveNone:
		return usagef("nic live: --network-clock block, and --block none: want a block, or the wall clock")
	default:
		cfg.BlockTime = true
		if !c.IsSet("delay") {
			cfg.Network.Delay = liveBlockDelay
		}
	}
	if cfg.Learner, err = liveLearner(c, setup); err != nil {
		return err
	}
	for _, d := range []string{"host-gap", "time", "drain"} {
		if c.Duration(d) < 0 {
			return usagef("--%s: found %v, allowed: 0s or more", d, c.Duration(d))
		}
	}
	if err := checkFile("--json", c.String("json")); err != nil {
		return err
	}
	folder := c.String("captures")
	if folder != "" {
		if _, err := os.Lstat(folder); err == nil {
			return usagef("--captures: %s already exists: remove it, or choose another name", folder)
		}
	}
	for side, flag := range []string{"a", "b"} {
		if cfg.Ports[side], err = live.OpenPort(c.String(flag)); err != nil {
			return usagef("nic live: --%s: %v", flag, err)
		}
		defer cfg.Ports[side].Close()
	}
	if !c.IsSet("host-gap") && !strings.HasPrefix(c.String("a"), "udp:") && !strings.HasPrefix(c.String("b"), "udp:") {
		cfg.HostGap = 0
	}
	compared := ""
	switch block {
	case liveNone:
		cfg.NICs = [2]live.NIC{&live.Plain{}, &live.Plain{}}
	case liveGolden:
		for side, s := range setup {
			if len(s.Files) > 0 || s.Rate > 0 {
				return usagef("nic live: --block golden, with a file to load or a rate: want --block checked or rtl, as registers and the pacer are the RTL's")
			}
			if cfg.NICs[side], err = live.NewGolden(live.GoldenSetup{Params: p, Seed: s.Seed, Profile: s.Profile, Window: s.Window}); err != nil {
				return usagef("nic live: --block golden: %v", err)
			}
		}
	default:
		lib, err := r.buildBlock(c.Context, p, "")
		if err != nil {
			return err
		}
		defer func() { result = errors.Join(result, lib.Close()) }()
		if block == liveChecked {
			compared = nictransport.Compared(p)
		}
		var blocks [2]*live.Block
		for side := range cfg.NICs {
			b, err := liveBlock(c.Context, lib, setup[side], block == liveChecked)
			if err != nil {
				return fmt.Errorf("NIC %s: %w", live.Name(side), err)
			}
			defer b.Close()
			cfg.NICs[side], blocks[side] = b, b
		}
		live.Together(blocks[:]...)
	}
	if folder != "" {
		captures, err := live.NewCaptures(folder)
		if err != nil {
			return fmt.Errorf("--captures: %w", err)
		}
		defer func() { result = errors.Join(result, captures.Close()) }()
		cfg.Capture = captures.Put
	}
	cfg.Opened = func(l live.Learned) {
		a, b := l.Ends[0], l.Ends[1]
		r.log.Infof("nic live: %s: queue pair 0x%x of %v, PSN %d, and 0x%x of %v, PSN %d", l.By, a.QP, a.Addr, a.PSN, b.QP, b.Addr, b.PSN)
	}
	ctx := c.Context
	if d := c.Duration("time"); d > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, d)
		defer stop()
	}
	r.log.Infof("nic live: ready: host A at %v, host B at %v", cfg.Ports[0], cfg.Ports[1])
	res, err := live.Run(ctx, cfg)
	if res != nil {
		if c.String("json") != "-" {
			liveText(r.out, res, compared)
		}
		if c.String("json") != "" {
			err = errors.Join(err, writeJSON(r, c.String("json"), []*live.Result{res}))
		}
	}
	if errors.Is(err, live.ErrGolden) {
		fmt.Fprintf(r.out, "FAIL nic live: %v\n", err)
		return errFound
	}
	if err == nil && len(res.Faults) > 0 {
		return errFound
	}
	return err
}

// liveLearner returns the learner of connections, or nil.
func liveLearner(c *cli.Context, setup [2]live.Setup) (*live.Learner, error) {
	l := &live.Learner{}
	for _, n := range strings.Split(c.String("learn"), ",") {
		switch n = strings.TrimSpace(n); n {
		case "":
		case live.LearnPerftest:
			l.Perftest = true
		case live.LearnCM:
			l.CM = true
		default:
			return nil, usagef("--learn: found %q%s, allowed: %s", n, nearest(n, liveLearns), strings.Join(liveLearns, ", "))
		}
	}
	if !l.Perftest && !l.CM {
		return nil, nil
	}
	for _, s := range setup {
		if slices.ContainsFunc(s.Files, func(f *load.File) bool { return len(f.Connections) > 0 }) {
			if c.IsSet("learn") {
				return nil, usagef("nic live: --learn %s, and a file with connections: want one of them, as both fill the table of connections", c.String("learn"))
			}
			return nil, nil
		}
	}
	return l, nil
}

// liveBlock powers a block up.
func liveBlock(ctx context.Context, lib *cosim.Library, s live.Setup, checked bool) (*live.Block, error) {
	s.Library = lib
	if checked {
		check, err := nictransport.New(s.Params, lib.Layout())
		if err != nil {
			return nil, err
		}
		s.Checker = check
	}
	return live.NewBlock(ctx, s)
}

// liveText prints the counts of a run.
func liveText(out io.Writer, r *live.Result, compared string) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s; %s opened\n", r.Wall.Round(time.Millisecond), plural(len(r.Learned), "connection"))
	counts := func(m map[live.Kind]uint64) string {
		var parts []string
		for _, k := range live.Kinds {
			if m[k] > 0 {
				parts = append(parts, fmt.Sprintf("%s %d", k, m[k]))
			}
		}
		if parts == nil {
			return "none"
		}
		return strings.Join(parts, ", ")
	}
	for s := range r.Sides {
		x := &r.Sides[s]
		name := live.Name(s)
		fmt.Fprintf(&b, "%s from its host: %s\n", name, counts(x.FromHost))
		fmt.Fprintf(&b, "%s to the wire:   %s\n", name, counts(x.ToWire))
		fmt.Fprintf(&b, "%s from the wire: %s\n", name, counts(x.FromWire))
		fmt.Fprintf(&b, "%s to its host:   %s\n", name, counts(x.ToHost))
		if x.Unsent > 0 {
			fmt.Fprintf(&b, "%s: its port did not take %s\n", name, plural(int(x.Unsent), "frame"))
		}
	}
	w := &r.Wire
	for s := range w.Paths {
		fmt.Fprintf(&b, "frames from %s by path: %s; %d sent again\n", live.Name(s), strings.Trim(fmt.Sprint(w.Paths[s]), "[]"), w.Again[s])
	}
	fmt.Fprintf(&b, "entropy values %d, longest queue %.1f ms", w.Ports, w.LongestMS)
	for _, x := range []struct {
		n    uint64
		what string
	}{{w.Lost, "lost"}, {w.Full, "dropped by full paths"}, {w.Failed, "on the dead path"}, {w.NoPath, "of nonexistent paths"}, {w.Marked, "marked"},
		{w.NotECT, "not marked, as they are Not-ECT"}, {w.CNPs, "CNPs made"}, {w.Told, "with telemetry of a hop"}, {w.NoSender, "marks of unknown connections"}, {uint64(r.Flying), "on their way at the end"}} {
		if x.n > 0 {
			fmt.Fprintf(&b, ", %d %s", x.n, x.what)
		}
	}
	fmt.Fprintln(&b)
	for s := range r.Sides {
		n := r.Sides[s].NIC
		if n == nil || n.Cycles == 0 {
			continue
		}
		fmt.Fprintf(&b, "block %s: %d cycles, %.3f ms of its time, %d held, %d dropped\n", live.Name(s), n.Cycles, float64(n.TimeNS)/1e6, n.Held, n.Dropped)
		for _, k := range sorted(n.Registers) {
			fmt.Fprintf(&b, "  %s %d\n", k, n.Registers[k])
		}
	}
	for _, l := range r.LeftOut {
		fmt.Fprintf(&b, "connection not opened: %s\n", l)
	}
	if compared != "" {
		fmt.Fprintln(&b, compared)
	}
	if len(r.Faults) == 0 {
		fmt.Fprintln(&b, "every frame is accounted for, and its checksums are right")
	}
	for _, f := range r.Faults {
		fmt.Fprintf(&b, "FAULT %s: %d; the first: %s\n", f.What, f.Count, f.First)
	}
	fmt.Fprint(out, b.String())
}
