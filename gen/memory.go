// SPDX-License-Identifier: Apache-2.0

package gen

import "math"

// Memories of the device, and Auto, with which the size decides: the choices of a field
// that says where state lives. Auto is also what a person writes for a field with a Rule.
const (
	Auto   = "auto"
	LUTRAM = "lutram"
	BRAM   = "bram"
	URAM   = "uram"
)

// NoURAM is a limit for MemoryFor: no number of rows moves the state to URAM.
const NoURAM = math.MaxInt64

// MemoryFor is the memory for some rows of state: the one wanted, or for Auto LUTRAM up
// to inLUTRAM rows, BRAM up to inBRAM, and URAM above.
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

// MemoryName is a memory in the words of a text.
func MemoryName(memory string) string {
	return map[string]string{LUTRAM: "LUT RAM", BRAM: "block RAM", URAM: "ultra RAM"}[memory]
}

// URAMBankRows is the number of rows that a column of UltraRAMs, which Vivado makes a cascade,
// has at most: eight of 4,096.
const URAMBankRows = 8 * 4096

// URAMBanks is the number of such columns for a memory of some rows.
func URAMBanks(rows int64) int64 { return (rows + URAMBankRows - 1) / URAMBankRows }
