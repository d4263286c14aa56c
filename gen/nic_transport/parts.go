// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"slices"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	"github.com/nicgen/nicgen/gen/laps"
	niccsr "github.com/nicgen/nicgen/gen/nic_csr"
	nicecho "github.com/nicgen/nicgen/gen/nic_echo"
	nicedit "github.com/nicgen/nicgen/gen/nic_edit"
	nicfeedback "github.com/nicgen/nicgen/gen/nic_feedback"
	nicgate "github.com/nicgen/nicgen/gen/nic_gate"
	niclookup "github.com/nicgen/nicgen/gen/nic_lookup"
	nicpace "github.com/nicgen/nicgen/gen/nic_pace"
	nicparse "github.com/nicgen/nicgen/gen/nic_parse"
	nicprobe "github.com/nicgen/nicgen/gen/nic_probe"
	nicqueue "github.com/nicgen/nicgen/gen/nic_queue"
	nicshim "github.com/nicgen/nicgen/gen/nic_shim"
	"github.com/nicgen/nicgen/gen/plb"
	"github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/gen/reps"
	repsdetector "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/gen/spray"
)

// Part is a unit within the block: the name of its instance and of its registers, and its configuration.
type Part struct {
	Name    string
	Config  gen.Config
	Streams []string // that software drives; nil: the usual ones
	Shared  []string // settings shared with another part: they have no registers here
}

// Parts returns the units that the block is made of, in the order of their registers, without the
// registers themselves. The block has two parsers.
func (p *Params) Parts() []Part {
	parse := p.parser()
	list := []Part{
		{Name: "parse_tx", Config: parse}, {Name: "parse_rx", Config: parse},
		{Name: "lookup", Config: p.Lookup(), Streams: []string{"s_write"}},
		{Name: "queue", Config: p.Queue(), Streams: []string{}},
		{Name: "gate", Config: p.Gate(), Streams: []string{"s_window", "s_flush"}},
		{Name: "pace", Config: p.Pace(), Streams: []string{"s_rate", "s_flush"}},
		{Name: "edit", Config: p.Edit(), Streams: []string{}},
		{Name: "echo", Config: p.Echo()},
	}
	if p.HasShim() {
		list = append(list, Part{Name: "shim", Config: p.Shim(), Streams: []string{}})
	}
	if p.List > 0 {
		list = append(list, Part{Name: "feedback", Config: p.Feedback(), Streams: []string{"s_template"}})
	}
	switch p.Path {
	case REPS:
		list = append(list, Part{Name: "reps", Config: p.REPS()}, Part{Name: "reps_detector", Config: p.Detector()})
	case PLB:
		list = append(list, Part{Name: "plb", Config: p.PLB(), Streams: []string{"s_seed"}})
	case Spray:
		list = append(list, Part{Name: "spray", Config: p.Spray()})
	case LAPS:
		list = append(list, Part{Name: "laps", Config: p.LAPS()},
			Part{Name: "probe", Config: p.Probe(), Streams: []string{"s_address"}, Shared: []string{"cfg_ether_type"}})
	}
	if p.HasWindow() {
		list = append(list, Part{Name: "powertcp", Config: p.PowerTCP()})
	}
	return list
}

func (p *Params) parser() *nicparse.Params {
	c := nicparse.Default()
	c.Profile, c.Tags, c.IPv6, c.CounterBits = p.Profile, p.Tags, p.IPv6, p.CounterBits
	return c
}

// Parse returns the configuration of both parsers.
func (p *Params) Parse() *nicparse.Params { return p.parser() }

// Lookup returns the configuration of the connection table.
func (p *Params) Lookup() *niclookup.Params {
	c := niclookup.Default()
	c.KeyBits, c.Ways, c.Rows, c.Connections, c.ConnBits, c.CounterBits = p.KeyBits(), p.Ways, p.Rows, p.Connections, ConnBits, p.CounterBits
	return c
}

// Queue returns the configuration of the packet queues.
func (p *Params) Queue() *nicqueue.Params {
	c := nicqueue.Default()
	c.KiB, c.Connections, c.ConnBits, c.MetaBits, c.CounterBits = p.KiB, p.Connections, ConnBits, p.metaBits(), p.CounterBits
	most := c.Cells()
	c.Quota, c.Xoff, c.Xon = min(c.Quota, most), min(c.Xoff, most/2), min(c.Xon, most/4)
	switch {
	case p.HasINT():
		c.Shim = INTBytes + 4
	case p.HasLAPS():
		c.Shim = LAPSBytes + 4
	}
	return c
}

// Gate returns the configuration of the window gate.
func (p *Params) Gate() *nicgate.Params {
	c := nicgate.Default()
	c.Connections, c.ConnBits, c.Ring, c.PSNBits, c.EVBits, c.CounterBits = p.Connections, ConnBits, p.Ring, p.PSNBits(), EVBits, p.CounterBits
	c.TagBits, c.EVLatency = sampleTagBits, int64(c.Latency()["RELEASE to SEND"]+p.PathLatency())
	if p.HasLAPS() { // it has no entropy values
		c.EVLatency = int64(c.Latency()["RELEASE to SEND"])
	}
	c.RingLatency = ringLatency(c.RingLatency, c.Banks())
	return c
}

// ringLatency returns the latency of a ring in several banks: two additional cycles, to reach the banks
// and to choose one.
func ringLatency(one, banks int64) int64 {
	if banks > 1 {
		return one + 2
	}
	return one
}

// PathLatency returns the number of cycles from a request to the path unit to its answer.
func (p *Params) PathLatency() int {
	switch p.Path {
	case REPS:
		return p.REPS().Latency()["SEND to EV"]
	case PLB:
		return p.PLB().Latency()["SEND to label"]
	case Spray:
		return p.Spray().Latency()["SEND to EV"]
	case LAPS:
		return p.LAPS().PacketLatency()
	}
	return 0
}

// Pace returns the configuration of the pacer.
func (p *Params) Pace() *nicpace.Params {
	c := nicpace.Default()
	c.Connections, c.ConnBits, c.CounterBits = p.Connections, ConnBits, p.CounterBits
	if p.HasWindow() {
		c.IdleNS = p.PowerTCP().TauNS / 32
	}
	return c
}

// Edit returns the configuration of the packet editor.
func (p *Params) Edit() *nicedit.Params {
	c := nicedit.Default()
	c.ICRC, c.BECN, c.Ask, c.FlowLabel, c.CounterBits = p.Profile == RoCE, p.Profile == RoCE, p.Profile == RoCE, p.IPv6, p.CounterBits
	return c
}

// Echo returns the configuration of the receiver's echo.
func (p *Params) Echo() *nicecho.Params {
	c := nicecho.Default()
	c.Connections, c.ConnBits, c.Ring, c.PSNBits, c.EVBits, c.List, c.CounterBits = p.Connections, ConnBits, p.Ring, p.PSNBits(), EVBits, p.List, p.CounterBits
	c.ShimBits = 8 * p.bodyBytes()
	c.RingLatency = ringLatency(c.RingLatency, c.Banks())
	return c
}

// Feedback returns the configuration of the feedback packets.
func (p *Params) Feedback() *nicfeedback.Params {
	c := nicfeedback.Default()
	c.Connections, c.ConnBits, c.List, c.CounterBits = p.Connections, ConnBits, p.List, p.CounterBits
	return c
}

// Shim returns the configuration of the shims.
func (p *Params) Shim() *nicshim.Params {
	c := nicshim.Default()
	if c.Formats, c.CounterBits = nicshim.INTOnly, p.CounterBits; p.HasLAPS() {
		c.Formats = nicshim.LAPSOnly
	}
	return c
}

// bodyBytes returns the number of bytes of a shim's body that its receiver returns: path and delay
// with LAPS.
func (p *Params) bodyBytes() int64 {
	switch {
	case p.HasINT():
		return INTBytes
	case p.HasLAPS():
		return nicprobe.BodyBits / 8
	}
	return 0
}

// LAPS returns the configuration of LAPS. Rates are in 2^-16 bytes per ns, from 1 Gb/s to 100 Gb/s.
func (p *Params) LAPS() *laps.Params {
	c := laps.Default()
	c.Tables.Destinations, c.Tables.DstBits, c.Tables.Banks, c.Tables.Rows, c.Tables.PidBits, c.Tables.Anchors = p.Destinations, DstBits, p.PathBanks, p.PathRows, nicprobe.PathBits, Anchors
	c.Tables.TagBits, c.Tables.CounterBits, c.Picker.RandomSeed = 1, p.CounterBits, p.RandomSeed
	c.Rate.Flows, c.Rate.FlowBits, c.Rate.RateBits, c.Rate.MaxRate, c.Rate.MinRate = p.Connections, ConnBits, rateBits, 25<<rateFraction/2, 1<<rateFraction/8
	c.Detector.SeqBits, c.Detector.Depth = p.PSNBits(), p.PathDepth
	return c
}

// Rates of the window unit and of LAPS, in bytes per ns.
const (
	rateBits     = 24
	rateFraction = 16
)

// Probe returns the configuration of LAPS' probes.
func (p *Params) Probe() *nicprobe.Params {
	c := nicprobe.Default()
	c.Destinations, c.DstBits, c.Anchors, c.CounterBits = p.Destinations, DstBits, Anchors, p.CounterBits
	return c
}

// REPS returns the configuration of the entropy buffer.
func (p *Params) REPS() *reps.Params {
	c := reps.Default()
	c.EVSBits, c.EVBase, c.Connections, c.ConnBits, c.CounterBits, c.RandomSeed = p.EVSBits, p.EVBase, p.Connections, ConnBits, p.CounterBits, p.RandomSeed
	return c
}

// Detector returns the configuration of REPS' failure detector.
func (p *Params) Detector() *repsdetector.Params {
	c := repsdetector.Default()
	c.Connections, c.ConnBits, c.CounterBits = p.Connections, ConnBits, p.CounterBits
	return c
}

// PLB returns the configuration of protective load balancing.
func (p *Params) PLB() *plb.Params {
	c := plb.Default()
	c.Connections, c.ConnBits, c.PortBits, c.PortBase, c.CounterBits, c.RandomSeed = p.Connections, ConnBits, p.EVSBits, p.EVBase, p.CounterBits, p.RandomSeed
	return c
}

// Spray returns the configuration of the baselines.
func (p *Params) Spray() *spray.Params {
	c := spray.Default()
	c.EVSBits, c.EVs, c.EVBase, c.Connections, c.ConnBits, c.CounterBits, c.RandomSeed = p.EVSBits, 1<<p.EVSBits, p.EVBase, p.Connections, ConnBits, p.CounterBits, p.RandomSeed
	return c
}

// PowerTCP returns the configuration of the window unit.
func (p *Params) PowerTCP() *powertcp.Params {
	c := powertcp.Default()
	c.Connections, c.ConnBits, c.CounterBits = p.Connections, ConnBits, p.CounterBits
	if c.Variant = powertcp.INT; p.Telemetry == Theta {
		c.Variant = powertcp.Theta
	}
	return c
}

// registers returns the configuration of the registers.
func (p *Params) registers() *niccsr.Params {
	c := niccsr.Default()
	c.AddrBits, c.CounterBits, c.Totals = p.AddrBits, p.CounterBits, true
	c.Units = []csr.Unit{{Name: own, Config: &Own{p}, Streams: []string{"s_profile"}}}
	for _, x := range p.Parts() {
		cfg := x.Config
		if x.Shared != nil {
			cfg = apart{cfg, x.Shared}
		}
		c.Units = append(c.Units, csr.Unit{Name: x.Name, Config: cfg, Streams: x.Streams})
	}
	return c
}

// apart is a part without the settings that it shares with another one.
type apart struct {
	gen.Config
	shared []string
}

// Ports implements gen.Config.
func (a apart) Ports() []gen.Port {
	return slices.DeleteFunc(a.Config.Ports(), func(q gen.Port) bool { return slices.Contains(a.shared, q.Name) })
}

// PortValues implements gen.Driven.
func (a apart) PortValues() map[string]uint64 {
	if d, ok := a.Config.(gen.Driven); ok {
		return d.PortValues()
	}
	return nil
}

// Map returns the register map.
func (p *Params) Map() (*csr.Map, error) { return p.registers().Map() }
