// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/follow"
	"github.com/nicgen/nicgen/packet/traffic"
)

var versions = map[string]traffic.Versions{"both": traffic.BothIP, "4": traffic.OnlyIPv4, "6": traffic.OnlyIPv6}

// captureFormats maps the extensions of file names to writers of captures.
var captureFormats = map[string]func(*bytes.Buffer, []capture.Packet) error{
	".pcapng": func(b *bytes.Buffer, p []capture.Packet) error { return capture.WritePcapng(b, p) },
	".pcap":   func(b *bytes.Buffer, p []capture.Packet) error { return capture.WritePcap(b, p) },
}

func (r *runner) nicCommand() *cli.Command {
	verbs := []string{"traffic", "replay", "fuzz", "pair", "live"}
	return &cli.Command{
		Name:      "nic",
		Usage:     "make captures of a NIC's packets, send them through the block, simulate two NICs and a network, put it between real hosts",
		ArgsUsage: "traffic|replay|fuzz|pair|live [ARGUMENT]…",
		Description: "   nicgen nic traffic     make a capture of RoCEv2 conversations on a wire\n" +
			"   nicgen nic replay      send a capture through the block's RTL\n" +
			"   nicgen nic fuzz        send crafted frames through the block's RTL\n" +
			"   nicgen nic pair        simulate two blocks, their hosts and a network\n" +
			"   nicgen nic live        put two blocks and a network between real hosts\n\n" +
			"`nicgen nic VERB --help` describes each.",
		Action: func(c *cli.Context) error {
			return usagef("nic: found %q%s, allowed: %s", strings.Join(c.Args().Slice(), " "), nearest(c.Args().First(), verbs), strings.Join(verbs, ", "))
		},
	}
}

// nicVerbs returns the commands of nic; the second word of each name is its verb.
func (r *runner) nicVerbs() []*cli.Command {
	list := []*cli.Command{r.nicTrafficCommand(), r.nicReplayCommand(), r.nicFuzzCommand(), r.nicPairCommand(), r.nicLiveCommand()}
	for _, c := range list {
		c.Hidden = true // the help of nic lists them
	}
	return list
}

func (r *runner) nicTrafficCommand() *cli.Command {
	d := traffic.Default()
	return &cli.Command{
		Name:  "nic traffic",
		Usage: "make a capture of RoCEv2 conversations on a NIC's wire",
		Description: "Writes a capture of RoCEv2 conversations as a NIC sees them on its wire: SEND, WRITE, READ\n" +
			"and atomics of RC, UC and UD connections, with ACKs, NAKs, CNPs and retransmissions; other\n" +
			"traffic and crafted packets between them. The same flags give the same file. Frames that leave\n" +
			"the NIC are on interface tx, the others on rx.\n\n" +
			"Examples:\n" +
			"   nicgen nic traffic --seed 7 --out build/a.pcapng\n" +
			"   nicgen nic traffic --loss 0 --reorder 0 --crafted 0 --out build/b.pcap",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "the `FILE` to write, .pcapng or .pcap; must not exist", TakesFile: true},
			&cli.Uint64Flag{Name: "seed", Value: d.Seed, Usage: "the random seed, a `NUMBER`"},
			&cli.IntFlag{Name: "frames", Value: d.Frames, Usage: "start no new messages after this `NUMBER` of frames"},
			&cli.IntFlag{Name: "connections", Value: d.Conns, Usage: "`NUMBER` of connections: RC, UC, RC, UD, RC and so on"},
			&cli.IntFlag{Name: "peers", Value: d.Peers, Usage: "`NUMBER` of hosts at the other end"},
			&cli.IntFlag{Name: "mtu", Value: d.MTU, Usage: "path MTU, `BYTES`: 256 to 4096; 0: every MTU"},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "ip", Value: "both", Usage: "`VERSION` of IP: 4, 6 or both"}, choices: slices.Sorted(maps.Keys(versions))},
			&cli.IntFlag{Name: "tags", Value: d.Tags, Usage: "maximum number of VLAN tags in a frame, a `NUMBER` from 0 to 2"},
			&cli.IntFlag{Name: "rate", Value: d.RateMbs, Usage: "rate of the wire, `MBPS`"},
			&cli.DurationFlag{Name: "gap", Value: d.Gap, Usage: "mean `TIME` between a connection's packets; 0s: line rate"},
			&cli.Float64Flag{Name: "loss", Value: d.Loss, Usage: "`PROBABILITY` that the network loses a packet"},
			&cli.Float64Flag{Name: "duplicate", Value: d.Duplicate, Usage: "`PROBABILITY` that it duplicates a packet"},
			&cli.Float64Flag{Name: "reorder", Value: d.Reorder, Usage: "`PROBABILITY` that others overtake a packet"},
			&cli.Float64Flag{Name: "mark", Value: d.Mark, Usage: "`PROBABILITY` of an ECN mark"},
			&cli.Float64Flag{Name: "rnr", Value: d.RNR, Usage: "`PROBABILITY` that a responder is not ready"},
			&cli.Float64Flag{Name: "other", Value: d.Other, Usage: "number of other frames per RoCEv2 frame, a `NUMBER`"},
			&cli.Float64Flag{Name: "crafted", Value: d.Crafted, Usage: "number of crafted frames per RoCEv2 frame, a `NUMBER`"},
		},
		Action: r.nicTraffic,
	}
}

func (r *runner) nicTraffic(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	out := c.String("out")
	write := captureFormats[filepath.Ext(out)]
	if write == nil {
		return usagef("nic traffic: --out %q: want a name that ends with .pcapng or .pcap", out)
	}
	ip, ok := versions[c.String("ip")]
	if !ok {
		return usagef("nic traffic: --ip: found %q, allowed: 4, 6, both", c.String("ip"))
	}
	cfg := traffic.Config{
		Seed: c.Uint64("seed"), Frames: c.Int("frames"), Conns: c.Int("connections"), Peers: c.Int("peers"), MTU: c.Int("mtu"),
		IP: ip, Tags: c.Int("tags"), RateMbs: c.Int("rate"), Gap: c.Duration("gap"), Loss: c.Float64("loss"),
		Duplicate: c.Float64("duplicate"), Reorder: c.Float64("reorder"), Mark: c.Float64("mark"), RNR: c.Float64("rnr"),
		Other: c.Float64("other"), Crafted: c.Float64("crafted"),
	}
	trace, err := traffic.Generate(cfg)
	if err != nil {
		return usagef("nic traffic: %v", err)
	}
	sum, err := follow.Check(trace.Conns, trace.Frames, cfg.RateMbs)
	if err != nil {
		return fmt.Errorf("nic traffic: the conversations violate the protocol: %w", err)
	}
	var b bytes.Buffer
	if err := write(&b, trace.Packets()); err != nil {
		return err
	}
	if err := c.Context.Err(); err != nil {
		return err
	}
	if err := newFile(out, b.Bytes()); err != nil {
		return fmt.Errorf("nic traffic: %w", err)
	}
	kinds := map[traffic.Kind]int{}
	for i := range trace.Frames {
		kinds[trace.Frames[i].Kind]++
	}
	took := trace.Frames[len(trace.Frames)-1].Time.Sub(trace.Frames[0].Time)
	fmt.Fprintf(r.out, "%s in %v: %d of RoCEv2, %d other, %d crafted\n", plural(len(trace.Frames), "frame"), took,
		kinds[traffic.Conversation], kinds[traffic.Other], kinds[traffic.Crafted])
	fmt.Fprintf(r.out, "%s, %d READs, %d atomics; %d ACKs, %d NAKs, %d RNR NAKs, %d CNPs; %d sent again\n",
		plural(sum.Messages, "message"), sum.Reads, sum.Atomics, sum.ACKs, sum.NAKs, sum.RNRs, sum.CNPs, sum.Again)
	fmt.Fprintf(r.out, "wrote %s\n", out)
	return nil
}

// newFile writes a file that must not exist yet, and makes the folders above it.
func newFile(name string, text []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already exists: remove it, or choose another name", name)
	}
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err != nil {
			os.Remove(name)
		}
	}()
	_, err = f.Write(text)
	return err
}
