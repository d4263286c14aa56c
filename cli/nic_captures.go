// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/sim/replay"
)

// captureSides returns the rules for directions that the flags give.
func captureSides(c *cli.Context) (capture.Sides, error) {
	sides := capture.Sides{Interfaces: map[string]capture.Direction{}, Only: c.IsSet("interface")}
	for _, n := range c.StringSlice("interface") {
		sides.Interfaces[n] = capture.Unknown
	}
	for _, f := range []struct {
		flag string
		dir  capture.Direction
	}{{"tx-interface", capture.TX}, {"rx-interface", capture.RX}} {
		for _, n := range c.StringSlice(f.flag) {
			if d := sides.Interfaces[n]; d != capture.Unknown && d != f.dir {
				return sides, usagef("--%s: %q is also named by --tx-interface: want one of them; --mac tells the directions of one interface's frames", f.flag, n)
			}
			sides.Interfaces[n] = f.dir
		}
	}
	if m := c.String("mac"); m != "" {
		a, err := net.ParseMAC(m)
		if err != nil || len(a) != 6 || a[0]&1 != 0 || slices.Equal(a, make([]byte, 6)) {
			return sides, usagef("--mac: found %q, allowed: the address of one NIC, such as 02:4e:47:00:00:01", m)
		}
		sides.MAC = a
	}
	return sides, nil
}

// readCaptures reads the captures named on the command line and merges them by time. The intake counts the frames
// kept and left out.
func readCaptures(c *cli.Context) (packets []capture.Packet, in capture.Intake, err error) {
	sides, err := captureSides(c)
	if err != nil {
		return nil, in, err
	}
	var files []*capture.File
	read := func(names []string, of capture.Direction) error {
		for _, n := range names {
			s := sides
			if of != capture.Unknown {
				s = capture.Sides{All: of, Interfaces: sides.Interfaces, Only: sides.Only}
			}
			f, err := capture.ReadFile(n, s)
			if err != nil {
				return err
			}
			files = append(files, f)
		}
		return nil
	}
	sent, came := c.StringSlice("sent"), c.StringSlice("came")
	if err := errors.Join(read(c.Args().Slice(), capture.Unknown), read(sent, capture.TX), read(came, capture.RX)); err != nil {
		return nil, in, err
	}
	if len(files) == 0 {
		return nil, in, usagef("nic replay: no capture; `nicgen nic replay --help` describes the command")
	}
	for _, flag := range []string{"interface", "tx-interface", "rx-interface"} {
		for _, n := range c.StringSlice(flag) {
			if err := findInterface(files, flag, n); err != nil {
				return nil, in, err
			}
		}
	}
	gap := c.Duration("max-gap")
	if c.Bool("line-rate") {
		gap = 0 // no gap is replayed
	}
	packets, in, err = replay.Prepare(files, replay.Selection{
		MAC: sides.MAC, MaxGap: gap,
		Named: func(p *capture.Packet) bool { return sides.Named(p.Interface, p.Name) },
		Sent:  c.IsSet("tx-interface") || len(sent) > 0, Came: c.IsSet("rx-interface") || len(came) > 0,
	})
	switch {
	case errors.Is(err, replay.ErrSides):
		err = fmt.Errorf("%w: state them by --mac, --sent, --came, --tx-interface or --rx-interface", err)
	case err == nil && len(packets) == 0:
		var b strings.Builder
		intakeText(&b, &in)
		err = fmt.Errorf("there is no frame to replay; %s", strings.TrimSpace(b.String()))
	}
	return packets, in, err
}

// findInterface returns an error if no capture has an interface of this name or number.
func findInterface(files []*capture.File, flag, name string) error {
	one := capture.Sides{Interfaces: map[string]capture.Direction{name: capture.Unknown}}
	var all []string
	for _, f := range files {
		for _, i := range f.Interfaces {
			if one.Named(i.Number, i.Name) {
				return nil
			}
			if s := i.String(); !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return usagef("--%s: found %q, allowed: a name or number of %s", flag, name, strings.Join(all, ", "))
}

// intakeText writes the number of frames left out, even if it is 0, and the differences from the
// recording.
func intakeText(b *strings.Builder, in *capture.Intake) {
	fmt.Fprintf(b, "left out: %d of %s\n", in.LeftOut.Sum(capture.Frames), plural(in.Frames, capture.Frames))
	line := func(head string, c capture.Count) {
		file := ""
		if in.Files > 1 {
			file = c.File + ": "
		}
		fmt.Fprintf(b, "%s%s%s %s\n", head, file, plural(c.N, c.Unit), c.What)
	}
	for _, c := range in.LeftOut {
		line("  ", c)
	}
	for _, c := range in.Notes {
		line("note: ", c)
	}
}
