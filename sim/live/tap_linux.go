// SPDX-License-Identifier: Apache-2.0

package live

import (
	"errors"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

type tapPort struct {
	*os.File
	name string
}

// openTAP opens a TAP device, whose frames have no header in front.
func openTAP(name string) (Port, error) {
	const device = "/dev/net/tun"
	fail := func(err error) (Port, error) {
		return nil, fmt.Errorf("TAP device %s: %s: %w; it needs root, or `ip tuntap add dev %s mode tap user NAME` before", name, device, err, name)
	}
	fd, err := unix.Open(device, unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return fail(err)
	}
	r, err := unix.NewIfreq(name)
	if err == nil {
		r.SetUint16(unix.IFF_TAP | unix.IFF_NO_PI)
		err = unix.IoctlIfreq(fd, unix.TUNSETIFF, r)
	}
	if err != nil {
		return fail(errors.Join(err, unix.Close(fd)))
	}
	// Not blocking: Close ends a Receive.
	return &tapPort{os.NewFile(uintptr(fd), device), name}, nil
}

// Receive implements Port.
func (p *tapPort) Receive(buf []byte) (int, error) {
	n, err := p.Read(buf)
	if errors.Is(err, os.ErrClosed) {
		err = net.ErrClosed
	}
	return n, err
}

// Send implements Port.
func (p *tapPort) Send(frame []byte) error {
	_, err := p.Write(frame)
	return err
}

func (p *tapPort) String() string { return "tap:" + p.name }
