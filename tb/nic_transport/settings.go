// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	contract "github.com/nicgen/nicgen/gen/event"
	echo "github.com/nicgen/nicgen/gen/nic_echo"
	plbports "github.com/nicgen/nicgen/gen/plb"
	power "github.com/nicgen/nicgen/gen/powertcp"
	repsports "github.com/nicgen/nicgen/gen/reps"
	detector "github.com/nicgen/nicgen/gen/reps_detector"
	model "github.com/nicgen/nicgen/model/nic_transport"
	"github.com/nicgen/nicgen/model/plb"
	"github.com/nicgen/nicgen/model/reps"
	"github.com/nicgen/nicgen/tb/bench"
)

// unpredicted are settings on which nothing depends that the checker predicts.
var unpredicted = map[string]bool{
	// When packets leave, and what waits meanwhile, is taken from the RTL.
	"gate.cfg_flush_force": true, "pace.cfg_flush_force": true, "pace.cfg_allowance_ns": true, "pace.cfg_idle_ns": true,
	"queue.cfg_free_on": true, "queue.cfg_free_off": true, "queue.cfg_xon": true, "queue.cfg_xoff": true, "queue.cfg_shim": true,
	// So are LAPS' choices, losses and rates within their limits.
	"laps.cfg_beta": true, "laps.cfg_rto_min_ns": true, "laps.cfg_stages": true,
	// A recovery is never due.
	"transport.cfg_recover": true,
}

// setting sets a setting of a part. One that the checker does not know is a fault: it would be the golden
// model's default in silence.
func (c *Checker) setting(block, port string, v uint64) error {
	b, on := c.b, v != 0
	s := &b.Settings
	switch name := block + "." + port; name {
	case "transport.cfg_label_high":
		s.LabelHigh = uint32(v)
	case "transport.cfg_ask":
		s.Ask = on
		clear(c.silent)
	case "parse_tx.cfg_roce_port":
		s.TX.RoCEPort = uint16(v)
	case "parse_tx.cfg_uet_port":
		s.TX.UETPort = uint16(v)
	case "parse_tx.cfg_max_frame":
		s.TX.MaxFrame = v
	case "parse_rx.cfg_roce_port":
		s.RX.RoCEPort = uint16(v)
	case "parse_rx.cfg_uet_port":
		s.RX.UETPort = uint16(v)
	case "parse_rx.cfg_max_frame":
		s.RX.MaxFrame = v
	case "shim.cfg_ether_type":
		s.EtherType = uint16(v)
	case "queue.cfg_quota":
		s.Quota = v
	case "gate.cfg_init_window":
		b.Gate.Settings.InitWindow = v
	case "gate.cfg_quantum":
		b.Gate.Settings.Quantum = v
		c.limits.quantum.set(c.cycle, v)
	case "gate.cfg_stall_ns":
		c.stallNS = v
		c.limits.stall.set(c.cycle, v)
	case "gate.cfg_flight_ns":
		b.Gate.Settings.Flight = v
	case "gate.cfg_go_back_n":
		b.Gate.Settings.GoBackN = on
	case "laps.cfg_max_rate":
		b.LAPS.Max = v
	case "laps.cfg_min_rate":
		b.LAPS.Min = v
	default:
		return c.partSetting(block, port, v)
	}
	return nil
}

// partSetting sets a setting that a part's contract names.
func (c *Checker) partSetting(block, port string, v uint64) error {
	b, p := c.b, c.p
	switch {
	case block == "reps":
		return bench.Assign(contractOf(c, block, p.REPS), repsports.SettingPorts, b.Path.Settings().(*reps.Settings), port, v)
	case block == "plb":
		return bench.Assign(contractOf(c, block, p.PLB), plbports.SettingPorts, b.Path.Settings().(*plb.Settings), port, v)
	case block == "spray":
		return c.setSpray(b.Path.Settings().(*model.SpraySettings), port, v)
	case block == "reps_detector":
		return bench.Assign(contractOf(c, block, p.Detector), detector.SettingPorts, &b.Detector.Settings, port, v)
	case block == "echo":
		return bench.Assign(contractOf(c, block, p.Echo), echo.SettingPorts, &b.Echo.Settings, port, v)
	case block == "powertcp":
		return bench.Assign(contractOf(c, block, p.PowerTCP), power.SettingPorts, &b.Power.Settings, port, v)
	case unpredicted[block+"."+port]:
		return nil
	}
	return c.fault("s_axil_wdata", "the checker does not know the setting %s of block %s", port, block)
}

// contractOf returns a part's contract, which is made once: software writes many settings.
func contractOf[P contract.Contracted](c *Checker, block string, part func() P) *contract.Contract {
	if c.contracts[block] == nil {
		c.contracts[block] = part().Contract()
	}
	return c.contracts[block]
}

// setSpray sets a setting of the baselines, whose model has the mode of one NIC port.
func (c *Checker) setSpray(s *model.SpraySettings, port string, v uint64) error {
	switch port {
	case "cfg_mode":
		s.Settings.Mode = v & 3
	case "cfg_evs":
		s.Settings.EVs = v
	case "cfg_flowlet_timeout_ns":
		s.Settings.Timeout = v
	case "cfg_hash_seed":
		s.Settings.HashSeed = v
	case "cfg_ev_base":
		s.Base = v
	default:
		return c.fault("s_axil_wdata", "the checker does not know the setting %s of block spray", port)
	}
	return nil
}
