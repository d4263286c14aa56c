// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	niccsr "github.com/nicgen/nicgen/gen/nic_csr"
	nictransport "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/registers"
	"github.com/nicgen/nicgen/internal/registers/axil"
	"github.com/nicgen/nicgen/internal/registers/load"
	"github.com/nicgen/nicgen/registry"
	tb "github.com/nicgen/nicgen/tb/bench"
)

// csrName is the command's name.
const csrName = "csr"

// mapped lists the units that have a register map; the first one is the default.
var mapped = []registry.Unit{{New: nictransport.New}, {New: niccsr.New}}

// imageFormat is the format of the map as a memory image.
const imageFormat = "image"

// turn is the number of cycles that an idle simulation runs at a time.
const turn = 50

// withMap is a configuration that has a register map.
type withMap interface {
	gen.Config
	Map() (*csr.Map, error)
}

// csrVerbs are the verbs of nicgen csr, with the flags that each takes in addition to those
// for the map.
var csrVerbs = []struct {
	name, args, usage string
	flags             []string
	do                func(t *csrTool, args []string) error
}{
	{"map", "", "print the map", []string{"format", "name", "out"}, (*csrTool).printMap},
	{"list", "", "print the device's own list of blocks; needs no map", []string{"device", "offset", "size", "json"}, (*csrTool).list},
	{"read", "NAME…", "read values by name", []string{"device", "offset", "size", "force", "hex", "json"}, (*csrTool).read},
	{"write", "NAME=VALUE… | WINDOW FIELD=VALUE…", "write settings, flags, and words of windows", []string{"device", "offset", "size", "force", "timeout"}, (*csrTool).write},
	{"dump", "[NAME…]", "print all values, or those of some blocks", []string{"device", "offset", "size", "force", "hex", "json"}, (*csrTool).dump},
	{"watch", "[NAME…]", "print counters repeatedly, with rates", []string{"device", "offset", "size", "force", "interval", "count"}, (*csrTool).watch},
	{"load", "FILE", "load connections, tables and settings from a file", []string{"device", "offset", "size", "force", "timeout", "dry-run", "clear"}, (*csrTool).load},
	{"serve", "SOCKET", "simulate the RTL behind a socket, for --device sim:SOCKET", nil, (*csrTool).serve},
}

// csrTool is one run of nicgen csr.
type csrTool struct {
	*runner
	c    *cli.Context
	verb string
	p    *parameters
	unit []string // flags that select the map's configuration
}

func (r *runner) csrCommand() *cli.Command {
	units := withUnits(mapped)
	p, flags := units.parameterFlags(csrName)
	var unit []string
	for _, f := range flags {
		unit = append(unit, f.Names()[0])
	}
	var verbs strings.Builder
	for _, v := range csrVerbs {
		fmt.Fprintf(&verbs, "   %s\n          %s\n", strings.TrimSpace(v.name+" "+v.args), v.usage)
	}
	return &cli.Command{
		Name:      csrName,
		Usage:     "registers of a NIC by name: read, write, watch, load tables",
		ArgsUsage: "VERB [ARGUMENT]…",
		Description: "The registers are in a file that Linux maps to memory (a PCIe BAR or a UIO device), or in a\n" +
			"simulation. Their names come from a map: the file of --map, which `csr map --format json` wrote, or\n" +
			"the flags that made the bitstream, for nic_transport unless --unit names another unit. The device\n" +
			"must have the map's hash.\n\n" +
			"Verbs:\n" + verbs.String() + "\n" +
			"A name is a full one, reps.cfg_mode, or its part after the block or after a _ if only one register\n" +
			"has it: ack_cnt. A block's name stands for all its registers; * and ? match any\n" +
			"text. Values are whole numbers, decimal or hexadecimal after 0x, or have a unit: 10ms, 64KiB.\n" +
			"Settings of one block change together. docs/registers.md describes the file of load.\n\n" +
			"Examples:\n" +
			"   nicgen csr map --format json --out nic.json\n" +
			"   nicgen csr list --device /sys/bus/pci/devices/0000:01:00.0/resource2\n" +
			"   nicgen csr write max_window=64KiB --map nic.json --device /dev/uio0\n" +
			"   nicgen csr write reps.s_flush conn=3 --map nic.json --device /dev/uio0\n" +
			"   nicgen csr watch 'reps.sts_*' --map nic.json --device /dev/uio0\n" +
			"   nicgen csr load nic.yaml --dry-run --map nic.json",
		Flags: append(flags,
			&cli.StringFlag{Name: "map", Usage: "the map, a JSON `FILE` that csr map wrote; instead of the flags of a unit", TakesFile: true},
			&cli.StringFlag{Name: "device", Usage: "a `FILE` to map, or sim:SOCKET", TakesFile: true},
			&cli.Uint64Flag{Name: "offset", Usage: "the registers begin at `BYTES` of the device; for UIO, map N begins at N pages"},
			&cli.Uint64Flag{Name: "size", Usage: "the registers take `BYTES`; 0: up to the end"},
			&cli.BoolFlag{Name: "force", DisableDefaultText: true, Usage: "continue even if the device's registers do not match the map"},
			&cli.BoolFlag{Name: "hex", DisableDefaultText: true, Usage: "read, dump: values in hexadecimal, without units"},
			&cli.StringFlag{Name: "json", Usage: "list, read, dump: write the result as JSON to `FILE`, - for standard output", TakesFile: true},
			&cli.DurationFlag{Name: "interval", Value: time.Second, Usage: "watch: the `TIME` between two readings"},
			&cli.Uint64Flag{Name: "count", Usage: "watch: end after `N` readings; 0: at Ctrl-C"},
			&cli.DurationFlag{Name: "timeout", Value: time.Second, Usage: "write, load: how long a unit may take for a word in a window, `TIME`"},
			&cli.BoolFlag{Name: "dry-run", DisableDefaultText: true, Usage: "load: print the writes as arguments of csr write; needs no device"},
			&cli.BoolFlag{Name: "clear", DisableDefaultText: true, Usage: "load: first clear the connection table"},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "format", Value: "json", Usage: "map: `FORMAT`: " + strings.Join(csr.Formats, ", ") + ", or " + imageFormat + ", the words after reset, as a file to try the tool on"}, choices: slices.Concat(csr.Formats, []string{imageFormat})},
			&cli.StringFlag{Name: "name", Value: "nic_regs", Usage: "map: `NAME` of the header's guard, the Go package, the SystemRDL map"},
			&cli.StringFlag{Name: "out", Usage: "map: write a new `FILE`; without it, print", TakesFile: true},
		),
		Action: func(c *cli.Context) error {
			t := &csrTool{runner: r, c: c, p: p, unit: unit}
			return t.run()
		},
	}
}

// run finds the verb, refuses flags of other verbs, and carries it out.
func (t *csrTool) run() error {
	var names []string
	for _, v := range csrVerbs {
		names = append(names, v.name)
	}
	allowed := strings.Join(names, ", ")
	if err := checkJSON(t.c, names...); err != nil {
		return err
	}
	if t.c.NArg() == 0 {
		return usagef("csr: no verb, want one of %s", allowed)
	}
	t.verb = t.c.Args().First()
	i := slices.Index(names, t.verb)
	if i < 0 {
		return usagef("csr: unknown verb %q%s, allowed: %s", t.verb, nearest(t.verb, names), allowed)
	}
	verb := csrVerbs[i]
	for _, f := range []string{"map", "device", "offset", "size", "force", "hex", "json", "interval", "count", "timeout", "dry-run", "clear", "format", "name", "out"} {
		if t.c.IsSet(f) && !slices.Contains(verb.flags, f) && (f != "map" || t.verb == "list" || t.verb == "serve") {
			return usagef("csr %s: it has no use for --%s", t.verb, f)
		}
	}
	for _, f := range t.unit {
		switch {
		case !t.c.IsSet(f):
		case t.verb == "list":
			return usagef("csr list: it has no use for --%s", f)
		case t.c.IsSet("map"):
			return usagef("csr %s: --map and --%s, want one of them", t.verb, f)
		}
	}
	err := verb.do(t, t.c.Args().Tail())
	var u *usage
	if err == nil || errors.As(err, &u) {
		return err
	}
	return fmt.Errorf("csr %s: %w", t.verb, err)
}

func (t *csrTool) none(args []string) error {
	if len(args) > 0 {
		return usagef("csr %s: unexpected argument %q", t.verb, args[0])
	}
	return nil
}

// config returns the configuration that the flags select.
func (t *csrTool) config() (withMap, error) {
	if !t.c.IsSet("unit") {
		if err := t.c.Set("unit", mapped[0].New().Unit()); err != nil {
			return nil, err
		}
	}
	units, err := t.p.resolve(t.c)
	if err != nil {
		return nil, err
	}
	if len(units) != 1 {
		return nil, usagef("csr %s: %s, want one: --unit", t.verb, plural(len(units), "unit"))
	}
	return units[0].Config.(withMap), nil
}

// readMap returns the map that the flags select.
func (t *csrTool) readMap() (*csr.Map, error) {
	name := t.c.String("map")
	if name == "" {
		cfg, err := t.config()
		if err != nil {
			return nil, err
		}
		return cfg.Map()
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	m, err := csr.ReadJSON(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// device opens the device.
func (t *csrTool) device() (registers.Device, error) {
	name := t.c.String("device")
	if name == "" {
		return nil, usagef("csr %s: no --device, want a file to map or %sSOCKET", t.verb, registers.SimPrefix)
	}
	return registers.Open(name, t.c.Uint64("offset"), t.c.Uint64("size"))
}

// attach opens the device and finds the map's blocks in it.
func (t *csrTool) attach(m *csr.Map) (*registers.NIC, error) {
	d, err := t.device()
	if err != nil {
		return nil, err
	}
	n, err := registers.Attach(d, m, t.c.Bool("force"))
	if err == nil {
		return n, nil
	}
	err = errors.Join(err, d.Close())
	var differs *registers.Mismatch
	if errors.As(err, &differs) {
		return nil, fmt.Errorf("%w\nmake the map of this bitstream with `nicgen csr map`, or continue with --force", err)
	}
	return nil, err
}

func (t *csrTool) printMap(args []string) error {
	if err := t.none(args); err != nil {
		return err
	}
	m, err := t.readMap()
	if err != nil {
		return err
	}
	text := m.Image()
	if format := t.c.String("format"); format != imageFormat {
		if !slices.Contains(csr.Formats, format) {
			return usagef("csr map: --format: found %q, allowed: %s, %s", format, strings.Join(csr.Formats, ", "), imageFormat)
		}
		if text, err = m.Render(format, t.c.String("name")); err != nil {
			return usagef("csr map: --name: %v", err)
		}
	}
	out := t.c.String("out")
	if out == "" {
		_, err := t.out.Write(text)
		return err
	}
	if err := newFile(out, text); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "wrote %s\n", out)
	return nil
}

// hex is a number in the form that the registers' JSON uses.
func hex(v uint32) string { return fmt.Sprintf("0x%08x", v) }

func (t *csrTool) list(args []string) (err error) {
	if err := t.none(args); err != nil {
		return err
	}
	d, err := t.device()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	list, err := registers.Enumerate(d)
	if err != nil {
		return err
	}
	type block struct {
		Base    string `json:"base"`
		Type    string `json:"type"`
		Unit    string `json:"unit,omitempty"`
		Version string `json:"version"`
		Hash    string `json:"hash,omitempty"`
	}
	var blocks []block
	for _, f := range list {
		b := block{Base: hex(f.Base), Type: hex(f.Type), Version: hex(f.Version)}
		if f.Own() {
			b.Unit, b.Hash = csr.UnitOf(uint16(f.Type)), hex(f.Hash)
		}
		blocks = append(blocks, b)
	}
	if people, err := t.asJSON(t.c, blocks); err != nil || !people {
		return err
	}
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "base\ttype\tversion\thash\tunit")
	for _, b := range blocks {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", b.Base, b.Type, b.Version, or(b.Hash), or(b.Unit))
	}
	return w.Flush()
}

// or returns a text, or a dash if it is empty.
func or(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func (t *csrTool) read(args []string) error {
	if len(args) == 0 {
		return usagef("csr read: no name, want registers; `nicgen csr dump` reads all")
	}
	return t.show(args)
}

func (t *csrTool) dump(args []string) error { return t.show(args) }

// show reads and prints registers, all of them if there are no names.
func (t *csrTool) show(names []string) (err error) {
	m, err := t.readMap()
	if err != nil {
		return err
	}
	if name := t.c.String("json"); name != "" && name != "-" {
		if _, err := registers.Select(m, []string{name}); err == nil {
			return usagef("--json: found %s, the name of a register, want a FILE, or - for standard output: `nicgen csr %s %s --json -`", name, t.verb, name)
		}
	}
	if len(names) == 0 {
		for _, b := range m.Blocks {
			names = append(names, b.Name)
		}
	}
	places, err := registers.Select(m, names)
	if err != nil {
		return err
	}
	n, err := t.attach(m)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	type value struct {
		Name    string `json:"name"`
		Address string `json:"address"`
		Value   uint64 `json:"value"`
		Text    string `json:"text"`
	}
	var values []value
	several := len(names) > 1 || len(places) > 1
	for _, p := range places {
		if several && (!p.Register.Readable() || !n.Present(p.Block)) {
			continue // a block or pattern stands for its readable registers
		}
		v, err := n.Get(p)
		if err != nil {
			return err
		}
		values = append(values, value{p.Name(), hex(p.Address()), v, registers.Show(p, v)})
	}
	if people, err := t.asJSON(t.c, struct {
		Hash      string  `json:"hash"`
		Registers []value `json:"registers"`
	}{hex(m.Hash), values}); err != nil || !people {
		return err
	}
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	for _, v := range values {
		text := v.Text
		if t.c.Bool("hex") {
			text = fmt.Sprintf("0x%x", v.Value)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", v.Address, v.Name, text)
	}
	return w.Flush()
}

func (t *csrTool) write(args []string) (err error) {
	if len(args) == 0 {
		return usagef("csr write: nothing to write, want NAME=VALUE or WINDOW FIELD=VALUE")
	}
	m, err := t.readMap()
	if err != nil {
		return err
	}
	steps, err := parseWrites(m, args)
	if err != nil {
		return err
	}
	return t.carryOut(m, steps)
}

// parseWrites reads NAME=VALUE…, or WINDOW FIELD=VALUE… once or more.
func parseWrites(m *csr.Map, args []string) ([]load.Step, error) {
	var (
		steps []load.Step
		list  []registers.Assignment
		errs  []error
	)
	for _, a := range args {
		name, text, assigns := strings.Cut(a, "=")
		switch {
		case !assigns && len(list) > 0:
			return nil, usagef("csr write: %q among settings: want NAME=VALUE only, or windows only", a)
		case !assigns:
			b, w, err := registers.FindWindow(m, name)
			if err != nil {
				return nil, err
			}
			steps = append(steps, load.Step{Offer: &registers.Offer{Block: b, Window: w, Values: map[string]*big.Int{}}})
		case len(steps) > 0:
			o := steps[len(steps)-1].Offer
			f := o.Window.Field(name)
			if f == nil {
				o.Values[name] = new(big.Int) // Check lists the fields
				errs = append(errs, o.Check())
				delete(o.Values, name)
				continue
			}
			if o.Values[name] != nil {
				return nil, usagef("csr write: %s.%s: %s is there twice", o.Block.Name, o.Window.Name, name)
			}
			v, err := registers.Parse(csr.Place{Block: o.Block, Register: f}, text)
			o.Values[name], errs = v, append(errs, err)
		default:
			p, err := registers.Find(m, name)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			v, err := registers.Parse(p, text)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			list = append(list, registers.Assignment{Place: p, Value: v})
		}
	}
	if len(list) > 0 {
		steps = append(steps, load.Step{Settings: list})
		errs = append(errs, registers.CheckAssignments(list))
	}
	return steps, errors.Join(errs...)
}

// carryOut carries out the steps, and warns of side effects.
func (t *csrTool) carryOut(m *csr.Map, steps []load.Step) (err error) {
	n, err := t.attach(m)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	before, err := illegal(n)
	if err != nil {
		return err
	}
	for _, s := range steps {
		waiting, err := n.Waiting(s.Settings)
		if err != nil {
			return err
		}
		for _, b := range waiting {
			t.log.Warnf("block %s had settings that were written and not committed: they take effect now as well", b)
		}
	}
	if err := load.Do(t.c.Context, n, steps, t.c.Duration("timeout")); err != nil {
		return err
	}
	after, err := illegal(n)
	if err != nil {
		return err
	}
	for _, name := range sorted(after) {
		if after[name] != before[name] {
			t.log.Warnf("%s rose by %d meanwhile: the unit refused a word, or a packet's event", name, after[name]-before[name])
		}
	}
	t.log.Infof("%s carried out", plural(len(steps), "write"))
	return nil
}

// illegal returns the counters of events that units refused.
func illegal(n *registers.NIC) (map[string]uint64, error) {
	out := map[string]uint64{}
	for _, p := range n.Map.Places() {
		if p.Register.Kind != csr.Counter || !strings.HasPrefix(p.Register.Name, "sts_illegal") || !n.Present(p.Block) {
			continue
		}
		v, err := n.Get(p)
		if err != nil {
			return nil, err
		}
		out[p.Name()] = v
	}
	return out, nil
}

// counts reports whether a register counts events and therefore has a rate.
func counts(r *csr.Register) bool {
	return r.Kind == csr.Counter && strings.HasSuffix(r.Name, "_cnt")
}

func (t *csrTool) watch(names []string) (err error) {
	interval, count := t.c.Duration("interval"), t.c.Uint64("count")
	if interval <= 0 {
		return usagef("csr watch: --interval %v, want a time above 0", interval)
	}
	m, err := t.readMap()
	if err != nil {
		return err
	}
	var places []csr.Place
	if len(names) == 0 {
		places = slices.DeleteFunc(m.Places(), func(p csr.Place) bool { return !counts(p.Register) || p.Bit != nil })
	} else if places, err = registers.Select(m, names); err != nil {
		return err
	}
	n, err := t.attach(m)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	places = slices.DeleteFunc(places, func(p csr.Place) bool { return !p.Register.Readable() || !n.Present(p.Block) })
	if len(places) == 0 {
		return errors.New("nothing to read")
	}
	type reading struct {
		v  uint64
		at time.Time
	}
	last := make([]reading, len(places))
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for i := uint64(0); ; i++ {
		w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
		for k, p := range places {
			v, err := n.Get(p)
			if err != nil {
				return err
			}
			now := reading{v, time.Now()}
			text := registers.Show(p, v)
			if i > 0 && counts(p.Register) && p.Bit == nil {
				change := v - last[k].v
				if p.Register.Bits < 64 {
					change &= 1<<p.Register.Bits - 1 // it wraps
				}
				text += fmt.Sprintf("\t+%d\t%.4g/s", change, float64(change)/now.at.Sub(last[k].at).Seconds())
			}
			last[k] = now
			fmt.Fprintf(w, "%s\t%s\n", p.Name(), text)
		}
		if err := w.Flush(); err != nil {
			return err
		}
		if i+1 == count {
			return nil
		}
		fmt.Fprintln(t.out)
		select {
		case <-tick.C:
		case <-t.c.Context.Done():
			if count == 0 {
				return nil // Ctrl-C is the normal end
			}
			return t.c.Context.Err()
		}
	}
}

func (t *csrTool) load(args []string) error {
	if len(args) != 1 {
		return usagef("csr load: %s, want one: a file, or a folder that nicgen place wrote", plural(len(args), "argument"))
	}
	if t.c.Bool("dry-run") && (t.c.IsSet("device") || t.c.IsSet("offset") || t.c.IsSet("size") || t.c.IsSet("force") || t.c.IsSet("timeout")) {
		return usagef("csr load: --dry-run writes to no device: want no --device, --offset, --size, --force, --timeout")
	}
	m, err := t.readMap()
	if err != nil {
		return err
	}
	f, err := load.Read(args[0])
	if err != nil {
		return err
	}
	steps, err := load.Plan(m, f, load.Options{Clear: t.c.Bool("clear")})
	if err != nil {
		return err
	}
	for _, note := range load.Notes(m, f) {
		t.log.Warn(note)
	}
	if !t.c.Bool("dry-run") {
		return t.carryOut(m, steps)
	}
	for _, s := range steps {
		fmt.Fprintln(t.out, s)
	}
	return nil
}

func (t *csrTool) serve(args []string) (err error) {
	if len(args) != 1 {
		return usagef("csr serve: %s, want one: the socket's path", plural(len(args), "argument"))
	}
	cfg, err := t.config()
	if err != nil {
		return err
	}
	src, err := tb.Source(cfg)
	if err != nil {
		return err
	}
	ctx := t.c.Context
	sim, err := cosim.Open(ctx, src)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sim.Close()) }()
	bus, err := axil.New(sim)
	if err != nil {
		return err
	}
	bus.Free = turn
	l, err := listen(ctx, args[0])
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "%s: --device %s%s; Ctrl-C ends it\n", cfg.Unit(), registers.SimPrefix, args[0])
	return errors.Join(registers.Serve(ctx, l, bus), sim.Err())
}

// listen makes a socket, which is removed when it is closed.
func listen(ctx context.Context, name string) (net.Listener, error) {
	var c net.ListenConfig
	return c.Listen(ctx, "unix", name)
}
