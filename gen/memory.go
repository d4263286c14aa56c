// SPDX-License-Identifier: Apache-2.0

package gen

import "math"

// Memories of the device, and Auto, which lets the size decide: the choices of a field for the
// memory of some state. Auto is also the value that a user writes for a field with a Rule.
const (
	Auto   = "auto"
	LUTRAM = "lutram"
	BRAM   = "bram"
	URAM   = "uram"
)

// NoURAM is a limit for MemoryFor: with it, no number of rows moves the state to URAM.
const NoURAM = math.MaxInt64

// MemoryFor returns the memory for some rows of state: the given one, or for Auto LUTRAM up to
// inLUTRAM rows, BRAM up to inBRAM, and URAM above.
func MemoryFor(want string, rows, inLUTRAM, inBRAM int64) string {
	switch {
	case want != Auto:
		return want
	case rows <= inLUTRAM:
		return LUTRAM
	case rows <= inBRAM:
		return BRAM
	}
	return URAM
}

// MemoryName returns a memory in the words of a text.
func MemoryName(memory string) string {
	return map[string]string{LUTRAM: "LUT RAM", BRAM: "block RAM", URAM: "ultra RAM"}[memory]
}

// URAMBankRows is the largest number of rows in a column of UltraRAMs, which Vivado turns into a
// cascade: eight of 4,096.
const URAMBankRows = 8 * 4096

// URAMBanks returns the number of such columns for a memory of some rows.
func URAMBanks(rows int64) int64 { return (rows + URAMBankRows - 1) / URAMBankRows }
