// SPDX-License-Identifier: Apache-2.0

package nicecho

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	params "github.com/nicgen/nicgen/gen/nic_echo"
)

// unit returns a unit of two connections with rings of 16 PSNs and lists of 4.
func unit(change func(*params.Params)) *Unit {
	p := params.Default()
	p.Connections, p.Ring, p.List = 2, 16, 4
	if change != nil {
		change(p)
	}
	if problems := p.Check(); problems != nil {
		panic(fmt.Sprint(problems))
	}
	return New(p)
}

// TestDecisions plays scenarios of the page on connection 1, one event per line, with its answer.
func TestDecisions(t *testing.T) {
	type event = func(*Unit) string
	data := func(psn, ev uint64, ce bool, now uint64) event {
		return func(u *Unit) string {
			return fmt.Sprintf("data %d: due %t", psn, u.Data(1, Packet{PSN: psn, EV: ev, CE: ce, Feedback: true}, now))
		}
	}
	shim := func(psn, word uint64) event {
		return func(u *Unit) string {
			u.Data(1, Packet{PSN: psn, Shim: &Shim{word}}, 0)
			return fmt.Sprintf("data %d with a shim", psn)
		}
	}
	ack := func(psn uint64) event {
		return func(u *Unit) string {
			e := u.Ack(1, psn)
			return fmt.Sprintf("ack %d: hit %t, EV %d, mark %t, fresh %t, word %d", psn, e.Hit, e.EV, e.Mark, e.Fresh, e.Shim[0])
		}
	}
	scan := func(now uint64) event {
		return func(u *Unit) string { return fmt.Sprintf("scan at %d: due %t", now, u.Scan(1, now)) }
	}
	take := func(u *Unit) string {
		f, ok := u.Take(1)
		return fmt.Sprintf("take: %t, psn %d, %v, again %t", ok, f.PSN, f.Seen, f.Again)
	}
	or := func(p *params.Params) { p.ECNOr = true }
	packets := func(n int64) func(*params.Params) { return func(p *params.Params) { p.FeedbackPackets = n } }

	for _, tt := range []struct {
		name   string
		change func(*params.Params)
		events []event
		want   []string
	}{
		{"EV and mark of the packet with the ACK's PSN", nil,
			[]event{data(7, 70, true, 0), data(8, 80, false, 0), ack(8), ack(7), ack(7)},
			[]string{"data 7: due false", "data 8: due false", "ack 8: hit true, EV 80, mark false, fresh false, word 0",
				"ack 7: hit true, EV 70, mark true, fresh false, word 0", "ack 7: hit true, EV 70, mark true, fresh false, word 0"}},
		{"never came, overwritten, another lap (D2, D3)", nil,
			[]event{ack(7), data(7, 70, true, 0), data(7+16, 71, false, 0), ack(7), ack(7 + 16), ack(7 + 16*32), ack(7 + 16*33)},
			[]string{"ack 7: hit false, EV 0, mark false, fresh false, word 0", "data 7: due false", "data 23: due false", "ack 7: hit false, EV 0, mark false, fresh false, word 0",
				"ack 23: hit true, EV 71, mark false, fresh false, word 0", "ack 519: hit false, EV 0, mark false, fresh false, word 0",
				"ack 535: hit true, EV 71, mark false, fresh false, word 0"}},
		{"the OR of marks (D4, D5)", or,
			[]event{data(1, 10, true, 0), data(2, 20, false, 0), ack(2), ack(2), data(3, 30, true, 0), ack(99)},
			[]string{"data 1: due false", "data 2: due false", "ack 2: hit true, EV 20, mark true, fresh false, word 0", "ack 2: hit true, EV 20, mark false, fresh false, word 0",
				"data 3: due false", "ack 99: hit false, EV 0, mark true, fresh false, word 0"}},
		{"the newest shim goes once (D7)", nil,
			[]event{shim(1, 5), shim(2, 6), ack(1), ack(2)},
			[]string{"data 1 with a shim", "data 2 with a shim", "ack 1: hit true, EV 0, mark false, fresh true, word 6", "ack 2: hit true, EV 0, mark false, fresh false, word 0"}},
		{"feedback by packets", packets(2),
			[]event{data(1, 10, true, 0), data(2, 20, false, 0), take, take, data(3, 30, false, 0)},
			[]string{"data 1: due false", "data 2: due true", "take: true, psn 2, [{10 true} {20 false}], again false", "take: false, psn 0, [], again false", "data 3: due false"}},
		{"feedback by time", packets(4),
			[]event{scan(9000), data(1, 10, false, 100), data(2, 20, true, 5000), scan(5099), scan(5100), take},
			[]string{"scan at 9000: due false", "data 1: due false", "data 2: due false", "scan at 5099: due false", "scan at 5100: due true", "take: true, psn 2, [{10 false} {20 true}], again false"}},
		{"a list that is not taken grows, and loses the oldest", packets(3),
			[]event{data(1, 10, false, 0), data(2, 20, false, 0), data(3, 30, false, 0), data(4, 40, false, 0), data(5, 50, true, 0), take,
				func(u *Unit) string { return fmt.Sprint(u.Count.Lost) }},
			[]string{"data 1: due false", "data 2: due false", "data 3: due true", "data 4: due false", "data 5: due false",
				"take: true, psn 5, [{20 false} {30 false} {40 false} {50 true}], again false", "1"}},
		{"0 packets are 1, many are the list (D10)", packets(0),
			[]event{data(1, 10, false, 0), func(u *Unit) string { u.Settings.FeedbackPackets = 31; return "31" }, data(2, 20, false, 0), data(3, 30, false, 0), data(4, 40, false, 0)},
			[]string{"data 1: due true", "31", "data 2: due false", "data 3: due false", "data 4: due true"}},
		{"a duplicate adds only its flag", packets(2),
			[]event{data(1, 10, false, 0), data(1, 11, true, 0), ack(1), data(2, 20, false, 0), take, data(3, 30, false, 0), data(4, 40, false, 0), take},
			[]string{"data 1: due false", "data 1: due false", "ack 1: hit true, EV 11, mark true, fresh false, word 0", "data 2: due true",
				"take: true, psn 2, [{10 false} {20 false}], again true", "data 3: due false", "data 4: due true", "take: true, psn 4, [{30 false} {40 false}], again false"}},
		{"no lists", func(p *params.Params) { p.List = 0 },
			[]event{data(1, 10, false, 0), scan(90_000)}, []string{"data 1: due false", "scan at 90000: due false"}},
		{"flush", or,
			[]event{data(1, 10, true, 0), shim(2, 5), func(u *Unit) string {
				for i := range uint64(16) {
					u.Clear(1, i)
				}
				u.Flush(1)
				return "flush"
			}, ack(1), take},
			[]string{"data 1: due false", "data 2 with a shim", "flush", "ack 1: hit false, EV 0, mark false, fresh false, word 0", "take: false, psn 0, [], again false"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := unit(tt.change)
			var got []string
			for _, e := range tt.events {
				got = append(got, e(u))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if u.Data(2, Packet{}, 0) || u.Ack(2, 0) != (Echo{}) || u.Count.Illegal != 2 {
				t.Errorf("connection 2: %d illegal events", u.Count.Illegal)
			}
		})
	}
}

// TestEveryMarkOnce plays random traffic of one connection: with ecn_or, an ACK carries a mark
// exactly if one came since the last ACK; each packet that is no duplicate is in exactly one list,
// in order, or counted as lost.
func TestEveryMarkOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := unit(func(p *params.Params) { p.ECNOr, p.FeedbackPackets = true, rapid.Int64Range(0, 6).Draw(t, "packets") })
		var sent, taken []Seen
		marked, psn, now := false, uint64(0), uint64(0)
		take := func() {
			if f, ok := u.Take(0); ok {
				if f.PSN != psn-1 {
					t.Fatalf("PSN %d, want %d", f.PSN, psn-1)
				}
				taken = append(taken, f.Seen...)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"data": func(t *rapid.T) {
				p := Packet{PSN: psn, EV: rapid.Uint64Range(0, 65535).Draw(t, "EV"), CE: rapid.Bool().Draw(t, "CE"), Feedback: true}
				psn++
				sent, marked = append(sent, Seen{p.EV, p.CE}), marked || p.CE
				if u.Data(0, p, now) && rapid.Bool().Draw(t, "taken") {
					take()
				}
			},
			"ack": func(t *rapid.T) {
				if e := u.Ack(0, psn-1); e.Mark != marked || e.Hit != (psn > 0) {
					t.Fatalf("%+v, want mark %t", e, marked)
				}
				marked = false
			},
			"scan": func(t *rapid.T) {
				if now += rapid.Uint64Range(0, 6000).Draw(t, "ns"); u.Scan(0, now) {
					take()
				}
			},
		})
		take()
		at := 0
		for _, s := range taken { // a subsequence of the packets sent
			for at < len(sent) && sent[at] != s {
				at++
			}
			if at++; at > len(sent) {
				t.Fatalf("%v is not in order of %v", taken, sent)
			}
		}
		if len(taken)+int(u.Count.Lost) != len(sent) {
			t.Fatalf("%d sent, %d in lists, %d lost", len(sent), len(taken), u.Count.Lost)
		}
	})
}
