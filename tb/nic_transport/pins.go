// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"errors"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/tb/bench"
)

// pin is short for a Pin.
type pin = bench.Pin

// stream are the pins of a stream of frames.
type stream struct {
	name                                 string
	data, keep, valid, ready, last, user bench.Pin
}

func newStream(p *bench.Ports, name string) stream {
	pin := func(what string) bench.Pin { return p.Pin(name + "_t" + what) }
	return stream{name, pin("data"), pin("keep"), pin("valid"), pin("ready"), pin("last"), pin("user")}
}

// event are the pins of a traced event.
type event struct {
	name  string
	valid bench.Pin
	field map[string]*bench.Pin
}

// get is a field of an event; 0 if it has none of the name.
func (e *event) get(v []uint64, field string) uint64 { return e.field[field].Get(v) }

// flowPins are the pins of what tells the host to stop.
type flowPins struct {
	valid, ready, conn, off bench.Pin `port:"m_flow_valid m_flow_ready m_flow_conn m_flow_off"`
}

// pins are the places of the block's ports in the vectors.
type pins struct {
	rst bench.Pin `port:"rst"`
	now bench.Pin `port:"now_ns"`

	cpl, cplTag bench.Pin `port:"m_cpl_valid m_cpl_tag"`

	awAddr, awValid, awReady       bench.Pin `port:"s_axil_awaddr s_axil_awvalid s_axil_awready"`
	wData, wStrb, wValid, wReady   bench.Pin `port:"s_axil_wdata s_axil_wstrb s_axil_wvalid s_axil_wready"`
	bValid, bReady                 bench.Pin `port:"s_axil_bvalid s_axil_bready"`
	arAddr, arValid, arReady       bench.Pin `port:"s_axil_araddr s_axil_arvalid s_axil_arready"`
	rData, rValid, rReady          bench.Pin `port:"s_axil_rdata s_axil_rvalid s_axil_rready"`
	flow                           flowPins
	hostTX, wireTX, wireRX, hostRX stream
	trace                          map[string]*event
}

func newPins(p *params.Params, l *cosim.Layout) (*pins, error) {
	x := &pins{trace: map[string]*event{}}
	err := errors.Join(bench.Bind(unitName, l, x), bench.Bind(unitName, l, &x.flow))
	ports := bench.NewPorts(unitName, l)
	x.hostTX, x.wireTX = newStream(ports, "s_axis_tx"), newStream(ports, "m_axis_tx")
	x.wireRX, x.hostRX = newStream(ports, "s_axis_rx"), newStream(ports, "m_axis_rx")
	for _, e := range p.TraceEvents() {
		at := &event{name: e.Name, valid: ports.Pin("m_trace_" + e.Name + "_valid"), field: map[string]*bench.Pin{}}
		for _, f := range e.Fields {
			pin := ports.Pin("m_trace_" + e.Name + "_" + f.Name)
			at.field[f.Name] = &pin
		}
		x.trace[e.Name] = at
	}
	return x, errors.Join(err, ports.Err())
}
