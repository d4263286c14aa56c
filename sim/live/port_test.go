// SPDX-License-Identifier: Apache-2.0

package live

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"
)

// A stream keeps frames' boundaries both ways, whatever pieces they come in, and takes another host after the first one.
func TestStream(t *testing.T) {
	p, err := OpenPort("stream:127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Send([]byte("early")); !errors.Is(err, errNoHost) {
		t.Errorf("a frame before a host: %v, want %v", err, errNoHost)
	}
	type received struct {
		frame []byte
		err   error
	}
	frames := make(chan received, 16)
	go func() {
		buf := make([]byte, 1<<16)
		for {
			n, err := p.Receive(buf)
			frames <- received{bytes.Clone(buf[:n]), err}
			if err != nil {
				return
			}
		}
	}()
	address := strings.TrimPrefix(p.String(), "stream:")
	for range 2 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		sent := [][]byte{[]byte("a"), bytes.Repeat([]byte("b"), 9000), {}, []byte("c")}
		var all []byte
		for _, f := range sent {
			all = append(binary.BigEndian.AppendUint32(all, uint32(len(f))), f...)
		}
		for _, part := range [][]byte{all[:2], all[2:7], all[7:5000], all[5000:]} {
			if _, err := c.Write(part); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		for _, f := range sent {
			if got := <-frames; got.err != nil || !bytes.Equal(got.frame, f) {
				t.Fatalf("%d bytes, %v, want %d", len(got.frame), got.err, len(f))
			}
		}
		for _, f := range sent {
			if err := p.Send(f); err != nil {
				t.Fatal(err)
			}
		}
		back := make([]byte, len(all))
		if _, err := io.ReadFull(c, back); err != nil || !bytes.Equal(back, all) {
			t.Errorf("the host got other bytes, %v", err)
		}
		c.Close()
		for i := 0; p.Send([]byte("gone")) == nil; i++ { // until its end is noticed
			if i > 5000 {
				t.Fatal("a host that has gone still takes frames")
			}
			time.Sleep(time.Millisecond)
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if got := <-frames; !errors.Is(got.err, net.ErrClosed) {
		t.Errorf("%v after Close, want %v", got.err, net.ErrClosed)
	}
}

// A length that no frame has ends a stream with a hint.
func TestStreamLength(t *testing.T) {
	_, err := readFrame(bytes.NewReader([]byte{1, 0, 0, 0, 0}), make([]byte, 1<<16))
	if err == nil || !strings.Contains(err.Error(), "a frame of 16777216 bytes, want at most 65536") {
		t.Error(err)
	}
}

// Names of ports: errors name the value and the values allowed.
func TestPorts(t *testing.T) {
	for name, want := range map[string]string{
		"":                     `port "": want udp:LISTEN,SEND, stream:LISTEN or tap:NAME`,
		"veth:a":               `port "veth:a": want udp:LISTEN,SEND, stream:LISTEN or tap:NAME`,
		"udp:1":                `port "udp:1": want udp:LISTEN,SEND, two UDP ports or ADDRESS:PORT, such as udp:17001,17011`,
		"udp:0,5":              `port "udp:0,5": want udp:LISTEN,SEND`,
		"udp:70000,5":          `port "udp:70000,5": want udp:LISTEN,SEND`,
		"stream:x":             `port "stream:x": want stream:LISTEN, a TCP port or ADDRESS:PORT, such as stream:17001`,
		"tap:":                 `port "tap:": want tap:NAME, a name of 1 to 15 characters`,
		"tap:0123456789abcdef": `port "tap:0123456789abcdef": want tap:NAME, a name of 1 to 15 characters`,
	} {
		if p, err := OpenPort(name); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, %v, want %s", name, p, err, want)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := OpenPort("stream:" + l.Addr().String()); err == nil || !strings.Contains(err.Error(), "choose a free one") {
		t.Errorf("a port in use: %v", err)
	}
	// Datagrams of other senders are ignored.
	h, p := newHost(t)
	defer p.Close()
	other, _ := newHost(t)
	other.to = h.to
	other.send([]byte("other"))
	h.send([]byte("own"))
	buf := make([]byte, 100)
	if n, err := p.Receive(buf); err != nil || string(buf[:n]) != "own" {
		t.Errorf("%q, %v, want own", buf[:n], err)
	}
}

// With the rights for it, a TAP device gives the frames that the kernel sends by it, and takes frames; without, the error names the way out.
func TestTAP(t *testing.T) {
	p, err := OpenPort("tap:nicgen-test")
	if err != nil {
		if !strings.Contains(err.Error(), "TAP device nicgen-test: /dev/net/tun: ") || !strings.Contains(err.Error(), "ip tuntap add dev nicgen-test mode tap user NAME") {
			t.Error(err)
		}
		return
	}
	up(t, "nicgen-test")
	buf := make([]byte, 1<<16)
	n, err := p.Receive(buf) // IPv6 looks for neighbours
	if err != nil || n < 14 {
		t.Errorf("%d bytes, %v", n, err)
	}
	f := make([]byte, 60)
	copy(f, bytes.Repeat([]byte{0xFF}, 6))
	f[12], f[13] = 0x88, 0xB5
	if err := p.Send(f); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile("/sys/class/net/nicgen-test/statistics/rx_packets")
	if err != nil || strings.TrimSpace(string(text)) != "1" {
		t.Errorf("the kernel has %q packets, %v, want 1", text, err)
	}
	done := make(chan error)
	go func() {
		for {
			if _, err := p.Receive(buf); err != nil {
				done <- err
				return
			}
		}
	}()
	time.Sleep(10 * time.Millisecond)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; !errors.Is(err, net.ErrClosed) {
		t.Errorf("%v after Close, want %v", err, net.ErrClosed)
	}
}
