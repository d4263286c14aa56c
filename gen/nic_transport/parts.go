// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	niccsr "github.com/nicgen/nicgen/gen/nic_csr"
	nicecho "github.com/nicgen/nicgen/gen/nic_echo"
	nicedit "github.com/nicgen/nicgen/gen/nic_edit"
	nicfeedback "github.com/nicgen/nicgen/gen/nic_feedback"
	nicgate "github.com/nicgen/nicgen/gen/nic_gate"
	niclookup "github.com/nicgen/nicgen/gen/nic_lookup"
	nicpace "github.com/nicgen/nicgen/gen/nic_pace"
	nicparse "github.com/nicgen/nicgen/gen/nic_parse"
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
}

// Parts are the units that the block is made of, in the order of their registers, but for the registers
// themselves. The parser is there twice.
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

// Parse is the configuration of both parsers.
func (p *Params) Parse() *nicparse.Params { return p.parser() }

// Lookup is that of the table of connections.
func (p *Params) Lookup() *niclookup.Params {
	c := niclookup.Default()
	c.KeyBits, c.Ways, c.Rows, c.Connections, c.ConnBits, c.CounterBits = p.KeyBits(), p.Ways, p.Rows, p.Connections, ConnBits, p.CounterBits
	return c
}

// Queue is that of the packet queues.
func (p *Params) Queue() *nicqueue.Params {
	c := nicqueue.Default()
	c.KiB, c.Connections, c.ConnBits, c.MetaBits, c.CounterBits = p.KiB, p.Connections, ConnBits, metaBits, p.CounterBits
	most := c.Cells()
	c.Quota, c.Xoff, c.Xon = min(c.Quota, most), min(c.Xoff, most/2), min(c.Xon, most/4)
	if p.HasShim() {
		c.Shim = INTBytes + 4
	}
	return c
}

// Gate is that of the window gate.
func (p *Params) Gate() *nicgate.Params {
	c := nicgate.Default()
	c.Connections, c.ConnBits, c.Ring, c.PSNBits, c.EVBits, c.CounterBits = p.Connections, ConnBits, p.Ring, p.PSNBits(), EVBits, p.CounterBits
	c.TagBits, c.EVLatency = sampleTagBits, int64(c.Latency()["RELEASE to SEND"]+p.PathLatency())
	return c
}

// PathLatency is the number of cycles from a question to the path unit to its answer.
func (p *Params) PathLatency() int {
	switch p.Path {
	case REPS:
		return p.REPS().Latency()["SEND to EV"]
	case PLB:
		return p.PLB().Latency()["SEND to label"]
	case Spray:
		return p.Spray().Latency()["SEND to EV"]
	}
	return 0
}

// Pace is that of the pacer.
func (p *Params) Pace() *nicpace.Params {
	c := nicpace.Default()
	c.Connections, c.ConnBits, c.CounterBits = p.Connections, ConnBits, p.CounterBits
	return c
}

// Edit is that of the packet editor.
func (p *Params) Edit() *nicedit.Params {
	c := nicedit.Default()
	c.ICRC, c.BECN, c.FlowLabel, c.CounterBits = p.Profile == RoCE, p.Profile == RoCE, p.IPv6, p.CounterBits
	return c
}

// Echo is that of the receiver's echo.
func (p *Params) Echo() *nicecho.Params {
	c := nicecho.Default()
	c.Connections, c.ConnBits, c.Ring, c.PSNBits, c.EVBits, c.List, c.CounterBits = p.Connections, ConnBits, p.Ring, p.PSNBits(), EVBits, p.List, p.CounterBits
	if c.ShimBits = 0; p.HasShim() {
		c.ShimBits = 8 * INTBytes
	}
	return c
}

// Feedback is that of feedback packets.
func (p *Params) Feedback() *nicfeedback.Params {
	c := nicfeedback.Default()
	c.Connections, c.ConnBits, c.List, c.CounterBits = p.Connections, ConnBits, p.List, p.CounterBits
	return c
}

// Shim is that of shims.
func (p *Params) Shim() *nicshim.Params {
	c := nicshim.Default()
	c.Formats, c.CounterBits = nicshim.INTOnly, p.CounterBits
	return c
}

// REPS is that of the entropy buffer.
func (p *Params) REPS() *reps.Params {
	c := reps.Default()
	c.EVSBits, c.EVBase, c.Connections, c.ConnBits, c.CounterBits, c.RandomSeed = p.EVSBits, p.EVBase, p.Connections, ConnBits, p.CounterBits, p.RandomSeed
	return c
}

// Detector is that of REPS' failure detector.
func (p *Params) Detector() *repsdetector.Params {
	c := repsdetector.Default()
	c.Connections, c.ConnBits, c.CounterBits = p.Connections, ConnBits, p.CounterBits
	return c
}

// PLB is that of protective load balancing.
func (p *Params) PLB() *plb.Params {
	c := plb.Default()
	c.Connections, c.ConnBits, c.PortBits, c.PortBase, c.CounterBits, c.RandomSeed = p.Connections, ConnBits, p.EVSBits, p.EVBase, p.CounterBits, p.RandomSeed
	return c
}

// Spray is that of the baselines.
func (p *Params) Spray() *spray.Params {
	c := spray.Default()
	c.EVSBits, c.EVs, c.EVBase, c.Connections, c.ConnBits, c.CounterBits, c.RandomSeed = p.EVSBits, 1<<p.EVSBits, p.EVBase, p.Connections, ConnBits, p.CounterBits, p.RandomSeed
	return c
}

// PowerTCP is that of the window unit.
func (p *Params) PowerTCP() *powertcp.Params {
	c := powertcp.Default()
	c.Connections, c.ConnBits, c.CounterBits = p.Connections, ConnBits, p.CounterBits
	if c.Variant = powertcp.INT; p.Telemetry == Theta {
		c.Variant = powertcp.Theta
	}
	return c
}

// registers is that of the registers.
func (p *Params) registers() *niccsr.Params {
	c := niccsr.Default()
	c.AddrBits, c.CounterBits, c.Totals = p.AddrBits, p.CounterBits, true
	c.Units = []csr.Unit{{Name: own, Config: &Own{p}, Streams: []string{"s_profile"}}}
	for _, x := range p.Parts() {
		c.Units = append(c.Units, csr.Unit{Name: x.Name, Config: x.Config, Streams: x.Streams})
	}
	return c
}

// Map is the register map.
func (p *Params) Map() (*csr.Map, error) { return p.registers().Map() }
