// SPDX-License-Identifier: Apache-2.0

package powertcp

// PaperKernelSettings are the settings of the arithmetic of the authors' module
// for Linux, in its units.
type PaperKernelSettings struct {
	TauUS   int64 // base round-trip time in µs
	Beta    int64 // additive increase in bytes
	Gamma   int64 // γ in 1/1024
	BaseBDP int64 // greatest window in bytes
}

// PaperKernelHop is one hop as that module sees it.
type PaperKernelHop struct {
	BandwidthMBps int64 // rate of the link in 10^6 bytes per second
	QLen, DQ, DTx int64 // queue, its change, bytes sent: bytes
	DT            int64 // time between the samples in ns
}

// PaperKernelPower is the normalised power in 1/65536 with the truncations of that module. The
// divisor loses the low bits of a slow link's rate: below 256 MB/s it is 0, taken as 1, and the
// power is useless. This is why the unit computes current and voltage as fractions of the link's
// rate (P4, P12).
func PaperKernelPower(h PaperKernelHop, s PaperKernelSettings) int64 {
	lambda := max((h.DQ+h.DTx)*1_000_000_000/max(h.DT, 1), 1)
	voltage := h.QLen + h.BandwidthMBps*s.TauUS
	equilibrium := max(h.BandwidthMBps*h.BandwidthMBps/65536*1_000_000*s.TauUS, 1)
	return lambda * voltage / equilibrium
}

// PaperKernelWindow is the kernel module's control law: the window in bytes before and after its
// upper bound. power is in 1/65536 and above 0.
func PaperKernelWindow(power, old, window int64, s PaperKernelSettings) (unbound, bound int64) {
	next := 65536*old/power + s.Beta
	unbound = (s.Gamma*next + (1024-s.Gamma)*window) / 1024
	return unbound, min(unbound, s.BaseBDP)
}
