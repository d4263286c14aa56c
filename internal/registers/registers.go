// SPDX-License-Identifier: Apache-2.0

// Package registers gives software access to the registers of a NIC by the names in a map of
// gen/csr: a Device has words, a NIC has names. A device is a memory-mapped file, a PCIe BAR or a
// UIO device, or a simulation behind a Unix socket.
//
// docs/registers.md describes it.
package registers

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// A Device is an address space of 32-bit words. An address is in bytes and a multiple of 4. Only
// one access is allowed at a time.
type Device interface {
	Read32(at uint32) (uint32, error)
	Write32(at, value uint32) error
	Size() uint64 // in bytes; accesses beyond are errors
	Close() error
}

// SimPrefix begins the name of a device that is a socket.
const SimPrefix = "sim:"

// Open opens a device: a file, or SimPrefix and a socket's path. The registers begin at offset and
// take size bytes; size 0 means to the end.
func Open(name string, offset, size uint64) (Device, error) {
	path, sim := strings.CutPrefix(name, SimPrefix)
	if !sim {
		return mapFile(name, offset, size)
	}
	if offset >= math.MaxUint32 || offset%4 != 0 {
		return nil, fmt.Errorf("%s: offset 0x%x: want a multiple of 4 below 2^32", name, offset)
	}
	if size == 0 {
		size = 1<<32 - offset
	}
	return dial(path, uint32(offset), size)
}

// ErrFault is a read or write of mapped memory without a device behind it.
var ErrFault = errors.New("nothing is there: the file is too short, or the device is gone")

// legal returns an error if an address is no word of a space of a size.
func legal(at uint32, size uint64) error {
	if at%4 != 0 {
		return fmt.Errorf("address 0x%x: want a multiple of 4", at)
	}
	if uint64(at)+4 > size {
		return fmt.Errorf("address 0x%x is beyond the device's 0x%x bytes", at, size)
	}
	return nil
}
