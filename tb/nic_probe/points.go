// SPDX-License-Identifier: Apache-2.0

package nicprobe

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_probe"
	model "github.com/nicgen/nicgen/model/nic_probe"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptMade = iota
	ptFull
	ptEarly
	ptNone
	ptIllegal
	ptRouteHeld
	ptRouteStray
	ptAddressSame
	ptAddressUnset
	ptAddressIllegal
	ptAddressEarly
	ptProbe
	ptAnswer
	ptBad
	ptForeign
	ptOther
	ptWide
	ptAnswerFull
	ptResultFull
	ptFreed
	ptNegative
	ptLeast
	ptMost
	ptPast
	ptHeld
	ptRow
	ptTurnAnswer
	ptTurnProbe
	ptTwice
	ptResetProbe
	ptResetAnswers
)

// points lists the coverage points; those that a configuration cannot reach are not required.
func points(p *params.Params) []cosim.Point {
	var list bench.Points
	add := list.Add
	none := p.Destinations < 1<<p.DstBits
	add("made/probe", "a probe leaves", true)
	add("made/full", "a probe is wanted while 16 wait", true)
	add("made/early", "a probe waits until addresses are cleared", true)
	add("made/no_address", "a probe to a destination without addresses", true)
	add("made/illegal", "a probe to a destination that does not exist", none)
	add("route/held", "a request of anchors waits", true)
	add("route/stray", "anchors that were not asked for", true)
	add("address/same", "addresses are written in the cycle in which they are read", true)
	add("address/unset", "the addresses of a destination are taken away", true)
	add("address/illegal", "addresses of a destination that does not exist", none)
	add("address/early", "addresses come while others are cleared", true)
	add("came/probe", "a probe has come", true)
	add("came/answer", "an answer has come", true)
	add("came/bad", "a bad one", true)
	add("came/foreign", "a type of probes, of another subtype", true)
	add("came/other", "a shim of LAPS of another type", true)
	add("came/wide", "an answer of a path that has no number here", p.PidBits < params.PathBits)
	add("came/answer_full", "a probe comes while 16 answers wait", true)
	add("came/result_full", "an answer comes while 16 delays wait", true)
	add("came/freed", "a probe comes while 16 answers wait, of which one leaves", true)
	add("came/negative", "a delay below 0 that fits", true)
	add("came/least", "a delay below what fits", true)
	add("came/most", "a delay above what fits", true)
	add("came/past", "a probe's time is later than now", true)
	add("leaves/held", "a frame waits", true)
	add("leaves/row", "a frame follows another one at once", true)
	add("leaves/answer", "an answer goes before a probe", true)
	add("leaves/probe", "a probe goes before an answer", true)
	add("leaves/twice", "answers in consecutive cycles", true)
	add("reset/probe", "a reset while a probe is made", true)
	add("reset/answers", "a reset while answers and delays wait", true)
	return list
}

// coverage holds the memory of the coverage points.
type coverage struct {
	answered uint64 // the cycle after one in which an answer went to leave
}

// hit counts a point.
func (g *golden) hit(point int, is bool) {
	if is {
		g.f.Reached[point]++
	}
}

// coverReset looks at a reset.
func (g *golden) coverReset() {
	g.hit(ptResetProbe, g.at == wait)
	g.hit(ptResetAnswers, len(g.answers) > 0 && len(g.results) > 0)
}

// coverCycle looks at a cycle, before it.
func (g *golden) coverCycle(n *bench.Now) {
	hit, ready := g.hit, n.Ready
	answer, probe := g.goes(n)
	hit(ptMade, probe)
	hit(ptFull, g.wishes.On(n.In) && len(g.wanted) == params.FIFO)
	hit(ptEarly, len(g.wanted) > 0 && !ready)
	hit(ptNone, g.at == look && g.legal(g.now.Dst) && !g.found.set)
	hit(ptIllegal, g.at == look && !g.legal(g.now.Dst))
	hit(ptRouteHeld, g.at == route && !g.requests.Ready(n))
	hit(ptRouteStray, g.at != wait && g.routes.On(n.In))
	if e := (params.Address{}); g.tables.Read(n.In, &e) {
		dst := e.Dst
		hit(ptAddressSame, ready && g.at == idle && len(g.wanted) > 0 && g.wanted[0].Dst == dst)
		hit(ptAddressUnset, ready && g.legal(dst) && !e.Set && g.table[dst].set)
		hit(ptAddressIllegal, ready && !g.legal(dst))
		hit(ptAddressEarly, !ready)
	}
	if g.came {
		kind := g.record.Kind()
		wide := uint64(g.record.Path())>>g.p.PidBits != 0
		full := kind == model.Probe && len(g.answers) == params.FIFO
		hit(ptProbe, kind == model.Probe && !full)
		hit(ptAnswer, kind == model.Answer && !wide && len(g.results) < params.FIFO)
		hit(ptBad, kind == model.Bad)
		hit(ptForeign, kind == model.Foreign && g.record.Type >= params.Probe)
		hit(ptOther, g.record.Subtype == 1 && g.record.Type < params.Probe)
		hit(ptWide, kind == model.Answer && wide)
		hit(ptAnswerFull, full)
		hit(ptFreed, full && answer)
		hit(ptResultFull, kind == model.Answer && !wide && len(g.results) == params.FIFO)
		delay := int64(g.record.Time()<<16) >> 16
		if kind == model.Answer && !wide {
			hit(ptNegative, delay < 0 && delay >= -1<<31)
			hit(ptLeast, delay < -1<<31)
			hit(ptMost, delay >= 1<<31)
		}
		hit(ptPast, kind == model.Probe && g.delay>>47 != 0)
	}
	hit(ptHeld, g.leaves && !g.frames.Ready(n))
	hit(ptRow, g.leaves && (answer || probe))
	hit(ptTurnAnswer, answer && g.at == made)
	hit(ptTurnProbe, probe && len(g.answers) > 0)
	hit(ptTwice, answer && g.cov.answered == n.Cycle)
	if answer {
		g.cov.answered = n.Cycle + 1
	}
}
