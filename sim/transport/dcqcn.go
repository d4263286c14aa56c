// SPDX-License-Identifier: Apache-2.0

package transport

// DCQCN is the congestion control of RoCEv2 NICs (Zhu et al., "Congestion Control for Large-Scale RDMA Deployments",
// SIGCOMM 2015, §5), as ConnectX NICs have it: a marked acknowledgement stands for a CNP; the rate is cut at most once in a
// Decrease, alpha follows the marks every Alpha, and after each Timer without a cut the rate goes half of the way to the
// target, which grows after Fast of them, by Additive, then by Hyper. Timers are looked at when an acknowledgement comes.
// There is no byte counter, as in the simulators that have this variant.
//
// Rates are in bytes a ns, times in ns.
type DCQCN struct {
	Line, Least     float64
	Alpha, Decrease uint64
	Timer           uint64
	Gain            float64 // g
	Fast            int
	Additive, Hyper float64
	Clamp           bool    // each cut makes the rate before it the target, not only the first one after an increase
	Window          float64 // bytes under way

	flows []dcqcn
}

type dcqcn struct {
	rate, target, alpha float64
	started             bool // there was a CNP
	seen, cut           bool // a CNP since the last look for alpha, for a decrease
	nextAlpha, nextCut  uint64
	nextRaise           uint64
	stage               int
}

// Open implements Rate.
func (d *DCQCN) Open(conn int, _ uint64) Grant {
	for conn >= len(d.flows) {
		d.flows = append(d.flows, dcqcn{})
	}
	d.flows[conn] = dcqcn{rate: d.Line, target: d.Line, alpha: 1}
	return d.grant(conn)
}

func (d *DCQCN) grant(conn int) Grant { return Grant{Window: d.Window, Rate: d.flows[conn].rate} }

// Ack implements Rate.
func (d *DCQCN) Ack(conn int, a *Ack) Grant {
	d.ack(&d.flows[conn], a.Now, a.Marked)
	return d.grant(conn)
}

// Lost implements Rate.
func (d *DCQCN) Lost(conn int, _ *Loss) Grant { return d.grant(conn) }

// ack lets timers up to now fire, in order, and takes a mark.
func (d *DCQCN) ack(f *dcqcn, now uint64, marked bool) {
	for f.started {
		next := min(f.nextAlpha, f.nextCut, f.nextRaise)
		if next > now {
			break
		}
		switch next {
		case f.nextAlpha:
			f.alpha *= 1 - d.Gain
			if f.seen {
				f.alpha += d.Gain
			}
			f.seen = false
			f.nextAlpha += d.Alpha
		case f.nextCut:
			f.nextCut += d.Decrease
			if f.cut {
				d.decrease(f, next)
			}
		default:
			d.increase(f)
			f.nextRaise += d.Timer
		}
	}
	if !marked {
		return
	}
	f.seen, f.cut = true, true
	if !f.started {
		f.started, f.alpha, f.seen, f.target = true, 1, false, f.rate
		f.nextAlpha, f.nextCut, f.nextRaise = now+d.Alpha, now+d.Decrease, now+d.Timer
	}
}

func (d *DCQCN) decrease(f *dcqcn, now uint64) {
	if f.stage > 0 || d.Clamp {
		f.target = f.rate
	}
	f.rate = max(d.Least, f.rate*(1-f.alpha/2))
	f.cut, f.stage = false, 0
	f.nextRaise = now + d.Timer
}

func (d *DCQCN) increase(f *dcqcn) {
	switch {
	case f.stage < d.Fast:
	case f.stage == d.Fast:
		f.target += d.Additive
	default:
		f.target += d.Hyper
	}
	f.target = min(f.target, d.Line)
	f.rate = (f.rate + f.target) / 2
	f.stage++
}
