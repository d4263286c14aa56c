// SPDX-License-Identifier: Apache-2.0

package powertcp

// The arithmetic lanes of the hardware, one by one.

// Power returns the key of a hop's normalised power, as a hop lane computes it: num units of bytes
// arrived in dt ns, which is above 0, at a queue of qlen units.
func (u *Unit) Power(l *Link, num, dt, qlen uint64) uint32 {
	return l.power(u.arrived(num), normalise(dt), l.share(qlen, u.base))
}

// arrived returns the difference of two sums as a number: 0 if it is negative, because
// the queue drained.
func (u *Unit) arrived(num uint64) uint64 {
	num &= u.sum
	if num>>(u.sumBits-3) == 7 {
		return 0
	}
	return num
}

// Smooth performs the ACK lane: the end of an ACK of connection c. The stages before it supply the
// cause, whether the connection is new and whether cwnd_old takes the new window (renew), and for
// Updated the key and dt of the bottleneck hop.
func (u *Unit) Smooth(c uint32, cause Cause, fresh, renew bool, key uint32, dt uint64) Result {
	s := Step{Cause: cause, first: fresh, mark: renew, best: key, dt: dt}
	if uint64(c) < uint64(len(u.conns)) {
		s.c = &u.conns[c]
	}
	return u.Window(&s)
}

// Inverse returns 1/tau per ns as the θ lane computes it: M × 2^-(16+E). A tau of 0 counts
// as 1.
func (u *Unit) Inverse(tau uint32) Float { return inverse(tau) }
