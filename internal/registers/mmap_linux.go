// SPDX-License-Identifier: Apache-2.0

package registers

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// memory is a part of a file that is mapped to memory.
type memory struct {
	mapped []byte
	words  []uint32 // the device's words
	size   uint64
	swap   bool // the words are little-endian, and the processor is not
}

// mapFile maps a file.
func mapFile(name string, offset, size uint64) (_ Device, err error) {
	if offset%4 != 0 || size%4 != 0 {
		return nil, fmt.Errorf("%s: offset 0x%x, size 0x%x: want multiples of 4", name, offset, size)
	}
	f, err := os.OpenFile(name, os.O_RDWR|unix.O_SYNC|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }() // the mapping stays
	page := uint64(os.Getpagesize())
	start, skip := offset/page*page, offset%page
	end, err := available(f, start)
	if err != nil {
		return nil, err
	}
	switch {
	case size == 0 && end == 0:
		return nil, fmt.Errorf("%s has an unknown size: set it with --size", name)
	case end > 0 && (offset >= end || size > end-offset):
		return nil, fmt.Errorf("%s has 0x%x bytes, and 0x%x at 0x%x are beyond", name, end, max(size, 4), offset)
	case size == 0:
		size = (end - offset) &^ 3
	}
	if size = min(size, 1<<32); size == 0 || skip+size > 1<<40 {
		return nil, fmt.Errorf("%s: no word at offset 0x%x", name, offset)
	}
	mapped, err := unix.Mmap(int(f.Fd()), int64(start), int(skip+size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mmap %s, 0x%x bytes at 0x%x: %w", name, skip+size, start, err)
	}
	return &memory{mapped: mapped, words: unsafe.Slice((*uint32)(unsafe.Pointer(&mapped[skip])), size/4), size: size,
		swap: binary.NativeEndian.Uint16([]byte{1, 0}) != 1}, nil
}

// available returns the end of a file's content, in bytes from its beginning, or 0 if it is
// unknown. A UIO device maps its region N at N pages; start selects one.
func available(f *os.File, start uint64) (uint64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if info.Mode().IsRegular() {
		return uint64(info.Size()), nil
	}
	if info.Mode()&os.ModeCharDevice == 0 {
		return 0, fmt.Errorf("%s is neither a file nor a device", f.Name())
	}
	real, err := filepath.EvalSymlinks(f.Name())
	if err != nil {
		return 0, err
	}
	n := start / uint64(os.Getpagesize())
	text, err := os.ReadFile(fmt.Sprintf("/sys/class/uio/%s/maps/map%d/size", filepath.Base(real), n))
	if err != nil {
		return 0, nil // another kind of device
	}
	size, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimSpace(string(text)), "0x"), 16, 64)
	if err != nil {
		return 0, fmt.Errorf("the size of map %d of %s: %w", n, real, err)
	}
	return start + size, nil
}

// Size implements Device.
func (m *memory) Size() uint64 { return m.size }

// Close implements Device.
func (m *memory) Close() error {
	m.words = nil
	return unix.Munmap(m.mapped)
}

// Read32 implements Device.
func (m *memory) Read32(at uint32) (v uint32, err error) {
	if err := legal(at, m.size); err != nil {
		return 0, err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer caught(at, &err)
	v = atomic.LoadUint32(&m.words[at/4])
	if m.swap {
		v = bits.ReverseBytes32(v)
	}
	return v, nil
}

// Write32 implements Device.
func (m *memory) Write32(at, v uint32) (err error) {
	if err := legal(at, m.size); err != nil {
		return err
	}
	if m.swap {
		v = bits.ReverseBytes32(v)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer caught(at, &err)
	atomic.StoreUint32(&m.words[at/4], v)
	return nil
}

// caught makes an error of a fault.
func caught(at uint32, err *error) {
	if x := recover(); x != nil {
		if _, fault := x.(interface{ Addr() uintptr }); !fault {
			panic(x)
		}
		*err = fmt.Errorf("address 0x%x: %w", at, ErrFault)
	}
}
