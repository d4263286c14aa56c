// SPDX-License-Identifier: Apache-2.0

// Package registers is software's access to the registers of a NIC by the names of a map of
// gen/csr: a Device has words, a NIC the names. A device is a file that is mapped to memory, a
// PCIe BAR or a UIO device, or a simulation behind a Unix socket.
//
// docs/registers.md describes it.
package registers

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// A Device is a space of 32-bit words. An address is in bytes and a multiple of 4. One access
// at a time.
type Device interface {
	Read32(at uint32) (uint32, error)
	Write32(at, value uint32) error
	Size() uint64 // in bytes; accesses beyond are errors
	Close() error
}

// SimPrefix begins the name of a device that is a socket.
const SimPrefix = "sim:"

// Open opens a device: a file, or SimPrefix and a socket's path. Offset is where the registers
// begin in it, size how many bytes they take; 0: to the end.
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

// ErrFault is a read or write of mapped memory with nothing behind it.
var ErrFault = errors.New("nothing is there: the file is too short, or the device is gone")

// legal is an error if an address is no word of a space of a size.
func legal(at uint32, size uint64) error {
	if at%4 != 0 {
		return fmt.Errorf("address 0x%x: want a multiple of 4", at)
	}
	if uint64(at)+4 > size {
		return fmt.Errorf("address 0x%x is beyond the device's 0x%x bytes", at, size)
	}
	return nil
}
