// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
	"github.com/nicgen/nicgen/sim/replay"
	tb "github.com/nicgen/nicgen/tb/bench"
	nictransport "github.com/nicgen/nicgen/tb/nic_transport"
)

// blockFlags returns the flags that set the block's configuration.
func (r *runner) blockFlags() (*parameters, []cli.Flag) {
	units := withUnits([]registry.Unit{{New: params.New}})
	p, flags := units.parameterFlags("nic replay")
	// The block is the only unit.
	return p, slices.DeleteFunc(flags, func(f cli.Flag) bool { return f.Names()[0] == "unit" })
}

// block returns the configuration that the flags select.
func (p *parameters) block(c *cli.Context) (*params.Params, error) {
	list, err := p.resolve(c)
	if err != nil {
		return nil, err
	}
	return list[0].Config.(*params.Params), nil
}

// build compiles the block, with support for a kind of waveform if one is named.
func (r *runner) buildBlock(ctx context.Context, p *params.Params, trace string) (*cosim.Library, error) {
	src, err := tb.Source(p)
	if err != nil {
		return nil, err
	}
	return cosim.Build(ctx, src, cosim.BuildOptions{Trace: trace, Status: func(what string) { r.log.Debug(what) }})
}

// clocks maps the values of --clock to the block's clock periods.
var clocks = map[string]agenda.Instant{"250": device.Period250, "322": device.Period322}

func clockFlag() cli.Flag {
	return &choiceFlag{StringFlag: &cli.StringFlag{Name: "clock", Value: "250", Usage: "the block's clock, `MHZ`: 250, or 322 for 322.265625"}, choices: slices.Sorted(maps.Keys(clocks))}
}

func clockOf(c *cli.Context) (agenda.Instant, error) {
	t, ok := clocks[c.String("clock")]
	if !ok {
		return 0, usagef("--clock: found %q, allowed: 250, 322", c.String("clock"))
	}
	return t, nil
}

// actions lists what a profile can enable for connections.
var actions = []string{"queue", "path", "flow", "echo-tx", "echo-rx", "feedback", "window", "telemetry"}

// profileOf parses a list of actions.
func profileOf(list string) (device.Profile, error) {
	p := device.Profile{DSCP: -1, ECN: -1}
	for _, n := range strings.Split(list, ",") {
		switch n = strings.TrimSpace(n); n {
		case "":
		case "queue":
			p.Queue = true
		case "path":
			p.Path = true
		case "flow":
			p.Flow = true
		case "echo-tx":
			p.EchoTX = true
		case "echo-rx":
			p.EchoRX = true
		case "feedback":
			p.Feedback = true
		case "window":
			p.Window = true
		case "telemetry":
			p.Telemetry = true
		default:
			return p, usagef("--actions: found %q%s, allowed: %s", n, nearest(n, actions), strings.Join(actions, ", "))
		}
	}
	return p, nil
}

func (r *runner) nicReplayCommand() *cli.Command {
	p, flags := r.blockFlags()
	return &cli.Command{
		Name:      "nic replay",
		Usage:     "send a capture through the RTL of the block nic_transport",
		ArgsUsage: "CAPTURE…",
		Description: "Sends the frames of captures (pcap or pcapng, plain or gzip) through the RTL of nic_transport:\n" +
			"sent frames enter on the host side, received frames on the wire side. Its golden model\n" +
			"runs alongside and compares every frame, traced event and completion; order and time, rates and drops\n" +
			"of full queues are the RTL's. Each frame that leaves is also compared with the one that entered: no\n" +
			"byte may differ except in the fields that the block may edit, and correct checksums must stay\n" +
			"correct.\n\n" +
			"The RC, XRC and UC connections are found in the captures. The frames that the host sent are known from\n" +
			"pcapng itself, from --mac, --sent, --came, --tx-interface and --rx-interface, or from the one MAC address\n" +
			"that all RoCEv2 frames have. All other frames came from the wire. Interfaces without a frame\n" +
			"from or to that address, and those that are not Ethernet, are left out; --interface selects others.\n\n" +
			"Frames stay in file order, even if the recorder's clock was set back. The output counts the frames left\n" +
			"out, and the differences from the recording.\n\n" +
			"Examples:\n" +
			"   nicgen nic traffic --out build/a.pcapng\n" +
			"   nicgen nic replay build/a.pcapng --out build/b.pcapng --report\n" +
			"   nicgen nic replay --sent tx.pcap --came rx.pcap --out b.pcap --path reps",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "the `FILE` to write, .pcapng or .pcap, with all frames that left; must not exist", TakesFile: true},
			&cli.StringFlag{Name: "out-tx", Usage: "a `FILE` for the frames that left to the wire", TakesFile: true},
			&cli.StringFlag{Name: "out-rx", Usage: "a `FILE` for the frames that left to the host", TakesFile: true},
			&cli.BoolFlag{Name: "report", DisableDefaultText: true, Usage: "print the number of frames edited, dropped and made, and their latencies"},
			&cli.StringSliceFlag{Name: "sent", Usage: "a capture `FILE` of frames that the host sent; may be repeated", TakesFile: true},
			&cli.StringSliceFlag{Name: "came", Usage: "a capture `FILE` of frames that came from the wire; may be repeated", TakesFile: true},
			&cli.StringFlag{Name: "mac", Usage: "the NIC's MAC `ADDRESS`"},
			&cli.StringSliceFlag{Name: "interface", Usage: "replay only frames of the interface with this `NAME` or number; may be repeated"},
			&cli.StringSliceFlag{Name: "tx-interface", Usage: "`NAME` or number of the pcapng interface of frames that the host sent; may be repeated"},
			&cli.StringSliceFlag{Name: "rx-interface", Usage: "`NAME` or number of the pcapng interface of frames that came from the wire; may be repeated"},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "actions", Value: "queue,path,echo-tx", Usage: "enable a `LIST` of the block's functions for connections: " + strings.Join(actions, ", ")}, choices: actions, several: true},
			&cli.StringFlag{Name: "do", Hidden: true}, // the earlier name of --actions
			&cli.IntFlag{Name: "dscp", Value: -1, Usage: "DSCP of the connections' data, a `NUMBER`; -1: unchanged"},
			&cli.IntFlag{Name: "ecn", Value: -1, Usage: "ECN field of the connections' data, a `NUMBER`; -1: unchanged"},
			&cli.Float64Flag{Name: "mbps", Usage: "the rate of each connection, `MBPS`; 0: not paced"},
			&cli.UintFlag{Name: "cwnd", Usage: "the initial window of each connection, `BYTES`; 0: the unit's setting"},
			clockFlag(),
			&cli.BoolFlag{Name: "line-rate", DisableDefaultText: true, Usage: "send frames back to back instead of at the captures' times"},
			&cli.DurationFlag{Name: "max-gap", Value: 10 * time.Second, Usage: "the longest `TIME` between two frames; longer gaps are shortened to it; 0s: keep all gaps"},
			&cli.DurationFlag{Name: "drain", Value: 20 * time.Millisecond, Usage: "the `TIME` after the last frame for queues to drain"},
			&cli.Float64Flag{Name: "stall", Usage: "`PROBABILITY` per cycle that the host does not take a beat"},
			&cli.Float64Flag{Name: "idle", Usage: "`PROBABILITY` per cycle that host or wire offers no beat although a frame is waiting"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of the path unit and of --stall and --idle, a `NUMBER`"},
			&cli.StringFlag{Name: "wave", Usage: "if there is a difference, write a waveform of the 1,000 cycles before it to `FILE`, .fst or .vcd", TakesFile: true},
		}, flags...),
		Action: func(c *cli.Context) error { return r.nicReplay(c, p) },
	}
}

// outFile is a capture to write.
type outFile struct {
	flag string
	of   capture.Direction // Unknown: both
}

var replayOut = []outFile{{"out", capture.Unknown}, {"out-tx", capture.TX}, {"out-rx", capture.RX}}

func (r *runner) nicReplay(c *cli.Context, flags *parameters) error {
	p, err := flags.block(c)
	if err != nil {
		return err
	}
	cfg := replay.Config{Params: p, Seed: c.Uint64("seed"), Stall: c.Float64("stall"), Idle: c.Float64("idle"), LineRate: c.Bool("line-rate"),
		Drain: uint64(c.Duration("drain").Nanoseconds()), Rate: c.Float64("mbps") / 8000, Window: uint32(c.Uint("cwnd"))}
	if cfg.Period, err = clockOf(c); err != nil {
		return err
	}
	list := c.String("actions")
	if c.IsSet("do") {
		list = c.String("do")
	}
	if cfg.Profile, err = profileOf(list); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		most int
		to   *int
	}{{"dscp", 63, &cfg.Profile.DSCP}, {"ecn", 3, &cfg.Profile.ECN}} {
		if *f.to = c.Int(f.name); *f.to < -1 || *f.to > f.most {
			return usagef("--%s: found %d, allowed: 0 to %d, or -1", f.name, *f.to, f.most)
		}
	}
	for n, v := range map[string]float64{"stall": cfg.Stall, "idle": cfg.Idle} {
		if !(v >= 0 && v <= 0.99) {
			return usagef("--%s: found %v, allowed: 0 to 0.99", n, v)
		}
	}
	if cfg.Rate < 0 || cfg.Rate > 50 {
		return usagef("--mbps: found %v, allowed: 0 to 400000", c.Float64("mbps"))
	}
	if c.Duration("drain") < 0 {
		return usagef("--drain: found %v, allowed: 0s or more", c.Duration("drain"))
	}
	wave := c.String("wave")
	kind := strings.TrimPrefix(filepath.Ext(wave), ".")
	if wave != "" && kind != "fst" && kind != "vcd" {
		return usagef("--wave %q: want a name that ends with .fst or .vcd", wave)
	}
	named := false
	for _, o := range replayOut {
		name := c.String(o.flag)
		if name == "" {
			continue
		}
		named = true
		if captureFormats[filepath.Ext(name)] == nil {
			return usagef("nic replay: --%s %q: want a name that ends with .pcapng or .pcap", o.flag, name)
		}
		if _, err := os.Lstat(name); err == nil {
			return fmt.Errorf("nic replay: %s already exists: remove it, or choose another name", name)
		}
	}
	if !named && !c.Bool("report") {
		return usagef("nic replay: neither --out nor --report, want at least one of them")
	}
	if c.Duration("max-gap") < 0 {
		return usagef("--max-gap: found %v, allowed: 0s or more", c.Duration("max-gap"))
	}
	packets, intake, err := readCaptures(c)
	if err != nil {
		return err
	}
	res, err := r.replayBlock(c.Context, p, cfg, packets, "")
	var differ *replay.Difference
	if errors.As(err, &differ) {
		fmt.Fprintf(r.out, "FAIL nic replay: %v\n", differ)
		fmt.Fprintf(r.out, "  %s; repeat it with: %s\n", plural(len(packets), "frame"), r.command())
		if wave != "" {
			cfg.TraceFrom = max(differ.Cycle, 1000) - 1000
			cfg.Trace = wave
			if _, err := r.replayBlock(c.Context, p, cfg, packets, kind); !errors.As(err, &differ) {
				return errors.Join(fmt.Errorf("the second run, for the waveform, did not differ: %w", err), errFound)
			}
			fmt.Fprintf(r.out, "  waveform: %s, from cycle %d on\n", wave, cfg.TraceFrom)
		}
		return errFound
	}
	if err != nil {
		return err
	}
	var written []string
	for _, o := range replayOut {
		name := c.String(o.flag)
		if name == "" {
			continue
		}
		list := res.Out
		if o.of != capture.Unknown {
			list = slices.DeleteFunc(slices.Clone(list), func(p capture.Packet) bool { return p.Dir != o.of })
		}
		var b bytes.Buffer
		err := captureFormats[filepath.Ext(name)](&b, list)
		if err == nil {
			err = c.Context.Err()
		}
		if err == nil {
			err = newFile(name, b.Bytes())
		}
		if err != nil {
			for _, w := range written {
				os.Remove(w)
			}
			return fmt.Errorf("nic replay: %w", err)
		}
		written = append(written, name)
	}
	if err := r.replayText(p, packets, &intake, res, c.Bool("report")); err != nil {
		return err
	}
	for _, w := range written {
		fmt.Fprintf(r.out, "wrote %s\n", w)
	}
	return nil
}

// command returns the command line of this run.
func (r *runner) command() string {
	return strings.Join(append([]string{"nicgen"}, r.args[1:]...), " ")
}

// replayBlock compiles the block and runs the packets through it.
func (r *runner) replayBlock(ctx context.Context, p *params.Params, cfg replay.Config, packets []capture.Packet, trace string) (res *replay.Result, err error) {
	show := r.progress("nic replay", "frames")
	defer show.close()
	cfg.Progress = func(done, total uint64) { show.set(0, done, total) }
	if cfg.Map, err = p.Map(); err != nil {
		return nil, err
	}
	if cfg.Library, err = r.buildBlock(ctx, p, trace); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, cfg.Library.Close()) }()
	if cfg.Checker, err = nictransport.New(p, cfg.Library.Layout()); err != nil {
		return nil, err
	}
	return replay.Run(ctx, packets, cfg)
}

// replayText prints the result of a replay.
func (r *runner) replayText(p *params.Params, in []capture.Packet, intake *capture.Intake, res *replay.Result, table bool) error {
	var b strings.Builder
	took := in[len(in)-1].Time.Sub(in[0].Time)
	fmt.Fprintf(&b, "%s in %v, %s found, %d set up; %d frames left in %v, %d cycles\n", plural(len(in), "frame"), took,
		plural(len(res.Conversations), "connection"), res.Opened, len(res.Out), time.Duration(res.Took), res.Cycles)
	fmt.Fprintf(&b, "%s\nframes are unchanged except for the edited fields\n", nictransport.Compared(p))
	intakeText(&b, intake)
	for _, l := range res.LeftOut {
		fmt.Fprintf(&b, "connection not set up: %s\n", l)
	}
	if res.Held > 0 {
		fmt.Fprintf(&b, "%s still in queues: see --drain\n", plural(res.Held, "packet"))
	}
	if table {
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
		row := func(cells ...string) { fmt.Fprintln(w, strings.Join(cells, "\t")+"\t") }
		head := []string{"", "in", "out", "edited", "gone", "made", "bad"}
		var used []replay.Edit // the others would be columns of zeros
		for _, e := range replay.Edits {
			if slices.ContainsFunc(res.Rows, func(x replay.Row) bool { return x.Edits[e] > 0 }) {
				used = append(used, e)
				head = append(head, string(e))
			}
		}
		row(append(head, "least ns", "median", "most")...)
		for _, x := range res.Rows {
			cells := []string{fmt.Sprintf("%s %s", x.Dir, x.Kind)}
			for _, n := range []int{x.In, x.Out, x.Edited, x.Gone, x.Made, x.Bad} {
				cells = append(cells, fmt.Sprint(n))
			}
			for _, e := range used {
				cells = append(cells, fmt.Sprint(x.Edits[e]))
			}
			if n := len(x.Latency); n > 0 {
				for _, t := range []agenda.Instant{x.Latency[0], x.Latency[n/2], x.Latency[n-1]} {
					cells = append(cells, fmt.Sprintf("%.0f", float64(t)/agenda.PS))
				}
			} else {
				cells = append(cells, "–", "–", "–")
			}
			row(cells...)
		}
		if err := w.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(&b, "times from a frame's first beat in to its first beat out")
		for _, n := range sorted(res.Drops) {
			fmt.Fprintf(&b, "dropped: %s %d\n", n, res.Drops[n])
		}
		for _, n := range sorted(res.Counters) {
			fmt.Fprintf(&b, "transport.%s %d\n", n, res.Counters[n])
		}
	}
	_, err := r.out.Write([]byte(b.String()))
	return err
}
