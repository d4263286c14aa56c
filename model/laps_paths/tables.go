// SPDX-License-Identifier: Apache-2.0

// Package lapspaths is the golden model of the LAPS path tables: the Path Search Table, the Path
// Information Table and Algorithm 1 of Wan et al., "LAPS: Latency Aware Packet Spraying", up to the
// choice. docs/units/laps_paths.md has the decisions where the paper leaves a choice.
//
// A cycle is, in this order: Begin; at most one Change, by Take and Do; at most one
// Packet. Only the numbers of cycles between events count.
package lapspaths

import (
	"fmt"
	"math/bits"

	params "github.com/nicgen/nicgen/gen/laps_paths"
)

// Op is the operation of a Change.
type Op uint8

// The first four are operations of the configuration port, with the same numbers.
const (
	List   Op = params.OpList   // put Pid into the set that is being prepared
	Commit Op = params.OpCommit // assign that set, and Scale, to Dst
	Path   Op = params.OpPath   // write Pid: Dst, Delay, Base, Anchors
	Remove Op = params.OpRemove // forget whose Pid is
	Ack    Op = 4               // Delay was measured on Pid
	Answer Op = 5               // the same, by a probe
)

// Scale is the factor of a latency: Mantissa / 2^Exponent is in 2^-9 octaves a ns.
type Scale struct {
	Mantissa uint16
	Exponent uint8 // below 32
}

// Word returns the scale in the format of s_cfg_scale: the exponent above the mantissa.
func (s Scale) Word() uint64 { return uint64(s.Exponent)<<params.MantissaBits | uint64(s.Mantissa) }

// UnpackScale undoes Scale.Word; bits above the exponent are ignored.
func UnpackScale(word uint64) Scale {
	return Scale{Mantissa: uint16(word), Exponent: uint8(word >> params.MantissaBits & (1<<params.ExponentBits - 1))}
}

// Change is an ACK, a probe's answer or a change of the tables.
type Change struct {
	Op      Op
	Pid     uint32
	Dst     uint32 // of Ack and Answer, and of List: set by Take
	Delay   int64  // ns; below 0 counts as 0, more than a latency can be as that
	Base    uint32 // ns
	Scale   Scale
	Anchors []uint32
}

// Outcome is the fate of a Change.
type Outcome uint8

const (
	Done    Outcome = iota // it is carried out
	Stray                  // an ACK or answer of a path that belongs to no destination
	Illegal                // it names a nonexistent object, or lists a path that was not written
)

// Counters count events since the last reset; they do not wrap here.
type Counters struct {
	Packet, NoPath, Probe, ProbeWait, Ack, Answer, Stray, Config, Illegal uint64
}

// State is the banks' state of a path.
type State struct {
	Deadline uint64 // after it the path has expired, ns
	Latency  uint32 // realVal, ns
	Weight   uint16 // d, UQ5.9 octaves
}

// String describes the state for people.
func (s State) String() string {
	return fmt.Sprintf("latency %d ns, d %d/512 octaves, expires after %d ns", s.Latency, s.Weight, s.Deadline)
}

// Candidates are the paths that a packet may take.
type Candidates struct {
	Usable   uint32     // bit b: there is a path in bank b
	Rows     [32]uint16 // by bank: its row, or 0
	Weight   [32]uint16 // by bank: d after doubling
	Probe    int64      // the path that is probed, -1 if none
	Wait     bool       // one has expired, but another write is due
	Held     uint32     // bit b: doubled by a probe of one to four cycles before
	Expired  uint32     // bit b: the path in bank b has expired
	Saturate bool       // the probe's doubling reached the end of the latency or of d
}

// Operands are the operands that an ACK supplies to rate control.
type Operands struct {
	Usable  uint32
	Latency [32]uint32 // realVal, by bank
	Base    [32]uint32 // baseVal, by bank
	Longest uint32     // T: the largest baseVal of the set, when its paths were listed
}

// probe is one on its way to the banks.
type probe struct {
	cycle  uint64
	dst    uint32
	bank   uint
	pid    uint32
	state  State // state to be written
	undone bool
}

// Tables is the unit's state. New makes one; Count may be read at any time.
type Tables struct {
	Count Counters

	banks, rows uint32
	row         uint // bits of a row's number
	maxLat      uint32
	time, half  uint64
	owner       []int32 // by path; -1: none
	state       []State
	base        []uint32
	anchors     []uint32
	perPath     int
	scale       []Scale
	sets        []int32 // by destination and bank: row, -1 if none
	staged      []int32
	longest     []uint32 // by destination
	stagedBase  uint32   // the largest baseVal of staged
	last        []uint8  // by destination: the bank of its last probe
	flying      []probe
	cycle       uint64
}

// New returns the tables in their state after reset.
func New(p *params.Params) *Tables {
	t := &Tables{
		banks: uint32(p.Banks), rows: uint32(p.Rows), row: uint(p.RowBits()),
		maxLat: 1<<p.LatBits - 1, time: 1<<p.TimeBits - 1, half: 1 << (p.TimeBits - 1),
		owner: make([]int32, p.Paths()), state: make([]State, p.Paths()), base: make([]uint32, p.Paths()),
		anchors: make([]uint32, p.Paths()*p.Anchors), perPath: int(p.Anchors),
		scale: make([]Scale, p.Destinations), sets: make([]int32, p.Destinations*p.Banks),
		staged: make([]int32, p.Banks), longest: make([]uint32, p.Destinations), last: make([]uint8, p.Destinations), flying: make([]probe, 0, params.WriteWindow+1),
	}
	t.Reset()
	return t
}

// Reset empties all sets and forgets whose the paths are.
func (t *Tables) Reset() {
	for i := range t.owner {
		t.owner[i] = -1
	}
	for i := range t.sets {
		t.sets[i] = -1
	}
	clear(t.scale)
	clear(t.longest)
	for i := range t.last {
		t.last[i] = uint8(t.banks - 1) // the first search starts in bank 0
	}
	t.unstage()
	t.flying = t.flying[:0]
	t.Count = Counters{}
}

func (t *Tables) unstage() {
	for i := range t.staged {
		t.staged[i] = -1
	}
	t.stagedBase = 0
}

// LegalPath reports whether path pid exists.
func (t *Tables) LegalPath(pid uint32) bool { return uint64(pid) < uint64(len(t.owner)) }

// LegalDst reports whether destination dst exists.
func (t *Tables) LegalDst(dst uint32) bool { return uint64(dst) < uint64(len(t.scale)) }

// Take decides the outcome of a change, counts it, and assigns a path to its destination or removes
// it. A change that is Done must still be executed, by Do, in its cycle.
func (t *Tables) Take(c *Change) Outcome {
	n := &t.Count
	if c.Op != Commit && !t.LegalPath(c.Pid) || (c.Op == Commit || c.Op == Path) && !t.LegalDst(c.Dst) {
		n.Illegal++
		return Illegal
	}
	switch c.Op {
	case Ack, Answer, List:
		owner := t.owner[c.Pid]
		switch {
		case owner < 0 && c.Op == List:
			n.Illegal++
			return Illegal
		case owner < 0:
			n.Stray++
			return Stray
		}
		c.Dst = uint32(owner)
		switch c.Op {
		case Ack:
			n.Ack++
			return Done
		case Answer:
			n.Answer++
			return Done
		}
	case Path:
		t.owner[c.Pid] = int32(c.Dst)
		copy(t.anchors[int(c.Pid)*t.perPath:][:t.perPath], c.Anchors)
	case Remove:
		t.owner[c.Pid] = -1
	}
	n.Config++
	return Done
}

// Writes reports whether a change writes the banks, so that no probe can.
func (c *Change) Writes() bool { return c.Op == Ack || c.Op == Answer || c.Op == Path }

// Begin starts a cycle with a higher number than any before: probes that are at least WriteWindow
// cycles old are written.
func (t *Tables) Begin(cycle uint64) {
	t.cycle = cycle
	keep := t.flying[:0]
	for _, f := range t.flying {
		switch {
		case cycle-f.cycle < params.WriteWindow:
			keep = append(keep, f)
		case !f.undone:
			t.state[f.pid] = f.state
		}
	}
	t.flying = keep
}

// Do executes a change that Take found Done, at time now (ns), with the factor beta (UQ1.15).
func (t *Tables) Do(c *Change, now, beta uint64) {
	switch c.Op {
	case List:
		t.staged[c.Pid>>t.row] = int32(c.Pid & (t.rows - 1))
		t.stagedBase = max(t.stagedBase, t.base[c.Pid])
	case Commit:
		copy(t.sets[c.Dst*t.banks:], t.staged)
		t.scale[c.Dst], t.longest[c.Dst] = c.Scale, t.stagedBase
		t.unstage()
		t.undo(c.Dst, -1)
	case Ack, Answer, Path:
		lat := uint32(min(max(c.Delay, 0), int64(t.maxLat)))
		if c.Op == Path {
			t.base[c.Pid] = c.Base
		}
		t.state[c.Pid] = State{
			Deadline: (now + 2*uint64(lat)) & t.time, Latency: lat,
			Weight: t.Weight(lat, t.scale[c.Dst], beta),
		}
		t.undo(c.Dst, int(c.Pid>>t.row))
	}
}

// undo discards unwritten probes to a destination, in one bank or, if bank is below 0, in all.
func (t *Tables) undo(dst uint32, bank int) {
	for i := range t.flying {
		if f := &t.flying[i]; f.dst == dst && (bank < 0 || f.bank == uint(bank)) {
			f.undone = true
		}
	}
}

const maxWeight = 1<<params.WeightBits - 1

// Weight scales a latency: d in UQ5.9 octaves, rounded down, saturating; the weight of a dead path
// is all ones.
func (t *Tables) Weight(lat uint32, s Scale, beta uint64) uint16 {
	if lat == t.maxLat {
		return maxWeight
	}
	m := uint64(s.Mantissa) * beta >> 15
	return uint16(min(uint64(lat)*m>>s.Exponent, maxWeight))
}

// Double returns the state after a probe at time now (ns): with realVal and d doubled, saturating.
func (t *Tables) Double(s State, now uint64) State {
	lat := t.maxLat
	if s.Latency <= t.maxLat/2 {
		lat = 2 * s.Latency
	}
	return State{Deadline: (now + 2*uint64(lat)) & t.time, Latency: lat, Weight: t.doubled(s)}
}

// doubled returns d after a probe.
func (t *Tables) doubled(s State) uint16 {
	if s.Latency > t.maxLat/2 || s.Weight > maxWeight/2 {
		return maxWeight
	}
	return 2 * s.Weight
}

// Expired reports whether a path has expired at time now (ns): whether its deadline
// less now, modulo the time's range and as a signed number, is below 0.
func (t *Tables) Expired(s State, now uint64) bool {
	d := (s.Deadline - now) & t.time
	return d >= t.half
}

// Packet finds the candidates of a packet to dst at time now (ns), and, if free holds, probes the
// first expired path after the one probed last. free means that no writing change is taken
// WriteWindow cycles later. Packet reports whether the destination exists; if not, it has no
// candidates.
func (t *Tables) Packet(dst uint32, now uint64, free bool, out *Candidates) bool {
	t.Count.Packet++
	*out = Candidates{Probe: -1}
	if !t.LegalDst(dst) {
		t.Count.Illegal++
		t.Count.NoPath++
		return false
	}
	for i := range t.flying {
		if f := &t.flying[i]; f.dst == dst && !f.undone {
			out.Held |= 1 << f.bank
		}
	}
	set := t.sets[dst*t.banks:][:t.banks]
	for b, row := range set {
		if row < 0 {
			continue
		}
		bit := uint32(1) << b
		out.Usable |= bit
		out.Rows[b] = uint16(row)
		s := t.state[uint32(b)<<t.row|uint32(row)]
		out.Weight[b] = s.Weight
		if out.Held&bit != 0 {
			out.Weight[b] = t.doubled(s)
		}
		if t.Expired(s, now) {
			out.Expired |= bit
		}
	}
	if out.Usable == 0 {
		t.Count.NoPath++
	}
	due := out.Expired &^ out.Held
	if due == 0 {
		return true
	}
	if !free {
		out.Wait = true
		t.Count.ProbeWait++
		return true
	}
	t.Count.Probe++
	b := next(due, uint(t.last[dst]))
	t.last[dst] = uint8(b)
	pid := uint32(b)<<t.row | uint32(set[b])
	was := t.state[pid]
	next := t.Double(was, now)
	out.Probe, out.Weight[b] = int64(pid), next.Weight
	out.Saturate = next.Weight == maxWeight && was.Weight != maxWeight || next.Latency == t.maxLat && was.Latency != t.maxLat
	t.flying = append(t.flying, probe{cycle: t.cycle, dst: dst, bank: b, pid: pid, state: next})
	return true
}

// next returns the first of some banks after one of them, where the lowest follows the highest.
func next(banks uint32, last uint) uint {
	if behind := banks &^ (2<<last - 1); behind != 0 {
		banks = behind
	}
	return uint(bits.TrailingZeros32(banks))
}

// Rate returns the operands of rate control for an ACK of destination dst. A probe counts once it
// is written.
func (t *Tables) Rate(dst uint32, out *Operands) {
	*out = Operands{Longest: t.longest[dst]}
	for b, row := range t.sets[dst*t.banks:][:t.banks] {
		if row < 0 {
			continue
		}
		pid := uint32(b)<<t.row | uint32(row)
		out.Usable |= 1 << b
		out.Latency[b], out.Base[b] = t.state[pid].Latency, t.base[pid]
	}
}

// T returns the largest baseVal and t the smallest realVal of operands that are usable; both are 0
// if none is. T covers the paths in their present state, Longest the set as committed.
func (o *Operands) T() (T, t uint32) {
	first := true
	for b := range o.Latency {
		if o.Usable>>b&1 == 0 {
			continue
		}
		if T = max(T, o.Base[b]); first || o.Latency[b] < t {
			t = o.Latency[b]
		}
		first = false
	}
	return T, t
}

// Anchors returns the anchors of a path that exists. They must not be changed.
func (t *Tables) Anchors(pid uint32) []uint32 {
	return t.anchors[int(pid)*t.perPath:][:t.perPath]
}

// Flying returns the number of probes to dst that are neither written nor undone.
func (t *Tables) Flying(dst uint32) (n int) {
	for _, f := range t.flying {
		if f.dst == dst && !f.undone {
			n++
		}
	}
	return n
}

// State returns the banks' content for an existing path, and the path's destination, or -1.
func (t *Tables) State(pid uint32) (s State, owner int32) { return t.state[pid], t.owner[pid] }

// Set returns the rows of an existing destination by bank; -1 means no row. The caller must not
// change it.
func (t *Tables) Set(dst uint32) []int32 { return t.sets[dst*t.banks:][:t.banks] }

// Staged returns the set being prepared, in the form in which Set returns the set of a destination.
func (t *Tables) Staged() []int32 { return t.staged }

// StagedLongest returns T of the set that is being prepared.
func (t *Tables) StagedLongest() uint32 { return t.stagedBase }

// Scale returns the scale of a destination that exists.
func (t *Tables) Scale(dst uint32) Scale { return t.scale[dst] }

// Longest returns T of a destination that exists: the largest baseVal of its set.
func (t *Tables) Longest(dst uint32) uint32 { return t.longest[dst] }

// Base returns the baseVal of a path that exists.
func (t *Tables) Base(pid uint32) uint32 { return t.base[pid] }
