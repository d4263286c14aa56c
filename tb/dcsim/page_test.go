// SPDX-License-Identifier: Apache-2.0

package dcsim

// longerLost is how many DATAs the longer run loses.
const longerLost = 12

const head = `<!-- written by: go test ./tb/dcsim -run TestPage -update -->

# DCSIM in a closed loop

Eight hosts around one switch. A host is a [dcsim_source](dcsim_source.md), a [dcsim_responder](dcsim_responder.md) and a
[dcsim_port](dcsim_port.md); the switch has a dcsim_port to each host. All of them are the **RTL**, 32 instances clocked
together at 322.27 MHz, with the golden models beside them: a run fails unless every output of every unit is equal in every
cycle. [tb/dcsim](../../tb/dcsim) is what stands between the ports: registers, links, and the frames themselves.

Links have 100 Gb/s and a delay of 500 ns. The switch stores and forwards. ℓ = 64 bytes, B = 12 packets, no gap between
frames, as in the paper. H = 2: the NIC and the switch. RTTp is four links and 64 clocks for the units. DATA queues of NICs hold
416 packets, those of the switch B_DATA; a DATA without DATA-ACK for 40 µs is sent again. A run ends when every DATA has
arrived. The utilisation is that of the links to receiving hosts by DATAs, up to the last one; at most it is
L / (L + 2.1 ℓ): 0.656, 0.918 and 0.968 for the three lengths.

The paper's claim (§3.1) is that a DATA queue of 2B packets loses nothing. It holds in these runs, which are short, with 1,500
bytes and more, also for order. It does not with 256 bytes and all hosts sending to all: up to %d DATAs wait. Nor does it in longer
runs: with 1,000 DATAs of 1,500 bytes for each host from each, 2B loses %d. The reason is the [port](dcsim_port.md), not
the paper: at 322.27 MHz it begins a frame every other clock, and without a gap a frame of 64 bytes takes 1.65 clocks. What the line
loses by that, queues of DATAs gain. On a clock of twice the rate the same run loses nothing.
What is lost comes again after the DATA timeout, behind later ones, which costs most of the utilisation in short runs.

**A gap that Eq. 2 does not know.** With a gap of 20 bytes between frames, and SIMs at the rate of the bare lengths, NICs get more DATAs
than their lines carry. Their DATA queues grow until they hold more than the DATA timeout, and then DATAs are sent again and again:
of the run above, 48,842 DATAs of 56,000 arrive, and no further one. L and ℓ for the rate of SIMs must have the gap in them.
`

var about = map[Pattern]string{
	AllToAll: "Each host has 200 DATAs for each other one.\n",
	Incast:   "Seven hosts have 1,600 DATAs each for host 0. SIMs are what gets lost: the switch passes as many as it has room for DATAs.\n",
}
