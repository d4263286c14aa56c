// SPDX-License-Identifier: Apache-2.0

package live

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
)

// longestFrame is the length above which a stream has lost its frames' boundaries.
const longestFrame = 1 << 16

// waiting is the number of frames that wait for a host before further ones are lost.
const waiting = 8192

var errNoHost = errors.New("no host is connected")

// streamPort is a TCP connection of one host at a time. Each frame has its length in front, 4 bytes, the highest first.
// Unlike a UDP socket, it loses no frame of a burst.
type streamPort struct {
	l  net.Listener
	in net.Conn // of Receive alone

	mu  sync.Mutex
	out chan []byte // to the host; nil: none is connected
}

func listenStream(at netip.AddrPort) (Port, error) {
	l, err := net.Listen("tcp", at.String())
	if err != nil {
		return nil, err
	}
	return &streamPort{l: l}, nil
}

// Receive implements Port. It waits for a host to connect, or to connect again.
func (p *streamPort) Receive(buf []byte) (int, error) {
	for {
		if p.in == nil {
			c, err := p.l.Accept()
			if err != nil {
				return 0, err
			}
			p.attach(c)
		}
		n, err := readFrame(p.in, buf)
		if err == nil {
			return n, nil
		}
		p.detach()
		if !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, err
		}
	}
}

func readFrame(r io.Reader, buf []byte) (int, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > uint32(min(len(buf), longestFrame)) {
		return 0, fmt.Errorf("a frame of %d bytes, want at most %d: each needs its length in front, 4 bytes, as QEMU's -netdev stream has it", n, longestFrame)
	}
	return io.ReadFull(r, buf[:n])
}

// attach starts to send to a host that has connected.
func (p *streamPort) attach(c net.Conn) {
	out := make(chan []byte, waiting)
	p.mu.Lock()
	p.in, p.out = c, out
	p.mu.Unlock()
	go func() {
		for f := range out {
			head := binary.BigEndian.AppendUint32(nil, uint32(len(f)))
			if _, err := (&net.Buffers{head, f}).WriteTo(c); err != nil {
				break // Receive notices it too
			}
		}
		for range out {
		}
	}()
}

// detach ends the connection.
func (p *streamPort) detach() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.out != nil {
		close(p.out)
		p.out = nil
	}
	_ = p.in.Close()
	p.in = nil
}

// Send implements Port.
func (p *streamPort) Send(frame []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.out == nil {
		return errNoHost
	}
	select {
	case p.out <- frame:
		return nil
	default:
		return fmt.Errorf("%d frames wait for the host", waiting)
	}
}

// Close implements Port.
func (p *streamPort) Close() error {
	err := p.l.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.out != nil {
		close(p.out)
		p.out = nil
	}
	if p.in != nil {
		_ = p.in.Close()
	}
	return err
}

func (p *streamPort) String() string { return fmt.Sprintf("stream:%v", p.l.Addr()) }
