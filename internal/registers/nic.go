// SPDX-License-Identifier: Apache-2.0

package registers

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/nicgen/nicgen/gen/csr"
)

// A Found is a block as the device's own list has it.
type Found struct {
	Base    uint32 // in bytes from the first one
	Type    uint32 // vendor in the high half
	Version uint32
	Size    uint32 // in bytes, or 0 if unknown
	Hash    uint32 // of the map; of blocks of nicgen
}

// Own reports whether the block belongs to nicgen.
func (f Found) Own() bool { return f.Type>>16 == csr.Vendor }

// Enumerate follows the list of blocks in a device. The first one must be nicgen's; others may have
// another vendor.
func Enumerate(d Device) ([]Found, error) {
	var list []Found
	for base := uint32(0); ; {
		var words [5]uint32
		for i, at := range []uint32{csr.AtType, csr.AtVersion, csr.AtNext, csr.AtSize, csr.AtHash} {
			var err error
			if words[i], err = d.Read32(base + at); err != nil {
				return nil, fmt.Errorf("block at 0x%x: %w", base, err)
			}
		}
		f := Found{Base: base, Type: words[0], Version: words[1], Hash: words[4]}
		switch {
		case f.Own():
			if f.Version>>24 != csr.Version>>24 {
				return nil, fmt.Errorf("block at 0x%x: version 0x%08x of the layout, want 0x%02x______", base, f.Version, csr.Version>>24)
			}
			if words[3] < 2 || words[3] > 31 {
				return nil, fmt.Errorf("block at 0x%x: 2^%d bytes, want 2^2 to 2^31", base, words[3])
			}
			f.Size = 1 << words[3]
		case base == 0 && f.Type == 1<<32-1:
			return nil, errors.New("the device reads as all ones: it is gone, or its memory is not enabled")
		case base == 0:
			return nil, fmt.Errorf("the first block has type 0x%08x, want vendor 0x%04X in the high half: do the registers begin here?", f.Type, csr.Vendor)
		}
		list = append(list, f)
		next := words[2]
		switch {
		case next == 0:
			return list, nil
		case next <= base || next%4 != 0 || uint64(next)+csr.AtHash+4 > d.Size():
			return nil, fmt.Errorf("block at 0x%x: the next one is to begin at 0x%x, want a higher multiple of 4 within 0x%x bytes", base, next, d.Size())
		case len(list) == csr.MostBlocks:
			return nil, fmt.Errorf("the device lists more than %d blocks", csr.MostBlocks)
		}
		base = next
	}
}

// A Mismatch is the error for a device whose registers differ from the map.
type Mismatch struct{ Reasons []string }

// Error names all that differs.
func (m *Mismatch) Error() string {
	return "the device's registers differ from the map: " + strings.Join(m.Reasons, "; ")
}

// A NIC is the registers of a device, by a map.
type NIC struct {
	Device
	Map    *csr.Map
	Blocks []Found // as the device lists them

	base map[*csr.Block]uint32
}

// Attach finds the map's blocks in a device by its list. Each must have its type and the map's
// hash; otherwise the error is a *Mismatch. With force, it takes blocks with a matching type, in
// their order; the others are missing.
func Attach(d Device, m *csr.Map, force bool) (*NIC, error) {
	list, err := Enumerate(d)
	if err != nil {
		return nil, err
	}
	n := &NIC{Device: d, Map: m, Blocks: list, base: map[*csr.Block]uint32{}}
	var own []Found
	for _, f := range list {
		if f.Own() {
			own = append(own, f)
		}
	}
	bad := &Mismatch{}
	say := func(format string, args ...any) { bad.Reasons = append(bad.Reasons, fmt.Sprintf(format, args...)) }
	if len(own) != len(m.Blocks) {
		say("the device has %d blocks, the map %d", len(own), len(m.Blocks))
	}
	if len(own) > 0 && own[0].Hash != m.Hash {
		say("the device's hash is 0x%08x, the map's 0x%08x", own[0].Hash, m.Hash)
	}
	taken := make([]bool, len(own))
	for i, b := range m.Blocks {
		at := -1
		if i < len(own) && own[i].Type == b.Type && !taken[i] {
			at = i
		}
		for k := 0; at < 0 && k < len(own); k++ {
			if own[k].Type == b.Type && !taken[k] {
				at = k
			}
		}
		if at < 0 {
			say("no block of the unit %s (type 0x%08x)", b.Unit, b.Type)
			continue
		}
		taken[at] = true
		f := own[at]
		n.base[b] = f.Base
		if f.Hash != own[0].Hash {
			say("block %s has another hash than the first, 0x%08x", b.Name, f.Hash)
		}
		if f.Base != b.Base {
			say("block %s begins at 0x%x, in the map at 0x%x", b.Name, f.Base, b.Base)
		}
	}
	if len(bad.Reasons) > 0 && !force {
		return nil, bad
	}
	return n, nil
}

// Present reports whether the device has a block of the map.
func (n *NIC) Present(b *csr.Block) bool {
	_, ok := n.base[b]
	return ok
}

// word returns the address of a word of a register.
func (n *NIC) word(b *csr.Block, r *csr.Register, i uint32) (uint32, error) {
	base, ok := n.base[b]
	if !ok {
		return 0, fmt.Errorf("%s.%s: the device has no such block", b.Name, r.Name)
	}
	return base + r.Offset + 4*i, nil
}

// Get reads a value. The low word is read first, which freezes the high word of a counter.
func (n *NIC) Get(p csr.Place) (uint64, error) {
	if !p.Register.Readable() {
		return 0, fmt.Errorf("%s is written only", p.Name())
	}
	v := uint64(0)
	for i := range min(p.Register.Words(), 2) {
		at, err := n.word(p.Block, p.Register, i)
		if err != nil {
			return 0, err
		}
		w, err := n.Read32(at)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", p.Name(), err)
		}
		v |= uint64(w) << (32 * i)
	}
	if p.Bit != nil {
		v = v >> p.Bit.Bit & 1
	}
	return v, nil
}

// put writes all words of a register, the low one first.
func (n *NIC) put(b *csr.Block, r *csr.Register, v *big.Int) error {
	rest, low := new(big.Int).Set(v), new(big.Int)
	for i := range r.Words() {
		at, err := n.word(b, r, i)
		if err != nil {
			return err
		}
		low.And(rest, big.NewInt(1<<32-1))
		if err := n.Write32(at, uint32(low.Uint64())); err != nil {
			return fmt.Errorf("%s.%s: %w", b.Name, r.Name, err)
		}
		rest.Rsh(rest, 32)
	}
	return nil
}

// An Assignment is a register, or a flag in one, and its new value.
type Assignment struct {
	Place csr.Place
	Value *big.Int
}

// String returns the assignment as software writes it.
func (a Assignment) String() string { return a.Place.Name() + "=" + number(a.Value) }

// number returns a value for people: decimal, long ones in hex.
func number(v *big.Int) string {
	if v.BitLen() > 32 {
		return "0x" + v.Text(16)
	}
	return v.String()
}

// CheckAssignments returns an error unless all assignments of the list are legal: each names a
// writable register, has a value that fits, and occurs once. Fields of windows are not assigned but
// offered, see Offer.
func CheckAssignments(list []Assignment) error {
	var errs []error
	seen := map[string]bool{}
	for _, a := range list {
		r, bits := a.Place.Register, a.Place.Register.Bits
		if a.Place.Bit != nil {
			bits = 1
		}
		switch {
		case r.Kind == csr.Data:
			window, _, _ := strings.Cut(r.Name, ".")
			errs = append(errs, fmt.Errorf("%s is a field of the window %s.%s: name the window, then its fields", a.Place.Name(), a.Place.Block.Name, window))
		case !r.Writable():
			errs = append(errs, fmt.Errorf("%s is read only", a.Place.Name()))
		case a.Value.Sign() < 0 || a.Value.BitLen() > bits:
			errs = append(errs, fmt.Errorf("%s: %s does not fit %d bits", a.Place.Name(), a.Value, bits))
		case seen[a.Place.Name()]:
			errs = append(errs, fmt.Errorf("%s is there twice", a.Place.Name()))
		}
		seen[a.Place.Name()] = true
	}
	return errors.Join(errs...)
}

// Waiting returns the blocks of a list with settings that have been written, by anyone, but not
// committed.
func (n *NIC) Waiting(list []Assignment) ([]string, error) {
	var out []string
	for _, b := range dirty(list) {
		v, err := n.Get(csr.Place{Block: b, Register: b.Register("commit")})
		if err != nil {
			return nil, err
		}
		if v>>csr.CommitBit&1 != 0 {
			out = append(out, b.Name)
		}
	}
	return out, nil
}

// dirty returns the blocks with settings in a list, in its order.
func dirty(list []Assignment) []*csr.Block {
	var out []*csr.Block
	seen := map[*csr.Block]bool{}
	for _, a := range list {
		if a.Place.Register.Kind == csr.Setting && !seen[a.Place.Block] {
			seen[a.Place.Block] = true
			out = append(out, a.Place.Block)
		}
	}
	return out
}

// Assign writes values. It checks the whole list first. The settings of a block are all written,
// then committed once, so that they change together; blocks are handled one after the other.
func (n *NIC) Assign(list []Assignment) error {
	if err := CheckAssignments(list); err != nil {
		return err
	}
	for _, a := range list {
		if !n.Present(a.Place.Block) {
			return fmt.Errorf("%s: the device has no such block", a.Place.Name())
		}
	}
	for _, a := range list {
		r, v := a.Place.Register, a.Value
		if f := a.Place.Bit; f != nil {
			v = new(big.Int).Lsh(v, uint(f.Bit))
			if r.Kind == csr.Enable { // the other bits stay; other registers' bits are commands
				old, err := n.Get(csr.Place{Block: a.Place.Block, Register: r})
				if err != nil {
					return err
				}
				v = v.Or(v, new(big.Int).SetUint64(old&^(1<<f.Bit)))
			}
		}
		if err := n.put(a.Place.Block, r, v); err != nil {
			return err
		}
	}
	for _, b := range dirty(list) {
		if err := n.put(b, b.Register("commit"), big.NewInt(1<<csr.CommitBit)); err != nil {
			return err
		}
	}
	return nil
}

// An Offer is a word for the stream behind a window. Missing fields are 0.
type Offer struct {
	Block  *csr.Block
	Window *csr.Window
	Values map[string]*big.Int // by the field's name, without the window's
}

// String returns the offer as software writes it, fields in their order.
func (o Offer) String() string {
	var b strings.Builder
	b.WriteString(o.Block.Name + "." + o.Window.Name)
	for _, f := range o.Window.Fields {
		name := strings.TrimPrefix(f.Name, o.Window.Name+".")
		if v, ok := o.Values[name]; ok {
			b.WriteString(" " + name + "=" + number(v))
		}
	}
	return b.String()
}

// Check returns an error unless the window has all fields of the offer, with sufficient widths.
func (o Offer) Check() error {
	var errs []error
	for _, name := range sortedKeys(o.Values) {
		v := o.Values[name]
		f := o.Window.Field(name)
		switch {
		case f == nil:
			var all []string
			for _, f := range o.Window.Fields {
				all = append(all, strings.TrimPrefix(f.Name, o.Window.Name+"."))
			}
			errs = append(errs, fmt.Errorf("%s.%s has no field %s, its fields are %s", o.Block.Name, o.Window.Name, name, strings.Join(all, ", ")))
		case v.Sign() < 0 || v.BitLen() > f.Bits:
			errs = append(errs, fmt.Errorf("%s.%s.%s: %s does not fit %d bits", o.Block.Name, o.Window.Name, name, number(v), f.Bits))
		}
	}
	return errors.Join(errs...)
}

// ErrBusy is a window whose word is not taken in time.
var ErrBusy = errors.New("its word is not taken: the unit behind it is busy or not ready")

// ErrMissed is the error for a window that another writer used meanwhile.
var ErrMissed = errors.New("something else wrote the window meanwhile, and the word may be a mixture: one program at a time")

// Offer waits until a window is free, writes the fields, offers the word, and waits until it is
// taken. Each wait has a time limit.
func (n *NIC) Offer(ctx context.Context, o Offer, patience time.Duration) error {
	if err := o.Check(); err != nil {
		return err
	}
	name := o.Block.Name + "." + o.Window.Name
	fail := func(err error) error { return fmt.Errorf("window %s: %w", name, err) }
	command := csr.Place{Block: o.Block, Register: o.Window.Start}
	missed, err := n.free(ctx, command, patience)
	if err != nil {
		return fail(err)
	}
	if missed {
		if err := n.put(o.Block, o.Window.Start, big.NewInt(1<<csr.WindowMissed)); err != nil {
			return err
		}
	}
	zero := new(big.Int)
	for _, f := range o.Window.Fields {
		v, ok := o.Values[strings.TrimPrefix(f.Name, o.Window.Name+".")]
		if !ok {
			v = zero
		}
		if err := n.put(o.Block, f, v); err != nil {
			return err
		}
	}
	if err := n.put(o.Block, o.Window.Start, big.NewInt(1<<csr.WindowStart)); err != nil {
		return err
	}
	switch missed, err = n.free(ctx, command, patience); {
	case err != nil:
		return fail(err)
	case missed:
		return fail(ErrMissed)
	}
	return nil
}

// free waits until a window offers nothing, and reports whether a write to it was lost.
func (n *NIC) free(ctx context.Context, command csr.Place, patience time.Duration) (missed bool, err error) {
	end := time.Now().Add(patience)
	for pause := 10 * time.Microsecond; ; pause = min(2*pause, 10*time.Millisecond) {
		late := time.Now().After(end) // asked before: the last look is after the end
		v, err := n.Get(command)
		if err != nil {
			return false, err
		}
		if v>>csr.WindowStart&1 == 0 {
			return v>>csr.WindowMissed&1 != 0, nil
		}
		if late {
			return false, fmt.Errorf("after %v: %w", patience, ErrBusy)
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(pause):
		}
	}
}
