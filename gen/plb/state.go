// SPDX-License-Identifier: Apache-2.0

package plb

import "github.com/nicgen/nicgen/gen"

// State implements gen.Stateful.
func (p *Params) State() []gen.State {
	one := func(name, meaning string, memories ...string) gen.State {
		return gen.State{Name: name, Bits: 1, Memories: memories, Meaning: meaning}
	}
	return []gen.State{
		{Name: "until", Bits: int(p.TimerBits - TickBits), Memories: []string{"untils"}, Meaning: "end of the pause, in units of 1,024 ns"},
		one("none", "no pause since the opening", "untils"),
		one("begun", "differs from `seen` if there was an RTO since the last ACK", "begun"),
		one("seen", "`begun` as the last ACK found it", "seen"),
		{Name: "end", Bits: SeqBits, Memories: []string{"ends"}, Meaning: "`snd_nxt` when the round began"},
		one("over", "the pause is over", "balances"),
		one("first", "the next ACK is the first to count", "balances"),
		one("some", "the round has packets", "balances"),
		{Name: "balance", Bits: int(p.BalanceBits), Memories: []string{"balances"}, Meaning: "K × packets − congested packets of the round, in 2^-15 packets, less 1"},
		{Name: "rounds", Bits: int(p.RoundBits), Memories: []string{"rounds"}, Meaning: "congested rounds in a row"},
		one("era", "`rounds` count if it equals `label_era`", "rounds"),
		one("label_era", "opposite of `era` since a new label", "label_era"),
		one("asked", "differs from `given` if an RTO asks for a new label", "asked"),
		one("given", "`asked` as the last SEND found it", "given"),
		{Name: "label", Bits: int(p.LabelBits), Memories: []string{"labels"}, Meaning: "the flow label"},
	}
}
