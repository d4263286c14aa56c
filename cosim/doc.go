// SPDX-License-Identifier: Apache-2.0

// Package cosim runs SystemVerilog and a golden model side by side and compares
// every output in every cycle. It compiles a design to a shared library, keeps
// that in a cache, loads it into this process without cgo, and drives it in
// batches of cycles. It knows no unit: a Bench brings the RTL, the stimulus and
// the golden model.
//
//   - Run drives a Bench. Package failure does so too, shrinks the stimulus of a
//     failure, saves it with a waveform, and repeats it.
//   - Open drives a single module by port names, also one that nicgen did not
//     write.
//   - Build, Library and Instance are the layer below: vectors of 64-bit words in
//     and out, as a Layout places the ports in them.
//   - Measure compares the speed of all this with a plain C++ loop.
//
// # Cycles
//
// In every cycle the clock is low while the inputs change and the logic settles,
// then all outputs are sampled, then the clock rises. A registered output shows
// what earlier edges made of it, a combinational one follows the inputs of the
// same cycle. Before the first cycle registers and memories hold random values
// drawn from a seed; $random and $urandom in a design are not repeatable.
//
// # Predictors that observe, stimuli that react
//
// Some choices are free to the device, such as the cycle of an answer or the order of independent
// frames. A golden model that need not know them has the hook Observe: it sees the outputs of each
// cycle before it predicts them, adopts the free choices, and predicts the rest. Its device runs
// first, even with two threads.
//
// A stimulus that has to play by a handshake has the hook React: it sees the outputs of the cycle
// before. Its device runs cycle by cycle.
//
// # Limits
//
// Ports are inputs and outputs that are packed vectors. There is one clock. A
// loop in the design that never ends cannot be interrupted.
package cosim
