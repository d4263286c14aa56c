// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/powertcp"
	rota "github.com/nicgen/nicgen/internal/sample"
	model "github.com/nicgen/nicgen/model/powertcp"
)

// laneVectors is the number of random inputs of each lane.
const laneVectors = 200_000

// lane is one arithmetic lane alone.
type lane struct {
	*cosim.Sim
	t *testing.T
}

// laneParts are the modules inside a lane.
var laneParts = map[string][]string{"nic_powertcp_ack": {"nic_powertcp_smooth", "nic_powertcp_window", "nic_powertcp_pace"}}

// openLane compiles a module of the unit with the library parts. Each edit
// replaces a text by another before that: a planted bug.
func openLane(t *testing.T, p *params.Params, top string, edits ...string) lane {
	t.Helper()
	files, err := p.Files()
	if err != nil {
		t.Fatal(err)
	}
	src := cosim.Source{Top: top}
	parts := append([]string{top}, laneParts[top]...)
	made := 0
	for _, f := range files {
		own := slices.Contains(parts, strings.TrimSuffix(f.Name, ".sv"))
		if !own && (!strings.HasPrefix(f.Name, "nic_lib_") || strings.HasPrefix(f.Name, "nic_lib_ram")) {
			continue
		}
		for i := 0; own && i < len(edits); i += 2 {
			made += strings.Count(f.Text, edits[i])
			f.Text = strings.Replace(f.Text, edits[i], edits[i+1], 1)
		}
		src.Files = append(src.Files, cosim.File{Name: f.Name, Text: f.Text})
	}
	if made != len(edits)/2 {
		t.Fatalf("%s: of %q %d are there, want each once", top, edits, made)
	}
	m, err := cosim.Open(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return lane{m, t}
}

// octaves draws from 0 to 2^bits - 1, each octave as often as another.
func octaves(r *rand.Rand, bits int) uint64 {
	return r.Uint64() >> (63 - r.IntN(bits)) >> r.IntN(2)
}

// hopInput is the input of a hop lane.
type hopInput struct {
	qlen, sum, time, oldSum, oldTime uint64
	use                              bool
	entry                            uint64
}

// drawHop is a hop as it may occur, or a corner of the formats.
func drawHop(r *rand.Rand, p *params.Params, u *model.Unit) hopInput {
	sum, time := uint64(1)<<p.SumBits()-1, uint64(1)<<p.TimeBits-1
	h := hopInput{
		qlen: octaves(r, int(p.QlenBits)), oldSum: r.Uint64() & sum, oldTime: r.Uint64() & time,
		use: r.IntN(8) > 0, entry: p.Rate(r.IntN(1<<p.RateBits)).Entry() | 1,
	}
	num, dt := octaves(r, p.SumBits()), octaves(r, int(p.TimeBits))
	switch r.IntN(16) {
	case 0:
		h.entry = r.Uint64() | 1
	case 1:
		num = -num
	case 2:
		num, h.qlen = sum>>r.IntN(5), 1<<p.QlenBits-1
	case 3:
		num = 0
	case 4: // 1 + queue/BDP where it no longer fits
		shift := r.IntN(4)
		c1 := 1<<12 + r.Uint64N(1<<17-1<<12)
		h.entry = h.entry&^((1<<17-1)<<23|3<<40) | c1<<23 | uint64(shift)<<40
		h.qlen = min(1<<(26+p.ShiftBase()+4*shift)/c1-r.Uint64N(2), 1<<p.QlenBits-1)
	case 5:
		dt = time >> r.IntN(int(p.TimeBits))
	case 6: // as much arrives as the floor says, or a last bit more or less
		num, dt = max(num, 1), max(dt, 1)
		h.entry = h.entry&(1<<42-1) | uint64(arrival(num, dt)+int64(r.IntN(3))-1)<<42
	}
	if h.use && dt&time == 0 {
		dt = 1
	}
	h.sum, h.time = (h.oldSum+num)&sum, (h.oldTime+dt)&time
	return h
}

// arrival is num/dt as a lane has it, in the form of an entry's floor: the exponent above
// 16 bits of the mantissa.
func arrival(num, dt uint64) int64 {
	n, d := (bits.Len64(num)-1)|1, bits.Len64(dt)-1
	product := num << 16 >> n * uint64(model.Reciprocal(uint32(dt<<16>>d)))
	top := bits.Len64(product) - 1
	return int64(n-d+top-34)<<16 | int64(product>>(top-16)&0xffff)
}

// hopMismatch compares n hops with the model and describes the first difference.
func hopMismatch(m lane, p *params.Params, n int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 0))
	u := model.New(p)
	const rateStage = 10
	in := make([]hopInput, n)
	for i := range in {
		in[i] = drawHop(r, p, u)
	}
	at := func(i int) hopInput {
		if i < 0 || i >= n {
			return hopInput{}
		}
		return in[i]
	}
	bit := map[bool]uint64{true: 1}
	m.Step(20)
	for i := range n + params.HopLatency {
		h := at(i)
		m.Set("s_qlen", h.qlen)
		m.Set("s_sum", h.sum)
		m.Set("s_time", h.time)
		m.Set("s_old_sum", h.oldSum)
		m.Set("s_old_time", h.oldTime)
		m.Set("s_use", bit[at(i-1).use])
		m.Set("s_rate", at(i-rateStage).entry)
		if j := i - params.HopLatency; j >= 0 {
			h := in[j]
			var key, dt uint64
			if h.use {
				link := model.LinkOf(h.entry)
				dt = (h.time - h.oldTime) & (1<<p.TimeBits - 1)
				key = uint64(u.Power(&link, h.sum-h.oldSum, dt, h.qlen))
				dt = min(dt, 1<<p.RTTBits-1)
			}
			if use := m.Get("m_use"); use != bit[h.use] || m.Get("m_key") != key || m.Get("m_dt") != dt {
				return fmt.Sprintf("hop %d %+v: use %d, key %#x, dt %d; want key %#x, dt %d", j, h, use, m.Get("m_key"), m.Get("m_dt"), key, dt)
			}
		}
		m.Step(1)
	}
	if err := m.Err(); err != nil {
		return err.Error()
	}
	return ""
}

// laneConfigs are configurations in which the lanes differ.
func laneConfigs() map[string]*params.Params {
	wide, narrow := params.Default(), params.Default()
	wide.QlenBits, wide.QlenUnit, wide.TxBits, wide.TxUnit, wide.TimeBits = 26, 1, 32, 4096, 32
	narrow.QlenBits, narrow.QlenUnit, narrow.TxBits, narrow.TxUnit, narrow.TimeBits = 8, 4096, 8, 4096, 8
	return map[string]*params.Params{"default": params.Default(), "wide": wide, "narrow": narrow}
}

// TestHopLane compares every key of a hop lane with the model.
func TestHopLane(t *testing.T) {
	t.Parallel()
	for name, p := range laneConfigs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if why := hopMismatch(openLane(t, p, "nic_powertcp_hop"), p, laneVectors, 1); why != "" {
				t.Error(why)
			}
		})
	}
}

// ackInput is the input of the ACK lane.
type ackInput struct {
	valid                              bool
	conn                               uint64
	legal, fresh, store, update, renew bool
	use                                bool
	key, dt                            uint64
	settings                           model.Settings
}

// cause returns the model's name of the input.
func (a *ackInput) cause() model.Cause {
	switch {
	case !a.legal:
		return model.Illegal
	case a.fresh && a.store:
		return model.First
	case a.fresh:
		return model.NoSample
	case a.use:
		return model.Updated
	case a.update:
		return model.Stale
	}
	return model.Changed
}

// drawSettings are settings as they may occur, or anything that the ports hold.
func drawSettings(r *rand.Rand, p *params.Params) model.Settings {
	tau := 100 + octaves(r, int(p.RTTBits)-1)
	m, e := (&params.Params{TauNS: int64(tau)}).InvTau()
	s := model.Settings{
		Gamma: uint32(r.IntN(1<<16 + 1)), Beta: uint32(octaves(r, 22)), Tau: uint32(tau), InvTauM: m, InvTauE: uint8(e),
		MinWindow: uint32(octaves(r, 14)), InitPower: uint32(1<<18 + octaves(r, 18)),
	}
	s.MaxWindow = s.MinWindow + uint32(octaves(r, 24))
	switch r.IntN(8) {
	case 0: // windows and quotients at the upper end of their formats
		s.Gamma, s.MinWindow, s.MaxWindow = uint32(octaves(r, 16)), 0, 1<<25-1
		s.InitPower = 1<<16 + r.Uint32N(3<<16)
	case 1:
		s.Gamma, s.InitPower = r.Uint32N(1<<17), r.Uint32N(1<<26)
		s.InvTauM, s.InvTauE = r.Uint32N(1<<17), uint8(r.IntN(32))
		s.MaxWindow = r.Uint32N(1 << 25)
		s.MinWindow = r.Uint32N(s.MaxWindow + 1)
	}
	return s
}

// drawAck is an ACK of one of conns connections, of which have says which have state.
func drawAck(r *rand.Rand, p *params.Params, have []bool, s model.Settings) ackInput {
	a := ackInput{valid: r.IntN(8) > 0, conn: r.Uint64N(uint64(len(have))), legal: true, settings: s}
	kind := r.IntN(64)
	switch a.fresh = !have[a.conn]; {
	case !a.valid:
		a.legal, a.fresh, a.update = r.IntN(2) > 0, r.IntN(2) > 0, r.IntN(2) > 0
	case kind == 0:
		a.conn, a.legal, a.fresh = uint64(p.Connections)+r.Uint64N(1<<p.ConnBits-uint64(p.Connections)), false, r.IntN(2) > 0
	case a.fresh:
		a.store = r.IntN(4) > 0
	case kind > 8:
		a.update = true
		a.renew = r.IntN(4) == 0
		a.use = r.IntN(16) > 0
	}
	if a.use {
		a.key = uint64(r.IntN(32))<<16 | r.Uint64N(1<<16)
		if r.IntN(4) > 0 {
			a.key = uint64(6+r.IntN(6))<<16 | r.Uint64N(1<<16)
		}
		a.dt = octaves(r, int(p.RTTBits))
		switch tau := uint64(s.Tau); r.IntN(4) {
		case 0:
			a.dt = r.Uint64N(tau + 1)
		case 1:
			a.dt = min(tau/(1+r.Uint64N(2))+r.Uint64N(5)-min(tau, 2), 1<<p.RTTBits-1)
		}
		a.dt = max(a.dt, 1)
	}
	return a
}

// memory is a block RAM with its output register: data stand two cycles after the address.
type memory struct {
	name string
	rows []uint64
	read uint64 // the word that the register takes next
}

// step takes the lane's inputs before a clock edge, and returns the data after it.
func (x *memory) step(m lane) (data uint64) {
	data, x.read = x.read, x.rows[m.Get(x.name+"_rd_addr")]
	if m.Get(x.name+"_wr_en") != 0 {
		x.rows[m.Get(x.name+"_wr_addr")] = m.Get(x.name + "_wr_data")
	}
	return data
}

// ackMismatch compares n ACKs with the model and describes the first difference.
// ACKs of a connection follow each other as closely as the lane allows.
func ackMismatch(m lane, p *params.Params, n int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	u := model.New(p)
	have := make([]bool, min(p.Connections, 16))
	last := make([]int, len(have))
	for i := range last {
		last[i] = -params.AckLoop
	}
	want := make([]model.Result, n)
	in := make([]ackInput, n)
	settings, gap := u.Settings, 0
	for i := range in {
		// 1/τ is read at two stages, so it changes in a gap.
		if gap == 0 && r.IntN(512) == 0 {
			gap = 32
		}
		if gap == 16 {
			settings = drawSettings(r, p)
		}
		if gap > 0 {
			gap--
			in[i] = ackInput{settings: settings}
			continue
		}
		a := drawAck(r, p, have, settings)
		if a.valid && a.legal {
			if i-last[a.conn] < params.AckLoop {
				a.valid, a.store, a.update, a.use = false, false, false, false
			} else {
				last[a.conn] = i
				have[a.conn] = have[a.conn] || a.store
				if r.IntN(256) == 0 {
					have[a.conn] = false // flushed
				}
			}
		}
		if in[i] = a; a.valid {
			u.Settings = settings
			want[i] = u.Smooth(uint32(a.conn), a.cause(), a.fresh, a.renew || a.store, uint32(a.key), a.dt)
		}
	}
	at := func(i int) *ackInput { return &in[max(0, min(i, n-1))] }
	bit := map[bool]uint64{true: 1}
	power := memory{name: "power", rows: make([]uint64, p.Connections)}
	window := memory{name: "window", rows: make([]uint64, p.Connections)}
	old := memory{name: "old", rows: make([]uint64, p.Connections)}
	m.Set("rst", 1)
	m.Step(40)
	m.Set("rst", 0)
	for i := range n + params.AckLatency {
		a := at(i)
		m.Set("s_valid", bit[a.valid && i < n])
		m.Set("s_conn", a.conn)
		m.Set("s_legal", bit[a.legal])
		m.Set("s_fresh", bit[a.fresh])
		m.Set("s_store", bit[a.store])
		m.Set("s_update", bit[a.update])
		m.Set("s_use", bit[a.use])
		m.Set("s_renew", bit[a.renew])
		m.Set("s_key", a.key)
		m.Set("s_dt", a.dt)
		m.Set("s_tau", uint64(a.settings.Tau))
		m.Set("s_inv_m", uint64(at(i-7).settings.InvTauM))
		m.Set("s_inv_e", uint64(at(i-7).settings.InvTauE))
		m.Set("s_pace_m", uint64(at(i-31).settings.InvTauM))
		m.Set("s_pace_e", uint64(at(i-31).settings.InvTauE))
		m.Set("cfg_init_power", uint64(at(i-10).settings.InitPower))
		m.Set("cfg_beta", uint64(at(i-26).settings.Beta))
		m.Set("cfg_gamma", uint64(at(i-27).settings.Gamma))
		m.Set("cfg_min_window", uint64(at(i-30).settings.MinWindow))
		m.Set("cfg_max_window", uint64(at(i-30).settings.MaxWindow))
		if j := i - params.AckLatency; j >= 0 {
			if why := in[j].compare(m, &want[j]); why != "" {
				return fmt.Sprintf("ACK %d %+v: %s", j, in[j], why)
			}
		}
		p, w, o := power.step(m), window.step(m), old.step(m)
		m.Step(1)
		m.Set("power_rd_data", p)
		m.Set("window_rd_data", w)
		m.Set("old_rd_data", o)
	}
	if err := m.Err(); err != nil {
		return err.Error()
	}
	return ""
}

// compare returns the difference of the result at the lane's ports from the model's.
func (a *ackInput) compare(m lane, want *model.Result) string {
	bit := map[bool]uint64{true: 1}
	if got := m.Get("m_valid"); got != bit[a.valid] {
		return fmt.Sprintf("m_valid %d", got)
	}
	if !a.valid {
		return ""
	}
	for _, x := range []struct {
		port string
		want uint64
	}{
		{"m_conn", a.conn}, {"m_norm", uint64(want.Norm)}, {"m_power", uint64(want.Power)}, {"m_bytes", uint64(want.Window)},
		{"m_rate", uint64(want.Rate)}, {"m_low", bit[want.Low]}, {"m_high", bit[want.High]},
	} {
		if got := m.Get(x.port); got != x.want {
			return fmt.Sprintf("%s %#x, want %#x", x.port, got, x.want)
		}
	}
	return ""
}

// TestAckLane compares every result of the ACK lane with the model.
func TestAckLane(t *testing.T) {
	t.Parallel()
	p := params.Default()
	if why := ackMismatch(openLane(t, p, "nic_powertcp_ack"), p, laneVectors, 1); why != "" {
		t.Error(why)
	}
}

// thetaInput is the input of the θ lane.
type thetaInput struct {
	rtt, was, now, before, tau uint64
	use                        bool
	settings                   model.Settings
}

// drawTheta is an ACK as it may occur, or a corner of the formats.
func drawTheta(r *rand.Rand, p *params.Params) thetaInput {
	rtt, now := uint64(1)<<p.RTTBits-1, uint64(1)<<p.NowBits-1
	a := thetaInput{was: octaves(r, int(p.RTTBits)), before: r.Uint64() & now, tau: octaves(r, int(p.RTTBits)), use: r.IntN(8) > 0}
	change, dt := octaves(r, int(p.RTTBits)), octaves(r, int(p.NowBits))
	switch r.IntN(4) {
	case 0:
		change = -change
	case 1:
		change = (dt >> r.IntN(4)) * (1 + r.Uint64N(4)) / 2
	case 2:
		change = -min(a.was, dt>>r.IntN(3))
	}
	a.rtt, a.now = (a.was+change)&rtt, (a.before+max(dt, 1))&now
	if a.use {
		a.rtt = max(a.rtt, 1)
		a.tau = min(a.tau, a.rtt)
	}
	a.settings.ThetaFloor = 1 + uint32(octaves(r, 17))
	a.settings.InvTarget = r.Uint32N(1 << 17)
	if r.IntN(16) == 0 {
		a.settings.ThetaFloor = r.Uint32N(1 << 17)
	}
	a.settings.ThetaFloor &= 1<<17 - 1
	return a
}

// thetaMismatch compares n ACKs with the model and describes the first difference.
func thetaMismatch(m lane, p *params.Params, n int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 2))
	u := model.New(p)
	in := make([]thetaInput, n)
	for i := range in {
		in[i] = drawTheta(r, p)
	}
	at := func(i int) *thetaInput { return &in[max(0, min(i, n-1))] }
	bit := map[bool]uint64{true: 1}
	for i := range n + params.HopLatency {
		a := at(i)
		m.Set("s_rtt", a.rtt)
		m.Set("s_old_rtt", a.was)
		m.Set("s_now", a.now)
		m.Set("s_old_now", a.before)
		m.Set("s_use", bit[at(i-1).use])
		m.Set("s_tau", at(i-2).tau)
		m.Set("cfg_inv_target", uint64(at(i-4).settings.InvTarget))
		m.Set("cfg_theta_floor", uint64(at(i-14).settings.ThetaFloor))
		if j := i - params.HopLatency; j >= 0 {
			a := in[j]
			u.Settings = a.settings
			inv := u.Inverse(uint32(a.tau))
			var key, dt uint64
			if a.use {
				dt = (a.now - a.before) & (1<<p.NowBits - 1)
				key = uint64(u.Gradient(uint32(a.rtt), uint32(a.was), dt, uint32(a.tau)))
				dt = min(dt, 1<<p.RTTBits-1)
			}
			for _, x := range []struct {
				port string
				want uint64
			}{
				{"m_use", bit[a.use]}, {"m_key", key}, {"m_dt", dt}, {"m_tau", a.tau}, {"m_inv_tau_m", uint64(inv.M)}, {"m_inv_tau_e", uint64(inv.E)},
			} {
				if got := m.Get(x.port); got != x.want {
					return fmt.Sprintf("ACK %d %+v: %s %#x, want %#x", j, a, x.port, got, x.want)
				}
			}
		}
		m.Step(1)
	}
	if err := m.Err(); err != nil {
		return err.Error()
	}
	return ""
}

// TestThetaLane compares every result of the θ lane with the model.
func TestThetaLane(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(p *params.Params){
		"default": func(p *params.Params) {},
		"wide":    func(p *params.Params) { p.RTTBits = 26 },
		"narrow":  func(p *params.Params) { p.RTTBits, p.NowBits, p.TauNS = 8, 24, 200 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := params.Default()
			p.Variant = params.Theta
			change(p)
			if why := thetaMismatch(openLane(t, p, "nic_powertcp_theta"), p, laneVectors, 1); why != "" {
				t.Error(why)
			}
		})
	}
}

// TestLaneBugs plants bugs in the lanes and sees that the comparison finds them.
func TestLaneBugs(t *testing.T) {
	t.Parallel()
	hop := func(m lane, p *params.Params) string { return hopMismatch(m, p, laneVectors, 1) }
	ack := func(m lane, p *params.Params) string { return ackMismatch(m, p, laneVectors, 1) }
	theta := func(m lane, p *params.Params) string { return thetaMismatch(m, p, laneVectors, 1) }
	for _, x := range []struct {
		name, top, variant, from, to string
		run                          func(lane, *params.Params) string
	}{
		{"a drained queue counts", "nic_powertcp_hop", params.INT, "if (p9_drained) begin", "if (p9_drained && 1'b0) begin", hop},
		{"the factor of the queue wraps", "nic_powertcp_hop", params.INT, "if (p14_more_q || p14_v[26]) begin", "if (p14_more_q || p14_v[26] && 1'b0) begin", hop},
		{"floor compared without its exponent's sign", "nic_powertcp_hop", params.INT, "{~p13_floor_e[6],", "{p13_floor_e[6],", hop},
		{"floor compared without its last bit", "nic_powertcp_hop", params.INT, "p13_floor_e[5:0], p14_floor_q[37:22]}", "p13_floor_e[5:0], p14_floor_q[37:23], 1'b0}", hop},
		{"tau/2 itself counts as near", "nic_powertcp_ack", params.INT, "p1_left_q[DT_W-1:0] <= p1_dt_q", "p1_left_q[DT_W-1:0] < p1_dt_q", ack},
		{"weight above 1", "nic_powertcp_ack", params.INT, "if (overflow) begin", "if (overflow && 1'b0) begin", ack},
		{"power below 2^-6", "nic_powertcp_ack", params.INT, "if (p19_low_q) begin", "if (p19_low_q && 1'b0) begin", ack},
		{"step cut instead of rounded", "nic_powertcp_ack", params.INT, "+ 29'(p30_step_q[15])", "+ 29'(p30_step_q[15] && 1'b0)", ack},
		{"quotient not saturated", "nic_powertcp_ack", params.INT, "if (p26_over || p26_target[26:23] == '1) begin", "if (p26_over || p26_target[26:23] == '1 && 1'b0) begin", ack},
		{"gradient not saturated", "nic_powertcp_theta", params.Theta, "p14_gradient_q[26:24] != '0", "p14_gradient_q[26:24] == '1", theta},
		{"exponent of 1/tau", "nic_powertcp_theta", params.Theta, "p13_inv_e_q <= p12_tau_e + 5'd1;", "p13_inv_e_q <= p12_tau_e | 5'd1;", theta},
	} {
		if rota.LeftOut(t.Name() + "/" + x.name) {
			continue
		}
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			p := params.Default()
			p.Variant = x.variant
			if x.run(openLane(t, p, x.top, x.from, x.to), p) == "" {
				t.Errorf("%s: not noticed", x.name)
			}
		})
	}
}
