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

// pins are the places of the unit's ports in the vectors.
type pins struct {
	rst                    bench.Pin `port:"rst"`
	awAddr, awValid        bench.Pin `port:"s_axil_awaddr s_axil_awvalid"`
	wData, wStrb, wValid   bench.Pin `port:"s_axil_wdata s_axil_wstrb s_axil_wvalid"`
	bReady, rReady         bench.Pin `port:"s_axil_bready s_axil_rready"`
	arAddr, arValid        bench.Pin `port:"s_axil_araddr s_axil_arvalid"`
	awReady, wReady        bench.Pin `port:"s_axil_awready s_axil_wready"`
	bValid, bResp, arReady bench.Pin `port:"s_axil_bvalid s_axil_bresp s_axil_arready"`
	rValid, rData, rResp   bench.Pin `port:"s_axil_rvalid s_axil_rdata s_axil_rresp"`
	irq                    bench.Pin `port:"irq"`
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

func newPins(p *params.Params, l *cosim.Layout) (*pins, *csr.Map, []blockPins, error) {
	x := &pins{}
	if err := bench.Bind(unitName, l, x); err != nil {
		return nil, nil, nil, err
	}
	m, err := p.Map()
	if err != nil {
		return nil, nil, nil, err
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
	return x, m, blocks, ports.Err()
}
