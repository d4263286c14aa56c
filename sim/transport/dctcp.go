// SPDX-License-Identifier: Apache-2.0

package transport

// Rate is the half of a transport that says how fast it may send.
type Rate interface {
	Open(conn int, now uint64) Grant
	Ack(conn int, a *Ack) Grant
	Lost(conn int, l *Loss) Grant
}

// Pace makes a transport of two halves. It closes Paths that are an io.Closer.
func Pace(r Rate, p Paths) Transport { return &paced{r, p} }

type paced struct {
	rate  Rate
	paths Paths
}

func (x *paced) Open(conn int, now uint64) (Grant, error)  { return x.rate.Open(conn, now), nil }
func (x *paced) Send(conn int, now uint64) (Choice, error) { return x.paths.Send(conn, now) }

func (x *paced) Ack(conn int, a *Ack) (Grant, error) {
	note, err := x.paths.Ack(conn, a)
	g := x.rate.Ack(conn, a)
	g.Note = note
	return g, err
}

func (x *paced) Lost(conn int, l *Loss) (Grant, error) {
	note, err := x.paths.Lost(conn, l)
	g := x.rate.Lost(conn, l)
	g.Note = note
	return g, err
}

// Close implements io.Closer.
func (x *paced) Close() error { return Close(x.paths) }

// round counts the packets of a round trip: it is over when as many are acknowledged as were under way when it
// began. A connection has sent packets, and acknowledgements came for some.
type round struct {
	sent, acked uint64
	end         uint64 // of acked
	marked, all uint64 // of the round
}

// ack counts an acknowledgement. If it ends the round, that starts anew, and fraction is how much of it was marked.
func (r *round) ack(marked bool) (over bool, fraction float64) {
	r.acked++
	r.all++
	if marked {
		r.marked++
	}
	if r.acked < r.end {
		return false, 0
	}
	fraction = float64(r.marked) / float64(r.all)
	r.marked, r.all, r.end = 0, 0, max(r.sent, r.acked+1)
	return true, fraction
}

// DCTCP is DCTCP (Alizadeh et al., SIGCOMM 2010) by rates, as RDMA simulators have it: once in a round trip
// alpha follows the marks, and the rate grows; the first mark of one cuts the rate. Rates are in bytes a ns.
type DCTCP struct {
	Line, Least float64
	Additive    float64
	Gain        float64 // g
	Window      float64 // bytes under way

	flows []dctcp
}

type dctcp struct {
	rate, alpha float64
	end         uint64 // of the round, ns
	marked, all uint64 // packets of it
	cut         bool   // in it
}

// Open implements Rate.
func (d *DCTCP) Open(conn int, _ uint64) Grant {
	for conn >= len(d.flows) {
		d.flows = append(d.flows, dctcp{})
	}
	d.flows[conn] = dctcp{rate: d.Line, alpha: 1}
	return d.grant(conn)
}

func (d *DCTCP) grant(conn int) Grant { return Grant{Window: d.Window, Rate: d.flows[conn].rate} }

// Ack implements Rate.
func (d *DCTCP) Ack(conn int, a *Ack) Grant {
	f := &d.flows[conn]
	f.all++
	if a.Marked {
		f.marked++
	}
	if a.Now >= f.end { // a round trip after the last one
		f.alpha += d.Gain * (float64(f.marked)/float64(f.all) - f.alpha)
		if f.marked == 0 {
			f.rate = min(d.Line, f.rate+d.Additive)
		}
		f.marked, f.all, f.cut, f.end = 0, 0, false, a.Now+a.RTT
	}
	if a.Marked && !f.cut {
		f.cut = true
		f.rate = max(d.Least, f.rate*(1-f.alpha/2))
	}
	return d.grant(conn)
}

// Lost implements Rate.
func (d *DCTCP) Lost(conn int, _ *Loss) Grant { return d.grant(conn) }

// WindowDCTCP is DCTCP (RFC 8257) by windows, in bytes: once in a round trip alpha follows the marks, the first mark of one cuts the
// window, and a time-out leaves the least window. A window of which less than half is used does not grow (RFC 7661).
type WindowDCTCP struct {
	MTU   float64 // bytes of a packet on the wire
	First float64 // window of a new connection
	Most  float64
	Least float64
	Gain  float64 // g

	flows []windowDCTCP
}

type windowDCTCP struct {
	window, threshold float64
	alpha             float64
	end, cut          uint32 // packets that end the round, and the time without another cut
	marked, all       uint64 // packets of the round
}

// Open implements Window.
func (d *WindowDCTCP) Open(conn int) float64 {
	for conn >= len(d.flows) {
		d.flows = append(d.flows, windowDCTCP{})
	}
	d.flows[conn] = windowDCTCP{window: d.First, threshold: d.Most, alpha: 1}
	return d.First
}

// Ack implements Window.
func (d *WindowDCTCP) Ack(conn int, a *Ack) float64 {
	f := &d.flows[conn]
	if a.Again {
		return f.window
	}
	f.all++
	if a.Marked {
		f.marked++
	}
	if a.Seq >= f.end {
		f.alpha += d.Gain * (float64(f.marked)/float64(f.all) - f.alpha)
		f.marked, f.all, f.end = 0, 0, a.Next
	}
	switch used := float64(a.Next-a.First+1) * d.MTU; {
	case a.Marked && a.Seq >= f.cut:
		f.cut = a.Next
		f.window *= 1 - f.alpha/2
		f.threshold = f.window
	case a.Marked || 2*used < f.window:
	case f.window < f.threshold:
		f.window += d.MTU
	default:
		f.window += d.MTU * d.MTU / f.window
	}
	f.window = min(max(f.window, d.Least), d.Most)
	return f.window
}

// Lost implements Window.
func (d *WindowDCTCP) Lost(conn int, l *Loss) float64 {
	f := &d.flows[conn]
	if f.window > d.Least {
		f.threshold = max(f.window/2, d.Least)
	}
	f.window = d.Least
	return f.window
}

// PLB is Algorithm 1 of Qureshi et al., "PLB: Congestion Signals are Simple and Effective for Network Load Balancing",
// SIGCOMM 2022, with its defaults: after 3 round trips in a row in which half of the packets were marked, a connection with nothing
// under way takes a new random EV, and after 12 any one does.
func PLB(h *Host) Paths {
	p := &plb{ecmp: ECMP(h).(ecmp), rnd: random(h).Uint32, flows: make([]plbFlow, h.Connections)}
	return p
}

const (
	plbFraction = 0.5 // K
	plbIdle     = 3   // M
	plbForced   = 12  // N
)

type plb struct {
	ecmp
	rnd   func() uint32
	flows []plbFlow
}

type plbFlow struct {
	round
	congested int // rounds in a row
}

// Send implements Paths.
func (p *plb) Send(conn int, now uint64) (Choice, error) {
	f := &p.flows[conn]
	if f.congested >= plbForced || f.congested >= plbIdle && f.sent == f.acked {
		f.congested = 0
		p.ecmp[conn] = p.rnd() & 0xffff
	}
	f.sent++
	return p.ecmp.Send(conn, now)
}

// Ack implements Paths.
func (p *plb) Ack(conn int, a *Ack) (uint8, error) {
	f := &p.flows[conn]
	if over, fraction := f.ack(a.Marked); over {
		if f.congested++; fraction < plbFraction {
			f.congested = 0
		}
	}
	return 0, nil
}
