// SPDX-License-Identifier: Apache-2.0

package registers

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// The protocol of a socket: requests of three little-endian words {operation, address, data}, each
// answered by two {status, data}.
const (
	opRead  = 0
	opWrite = 1

	statusFine    = 0
	statusRefused = 1

	requestBytes = 12
	answerBytes  = 8
)

// answerTime is the longest time that an answer may take.
const answerTime = time.Minute

// remote is a device behind a socket.
type remote struct {
	conn   net.Conn
	offset uint32
	size   uint64
}

func dial(path string, offset uint32, size uint64) (Device, error) {
	conn, err := net.Dial("unix", path)
	if err != nil {
		return nil, fmt.Errorf("simulated NIC: %w", err)
	}
	return &remote{conn, offset, size}, nil
}

// Size implements Device.
func (r *remote) Size() uint64 { return r.size }

// Close implements Device.
func (r *remote) Close() error { return r.conn.Close() }

// Read32 implements Device.
func (r *remote) Read32(at uint32) (uint32, error) { return r.ask(opRead, at, 0) }

// Write32 implements Device.
func (r *remote) Write32(at, value uint32) error {
	_, err := r.ask(opWrite, at, value)
	return err
}

func (r *remote) ask(op, at, value uint32) (uint32, error) {
	if err := legal(at, r.size); err != nil {
		return 0, err
	}
	b := binary.LittleEndian.AppendUint32(nil, op)
	b = binary.LittleEndian.AppendUint32(b, r.offset+at)
	b = binary.LittleEndian.AppendUint32(b, value)
	answer := make([]byte, answerBytes)
	err := r.conn.SetDeadline(time.Now().Add(answerTime))
	if err == nil {
		_, err = r.conn.Write(b)
	}
	if err == nil {
		_, err = io.ReadFull(r.conn, answer)
	}
	if err != nil {
		return 0, fmt.Errorf("simulated NIC: %w", err)
	}
	if s := binary.LittleEndian.Uint32(answer); s != statusFine {
		return 0, fmt.Errorf("address 0x%x: the simulated NIC answers %d, want 0", at, s)
	}
	return binary.LittleEndian.Uint32(answer[4:]), nil
}

// An Idler is a device in which time also passes between accesses: while no request arrives, Serve
// calls Idle repeatedly until it returns false.
type Idler interface{ Idle() bool }

// quiet is the time without accesses after which a device is idle.
const quiet = time.Millisecond

// request is an access and where its answer goes.
type request struct {
	op, at, value uint32
	answer        chan<- [2]uint32
}

// do carries out an access.
func (r request) do(d Device) {
	var data uint32
	err := errors.ErrUnsupported
	switch r.op {
	case opRead:
		data, err = d.Read32(r.at)
	case opWrite:
		err = d.Write32(r.at, r.value)
	}
	status := uint32(statusFine)
	if err != nil {
		status, data = statusRefused, 0
	}
	r.answer <- [2]uint32{status, data}
}

// work carries out accesses, one at a time.
func work(ctx context.Context, requests <-chan request, d Device) {
	idler, idles := d.(Idler)
	for {
		var idle <-chan time.Time
		if idles {
			idle = time.After(quiet)
		}
		select {
		case <-ctx.Done():
			return
		case r := <-requests:
			r.do(d)
			continue
		case <-idle:
		}
		for asked := false; idles && !asked && ctx.Err() == nil; {
			select {
			case r := <-requests:
				r.do(d)
				asked = true
			default:
				idles = idler.Idle()
			}
		}
	}
}

// Serve forwards accesses from a listener to a device until the context ends; it then closes
// listener and connections and returns nil. A failed access is answered as failed.
func Serve(ctx context.Context, l net.Listener, d Device) error {
	var all sync.WaitGroup
	ctx, stop := context.WithCancel(ctx)
	defer all.Wait()
	defer stop()
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	requests := make(chan request)
	all.Go(func() { work(ctx, requests, d) })
	for {
		conn, err := l.Accept()
		if ctx.Err() != nil {
			if err == nil {
				_ = conn.Close()
			}
			return nil
		}
		if err != nil {
			return err
		}
		all.Go(func() {
			defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
			defer conn.Close()
			b := make([]byte, requestBytes)
			answer := make(chan [2]uint32, 1)
			for {
				// A peer that disconnects within a request, or earlier, cannot be notified.
				if _, err := io.ReadFull(conn, b); err != nil {
					return
				}
				word := func(i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }
				select {
				case requests <- request{word(0), word(1), word(2), answer}:
				case <-ctx.Done():
					return
				}
				select {
				case a := <-answer:
					_, err := conn.Write(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, a[0]), a[1]))
					if err != nil {
						return
					}
				case <-ctx.Done():
					return
				}
			}
		})
	}
}
