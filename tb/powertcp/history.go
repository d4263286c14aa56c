// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"slices"

	params "github.com/nicgen/nicgen/gen/powertcp"
	model "github.com/nicgen/nicgen/model/powertcp"
)

// history records the run-time settings: an ACK reads each of them in a different
// cycle.
type history struct {
	pins  *pins
	to    *model.Settings     // the model's
	has   []int               // settings of this variant
	delay [2][settings]uint64 // of an ACK with telemetry, and of one with a round-trip time

	telemetry bool        // 1/τ is a setting, too
	paced     uint64      // delay of 1/τ for the pacing rate
	pace      model.Float // 1/τ in that cycle

	word    []word // of the input vector that hold settings
	changed uint64 // cycle+1 of the last change
	mixed   bool   // the model's settings differ from those at the ports
	at      [ringN]struct {
		from  uint64 // cycle of a change
		value [settings]uint64
	}
	n int // changes so far
}

// word is a word of the input vector that holds settings.
type word struct {
	at         int
	mask, last uint64
}

func newHistory(p *params.Params, x *pins, to *model.Settings) history {
	h := history{pins: x, to: to, telemetry: has(p, setTauM), paced: uint64(p.PaceLatency())}
	for i := range settings {
		if !has(p, i) {
			continue
		}
		h.has = append(h.has, i)
		if p.HasINT() && i != setFloor && i != setTarget {
			h.delay[0][i] = uint64(p.SettingLatency(settingNames[i]))
		}
		if p.HasTheta() && i != setTauM && i != setTauE {
			h.delay[1][i] = uint64(p.ThetaSettingLatency(settingNames[i]))
		}
		c := &x.cfg[i]
		w := slices.IndexFunc(h.word, func(w word) bool { return w.at == c.Word })
		if w < 0 {
			w = len(h.word)
			h.word = append(h.word, word{at: c.Word})
		}
		h.word[w].mask |= c.Mask << c.Shift
		apply(to, i, 0)
	}
	return h
}

// note records the settings of a cycle.
func (h *history) note(in []uint64, cycle uint64) {
	for i := range h.word {
		if w := &h.word[i]; in[w.at]&w.mask != w.last {
			h.change(in, cycle)
			return
		}
	}
}

func (h *history) change(in []uint64, cycle uint64) {
	for i := range h.word {
		w := &h.word[i]
		w.last = in[w.at] & w.mask
	}
	e := &h.at[h.n%ringN]
	h.n++
	e.from = cycle
	for _, i := range h.has {
		e.value[i] = h.pins.cfg[i].Get(in)
	}
	h.changed, h.mixed = cycle+1, true
}

// moved returns the settings that changed in a cycle, the last one that note recorded.
func (h *history) moved(cycle uint64) (set uint) {
	if h.changed != cycle+1 {
		return 0
	}
	now, was := &h.at[(h.n-1)%ringN], [settings]uint64{}
	if h.n > 1 {
		was = h.at[(h.n-2)%ringN].value
	}
	for i, v := range now.value {
		if v != was[i] {
			set |= 1 << i
		}
	}
	return set
}

// settle gives the model the settings that the ACK whose window shows in a cycle
// has read, and pace the 1/τ of its pacing rate. False: nothing has changed lately,
// and all of them are those at the ports.
func (h *history) settle(cycle, latency uint64, theta bool) (mixed bool) {
	if !h.mixed {
		return false
	}
	delay := &h.delay[0]
	if theta {
		delay = &h.delay[1]
	}
	for _, i := range h.has {
		apply(h.to, i, h.when(i, cycle-latency+delay[i]))
	}
	if h.telemetry {
		read := cycle - latency + h.paced
		h.pace = model.Float{M: uint32(h.when(setTauM, read)) | 1<<16, E: int(h.when(setTauE, read))}
	}
	h.mixed = cycle < h.changed+latency
	return true
}

// when is the value that a setting had in a cycle of late.
func (h *history) when(setting int, cycle uint64) uint64 {
	for k := h.n - 1; k >= 0 && k > h.n-ringN; k-- {
		if e := &h.at[k%ringN]; e.from <= cycle {
			return e.value[setting]
		}
	}
	return 0
}
