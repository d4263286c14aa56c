// SPDX-License-Identifier: Apache-2.0

package plb

import "github.com/nicgen/nicgen/gen"

// State implements gen.Stateful.
func (p *Params) State() []gen.State {
	one := func(name, meaning string, memories ...string) gen.State {
		return gen.State{Name: name, Bits: 1, Memories: memories, Meaning: meaning}
	}
	return []gen.State{
		{Name: "until", Bits: int(p.TimerBits - TickBits), Memories: []string{"pause.untils"}, Meaning: "end of the pause, in units of 2^20 ns"},
		one("none", "no pause since the opening", "pause.untils"),
		one("begun", "differs from `seen` if there was an RTO since the last ACK", "pause.begun"),
		one("seen", "`begun` as the last ACK found it", "pause.seen"),
		{Name: "end", Bits: SeqBits, Memories: []string{"rounds.ends"}, Meaning: "`snd_nxt` when the round began"},
		one("over", "the pause is over", "rounds.balances"),
		one("first", "the next ACK is the first to count", "rounds.balances"),
		one("some", "the round has packets", "rounds.balances"),
		{Name: "balance", Bits: int(p.BalanceBits), Memories: []string{"rounds.balances"}, Meaning: "K × packets − congested packets of the round, in 2^-15 packets, less 1"},
		{Name: "rounds", Bits: int(p.RoundBits), Memories: []string{"labels.rounds", "labels.rounds_to_send"}, Meaning: "congested rounds in a row"},
		one("era", "`rounds` count if it equals `label_era`", "labels.rounds", "labels.rounds_to_send"),
		one("label_era", "opposite of `era` since a new label", "labels.label_era"),
		one("asked", "differs from `given` if an RTO asks for a new label", "labels.asked"),
		one("given", "`asked` as the last SEND found it", "labels.given"),
		{Name: "label", Bits: int(p.LabelBits), Memories: []string{"labels.labels"}, Meaning: "the flow label"},
	}
}
