// SPDX-License-Identifier: Apache-2.0

// Package niccsr is the bench of the registers of a NIC: stimulus, golden model behind the unit's
// ports, coverage points, and what the unit brings for the checks.
package niccsr

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/csr"
	params "github.com/nicgen/nicgen/gen/nic_csr"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = csr.Self

//go:embed nic_nic_csr_sva.sv
var assertions string

// Unit makes benches of the registers.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}

// wires are the ports of the bus.
type wires struct {
	rst                           bench.Pin
	awReady, wReady, arReady      bench.Pin
	bReady, rReady                bench.Pin
	rResp                         bench.Pin
	writeAddresses, readAddresses bench.Wires[params.Address]
	writeDatas                    bench.Wires[params.WriteData]
	writeAnswers                  bench.Wires[params.WriteAnswer]
	readAnswers                   bench.Wires[params.ReadAnswer]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst),
		bench.WirePin("s_axil_awready", &x.awReady), bench.WirePin("s_axil_wready", &x.wReady), bench.WirePin("s_axil_arready", &x.arReady),
		bench.WirePin("s_axil_bready", &x.bReady), bench.WirePin("s_axil_rready", &x.rReady), bench.WirePin("s_axil_rresp", &x.rResp),
		bench.WireIn(params.WriteAddresses, &x.writeAddresses), bench.WireIn(params.WriteDatas, &x.writeDatas), bench.WireIn(params.ReadAddresses, &x.readAddresses),
		bench.WireOut(params.WriteAnswers, &x.writeAnswers), bench.WireOut(params.ReadAnswers, &x.readAnswers))
}

// blockPins are the ports of a block's unit.
type blockPins struct {
	levels   map[string]*bench.Pin // by the unit's port
	order    []*bench.Pin          // the same, for the stimulus
	wide     []bool                // more than one bit
	events   []bench.Pin           // by the bit of the event
	settings []settingPin
	windows  []windowPins
}

type settingPin struct {
	port string
	pin  bench.Pin
}

type windowPins struct {
	valid, ready bench.Pin
	always       bool // no ready
	fields       []fieldPin
}

type fieldPin struct {
	port string
	bits int
	pin  bench.Pin
}

// newBlocks finds the ports of the blocks by the register map.
func newBlocks(p *params.Params, l *cosim.Layout) (*csr.Map, []blockPins, error) {
	m, err := p.Map()
	if err != nil {
		return nil, nil, err
	}
	ports := bench.NewPorts(unitName, l)
	blocks := make([]blockPins, len(m.Blocks))
	for i, b := range m.Blocks[1:] {
		y := &blocks[i+1]
		y.levels = map[string]*bench.Pin{}
		at := func(port string) bench.Pin { return ports.Pin(params.Prefixed(b.Name, port)) }
		level := func(port string, wide bool) {
			pin := at(port)
			y.levels[port] = &pin
			y.order, y.wide = append(y.order, &pin), append(y.wide, wide)
		}
		for _, r := range b.Registers {
			switch r.Kind {
			case csr.Status:
				for _, f := range r.Bit {
					level(f.Port, false)
				}
			case csr.Counter:
				level(r.Port, true)
			case csr.Events:
				for _, f := range r.Bit {
					y.events = append(y.events, at(f.Port))
				}
			case csr.Setting:
				y.settings = append(y.settings, settingPin{r.Port, at(r.Port)})
			}
		}
		for _, w := range b.Windows {
			z := windowPins{valid: at(w.Name + "_valid"), always: !w.Ready}
			if w.Ready {
				z.ready = at(w.Name + "_ready")
			}
			for _, f := range w.Fields {
				z.fields = append(z.fields, fieldPin{f.Port, f.Bits, at(f.Port)})
			}
			y.windows = append(y.windows, z)
		}
	}
	return m, blocks, ports.Err()
}
