// SPDX-License-Identifier: Apache-2.0

package device

import (
	"context"
	"errors"
	"fmt"

	"github.com/nicgen/nicgen/gen/csr"
)

// patience is the number of cycles that a register access may take and that a window's word may
// wait. The longest wait is the flush of a memory.
const patience = 1 << 20

// ErrStuck is an access that is never answered.
var ErrStuck = errors.New("no answer")

// until runs cycles until a port is high in one of them.
func (d *Device) until(port string) error {
	s := d.pin.axil[port]
	for range patience {
		if err := d.cycles(1); err != nil {
			return err
		}
		if s.Get(d.out) != 0 {
			return nil
		}
	}
	return fmt.Errorf("%s: %w in %d cycles", port, ErrStuck, patience)
}

func (d *Device) drive(port string, v uint64) { d.pin.axil[port].Set(d.in, v) }

// WriteWord writes a word to an address.
func (d *Device) WriteWord(address, word uint32) error {
	d.drive("awaddr", uint64(address))
	d.drive("wdata", uint64(word))
	d.drive("wstrb", 15)
	d.drive("awvalid", 1)
	d.drive("wvalid", 1)
	d.drive("bready", 1)
	aw, w := d.pin.axil["awready"], d.pin.axil["wready"]
	taken, data, answer := false, false, false
	for range patience {
		if err := d.cycles(1); err != nil {
			return err
		}
		if !taken && aw.Get(d.out) != 0 {
			taken = true
			d.drive("awvalid", 0)
		}
		if !data && w.Get(d.out) != 0 {
			data = true
			d.drive("wvalid", 0)
		}
		if taken && data && d.pin.axil["bvalid"].Get(d.out) != 0 {
			answer = true
			break
		}
	}
	d.drive("awvalid", 0)
	d.drive("wvalid", 0)
	d.drive("bready", 0)
	if !answer {
		return fmt.Errorf("write of 0x%04x: %w in %d cycles", address, ErrStuck, patience)
	}
	if resp := d.pin.axil["bresp"].Get(d.out); resp != 0 {
		return fmt.Errorf("write of 0x%04x: answer %d", address, resp)
	}
	return nil
}

// ReadWord reads a word from an address.
func (d *Device) ReadWord(address uint32) (uint32, error) {
	d.drive("araddr", uint64(address))
	d.drive("arvalid", 1)
	d.drive("rready", 1)
	defer d.drive("rready", 0)
	if err := d.until("arready"); err != nil {
		return 0, err
	}
	d.drive("arvalid", 0)
	if err := d.until("rvalid"); err != nil {
		return 0, err
	}
	if resp := d.pin.axil["rresp"].Get(d.out); resp != 0 {
		return 0, fmt.Errorf("read of 0x%04x: answer %d", address, resp)
	}
	return uint32(d.pin.axil["rdata"].Get(d.out)), nil
}

// Write writes a register by its name, "transport.cfg_label_high", the lowest word first; words
// that are not given are 0.
func (d *Device) Write(name string, words ...uint32) error {
	p, err := d.Map.Find(name)
	if err != nil {
		return err
	}
	if p.Bit != nil || !p.Register.Writable() {
		return fmt.Errorf("register %s is not one to write", name)
	}
	n := int(p.Register.Words())
	if len(words) > n {
		return fmt.Errorf("register %s has %d words, and %d are given", name, n, len(words))
	}
	if top := p.Register.Bits % 32; top != 0 && len(words) == n && words[n-1]>>top != 0 {
		return fmt.Errorf("register %s has %d bits: 0x%x does not fit its last word", name, p.Register.Bits, words[n-1])
	}
	for i := range n {
		w := uint32(0)
		if i < len(words) {
			w = words[i]
		}
		if err := d.WriteWord(p.Address()+4*uint32(i), w); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// Read reads a register of up to 64 bits, or a flag of one, by its name.
func (d *Device) Read(name string) (uint64, error) {
	p, err := d.Map.Find(name)
	if err != nil {
		return 0, err
	}
	if !p.Register.Readable() {
		return 0, fmt.Errorf("register %s is not one to read", name)
	}
	v := uint64(0)
	for i := range min(p.Register.Words(), 2) {
		w, err := d.ReadWord(p.Address() + 4*i)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		v |= uint64(w) << (32 * i)
	}
	if p.Bit != nil {
		return v >> p.Bit.Bit & 1, nil
	}
	return v, nil
}

// A Field is a field of a window's word.
type Field struct {
	Name  string // without the window's: "conn"
	Words []uint32
}

// Do offers a word to a stream that software drives, and waits until it is taken: Do("echo.s_flush",
// Field{"conn", …}).
func (d *Device) Do(window string, fields ...Field) error {
	for _, f := range fields {
		if err := d.Write(window+"."+f.Name, f.Words...); err != nil {
			return err
		}
	}
	if err := d.Write(window+".command", 1<<csr.WindowStart); err != nil {
		return err
	}
	for range patience {
		v, err := d.Read(window + ".command")
		if err != nil {
			return err
		}
		if v>>csr.WindowMissed&1 != 0 {
			return fmt.Errorf("%s: a word was lost", window)
		}
		if v>>csr.WindowStart&1 == 0 {
			return nil
		}
	}
	return fmt.Errorf("%s: %w", window, ErrStuck)
}

// Settle waits until a flag of a register is up.
func (d *Device) Settle(ctx context.Context, name string) error {
	for range patience {
		if err := ctx.Err(); err != nil {
			return err
		}
		v, err := d.Read(name)
		if err != nil || v != 0 {
			return err
		}
	}
	return fmt.Errorf("%s: %w", name, ErrStuck)
}

// Counters are all counters of a block, by their names: "sts_tx_queued_cnt".
func (d *Device) Counters(block string) (map[string]uint64, error) {
	out := map[string]uint64{}
	for _, b := range d.Map.Blocks {
		if b.Name != block {
			continue
		}
		for _, r := range b.Registers {
			if r.Kind != csr.Counter {
				continue
			}
			v, err := d.Read(block + "." + r.Name)
			if err != nil {
				return nil, err
			}
			out[r.Name] = v
		}
		return out, nil
	}
	return nil, fmt.Errorf("no block %q", block)
}
