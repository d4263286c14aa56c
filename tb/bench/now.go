// SPDX-License-Identifier: Apache-2.0

package bench

import "math/bits"

// Now is a cycle as the golden side and its coverage see it.
type Now struct {
	Cycle   uint64
	Known   bool   // a reset has acted
	Rst     bool   // rst is high
	Acting  bool   // a reset acts in this cycle
	Ready   bool   // the unit is ready, at the beginning of the cycle
	On      uint32 // transfers that are taken, a bit for each event in the contract's order
	Offered uint32 // transfers that are offered
	Dropped int    // number of transfers that were offered while the unit was not ready, and lost
	Illegal int    // number of illegal events so far in this cycle
	In      []uint64

	want, care []uint64
	step       []counterStep
	f          *Frame
	ring       *ring
}

// counterStep is the place of a counter.
type counterStep struct {
	word  int
	shift uint8
	delay uint8
}

// Count adds one to a counter if is is true, as many cycles later as the contract says.
func (n *Now) Count(counter int, is bool) {
	s := &n.step[counter]
	var x uint64
	if is {
		x = 1
	}
	n.ring.all[n.ring.at(n.Cycle+uint64(s.delay))+s.word] += x << (s.shift & 63)
}

// CountN adds k to a counter after some cycles, at least one.
func (n *Now) CountN(counter int, k uint64, cycles int) {
	s := &n.step[counter]
	n.ring.all[n.ring.at(n.Cycle+uint64(cycles))+s.word] += k << (s.shift & 63)
}

// CountIllegal counts an illegal event and shows its pulse.
func (n *Now) CountIllegal() { n.CountIllegalOf(0) }

// CountIllegalOf counts an illegal event that came some cycles ago and shows its pulse.
func (n *Now) CountIllegalOf(ago uint64) {
	f := n.f
	n.Illegal++
	if f.illegal >= 0 {
		n.CountN(f.illegal, 1, int(n.step[f.illegal].delay)-int(ago))
	}
	f.ring.all[f.ring.at(n.Cycle+f.pulseAfter-ago)+f.ring.words+f.pulse.Word] |= f.pulse.Bit
}

// Forget says that no output of the present cycle is known: for a golden side whose inputs were beyond
// their limits.
func (n *Now) Forget() {
	clear(n.want)
	clear(n.care)
}

// Later are the outputs some cycles from now and the mask of those that count, to be written where
// zeros are. 0 cycles is the present one.
func (n *Now) Later(cycles uint64) (want, care []uint64) {
	if cycles == 0 {
		return n.want, n.care
	}
	r := n.ring
	at := r.at(n.Cycle + cycles)
	return r.all[at+r.words : at+2*r.words], r.all[at+2*r.words : at+3*r.words]
}

// Raise sets the lowest bit of an output in the present cycle.
func (n *Now) Raise(p *Pin) { p.Raise(n.want) }

// Sample passes the settings of the cycle to the golden side, for a Begin that reads them: without it,
// the frame does so only before events.
func (n *Now) Sample() { n.f.sample(n.In) }

// More says that the event that a rule executes goes on with another transfer: the frame counts an event
// with its last one.
func (n *Now) More() { n.f.Accepted-- }

// Lose ends all predictions until the next reset: a unit whose ports were used against its interface
// is not judged.
func (n *Now) Lose() { n.f.Known = false }

// SetReady makes the unit ready, or not, from the next cycle on: for a golden side whose contract has
// no Sweep.
func (n *Now) SetReady(is bool) { n.f.up = is }

// ring holds what shows in the cycles to come: for each of them what counters gain, outputs, and the
// mask of the outputs that count.
type ring struct {
	words  int
	stride int
	mask   uint64
	all    []uint64
}

func newRing(words, longest int) ring {
	depth := 1 << bits.Len(uint(longest))
	return ring{words, 3 * words, uint64(depth - 1), make([]uint64, depth*3*words)}
}

func (r *ring) at(cycle uint64) int { return int(cycle&r.mask) * r.stride }
