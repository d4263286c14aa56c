// SPDX-License-Identifier: Apache-2.0

package sv

// RandomState gives bits 126..64 and 63..0 of the state of a unit's random word generator after
// reset: two steps of SplitMix64, with bit 0 set so that it is not zero.
func RandomState(seed uint64) (hi, lo uint64) {
	next := func() uint64 {
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	return next() & (1<<63 - 1), next() | 1
}
