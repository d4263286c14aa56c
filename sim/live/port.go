// SPDX-License-Identifier: Apache-2.0

package live

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// A Port is the link to a host: whole Ethernet frames, without FCS.
type Port interface {
	// Receive waits for a frame and returns its length. After Close, its error is net.ErrClosed.
	Receive(buf []byte) (int, error)
	Send(frame []byte) error
	Close() error
	String() string
}

// OpenPort opens a port by its name:
//
//	udp:LISTEN,SEND  a frame in each datagram, as QEMU's -netdev dgram has it; LISTEN and SEND are UDP
//	                 ports of 127.0.0.1, or ADDRESS:PORT
//	stream:LISTEN    a TCP port to which the host connects, as QEMU's -netdev stream does: no frame of a burst is lost
//	tap:NAME         a TAP device of Linux, which is made if it does not exist
func OpenPort(name string) (Port, error) {
	kind, rest, _ := strings.Cut(name, ":")
	switch kind {
	case "udp":
		listen, send, ok := strings.Cut(rest, ",")
		from, err1 := endpoint(listen)
		to, err2 := endpoint(send)
		if !ok || err1 != nil || err2 != nil {
			return nil, fmt.Errorf("port %q: want udp:LISTEN,SEND, two UDP ports or ADDRESS:PORT, such as udp:17001,17011", name)
		}
		p, err := listenUDP(from, to)
		if err != nil {
			return nil, fmt.Errorf("port %q: %w: choose a free one", name, err)
		}
		return p, nil
	case "stream":
		at, err := endpoint(rest)
		if err != nil {
			return nil, fmt.Errorf("port %q: want stream:LISTEN, a TCP port or ADDRESS:PORT, such as stream:17001", name)
		}
		p, err := listenStream(at)
		if err != nil {
			return nil, fmt.Errorf("port %q: %w: choose a free one", name, err)
		}
		return p, nil
	case "tap":
		if rest == "" || len(rest) > 15 {
			return nil, fmt.Errorf("port %q: want tap:NAME, a name of 1 to 15 characters", name)
		}
		return openTAP(rest)
	}
	return nil, fmt.Errorf("port %q: want udp:LISTEN,SEND, stream:LISTEN or tap:NAME", name)
}

// endpoint parses a UDP port of 127.0.0.1, or an address with its port.
func endpoint(text string) (netip.AddrPort, error) {
	if n, err := strconv.ParseUint(text, 10, 16); err == nil && n > 0 {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(n)), nil
	}
	return netip.ParseAddrPort(text)
}

// socketBytes is the size of a socket's buffer, as far as the system grants it.
const socketBytes = 8 << 20

type udpPort struct {
	conn *net.UDPConn
	to   netip.AddrPort
}

func listenUDP(from, to netip.AddrPort) (Port, error) {
	c, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(from))
	if err != nil {
		return nil, err
	}
	// Smaller buffers only lose frames earlier.
	_ = c.SetReadBuffer(socketBytes)
	_ = c.SetWriteBuffer(socketBytes)
	return &udpPort{c, to}, nil
}

// Receive implements Port. Datagrams of other senders are ignored.
func (p *udpPort) Receive(buf []byte) (int, error) {
	for {
		n, from, err := p.conn.ReadFromUDPAddrPort(buf)
		if err != nil || netip.AddrPortFrom(from.Addr().Unmap(), from.Port()) == p.to {
			return n, err
		}
	}
}

// Send implements Port. A host that is not there yet, or whose buffer is full, loses the frame.
func (p *udpPort) Send(frame []byte) error {
	_, err := p.conn.WriteToUDPAddrPort(frame, p.to)
	return err
}

func (p *udpPort) Close() error { return p.conn.Close() }

func (p *udpPort) String() string {
	return fmt.Sprintf("udp:%v,%v", p.conn.LocalAddr(), p.to)
}
