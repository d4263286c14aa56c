// SPDX-License-Identifier: Apache-2.0

//go:build peers

package linux

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nicgen/nicgen/sim/live"
)

// machine is a virtual machine with Linux and its RoCE in software, rxe0. Commands go to its console, one at a time.
type machine struct {
	who   int // 1 or 2: its address is 10.0.0.who
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
	log   *os.File
	port  *kept
}

// kept is a machine's port, which stays open from run to run: QEMU connects once.
type kept struct {
	live.Port
	mu sync.Mutex
	to chan []byte // frames to the present run; nil between runs, when frames are lost
}

// attached is a port as a run has it.
type attached struct {
	*kept
	frames chan []byte
	closed sync.Once
}

// attach returns the port for a run.
func (k *kept) attach() live.Port {
	a := &attached{kept: k, frames: make(chan []byte, 4096)}
	k.mu.Lock()
	k.to = a.frames
	k.mu.Unlock()
	return a
}

// read gives frames to runs until the port is closed.
func (k *kept) read() {
	buf := make([]byte, 1<<16)
	for {
		n, err := k.Port.Receive(buf)
		if err != nil {
			return
		}
		k.mu.Lock()
		if k.to != nil {
			k.to <- bytes.Clone(buf[:n])
		}
		k.mu.Unlock()
	}
}

// Receive implements live.Port.
func (a *attached) Receive(buf []byte) (int, error) {
	f, ok := <-a.frames
	if !ok {
		return 0, net.ErrClosed
	}
	return copy(buf, f), nil
}

// Close implements live.Port: the machine's port stays open.
func (a *attached) Close() error {
	a.closed.Do(func() {
		a.kept.mu.Lock()
		defer a.kept.mu.Unlock()
		a.kept.to = nil
		close(a.frames)
	})
	return nil
}

// link is the MTU of the machines' Ethernet: room for packets with a path MTU of 4,096.
const link = 4200

// boot starts a machine, and waits until it takes commands.
func boot(t *testing.T, who int, work string) *machine {
	t.Helper()
	inner, err := live.OpenPort("stream:127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := &kept{Port: inner}
	go port.read()
	_, number, _ := strings.Cut(strings.TrimPrefix(inner.String(), "stream:"), ":")
	accelerator := os.Getenv("LINUX_ACCEL")
	if accelerator == "" {
		accelerator = "tcg"
	}
	// Offloads are off: frames come whole, with checksums. mrg_rxbuf: frames above 1,518 bytes.
	card := "virtio-net-pci,netdev=n0,csum=off,gso=off,guest_csum=off,guest_tso4=off,guest_tso6=off,guest_ufo=off,host_tso4=off,host_tso6=off,host_ufo=off,mrg_rxbuf=on,rx_queue_size=1024,romfile="
	cmd := exec.Command("qemu-system-x86_64", "-accel", accelerator, "-cpu", "max", "-m", "384", "-nographic", "-no-reboot",
		"-kernel", filepath.Join(work, "vmlinuz"), "-initrd", filepath.Join(work, "initrd.gz"),
		"-append", fmt.Sprintf("console=ttyS0 panic=-1 quiet loglevel=1 who=%d mtu=%d", who, link),
		"-netdev", "stream,id=n0,server=off,addr.type=inet,addr.host=127.0.0.1,addr.port="+number,
		"-device", fmt.Sprintf("%s,mac=52:54:00:00:00:%02x", card, who))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(work, fmt.Sprintf("machine-%d.log", who)))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v: scripts/deps.sh --linux installs QEMU", err)
	}
	m := &machine{who: who, cmd: cmd, in: in, lines: make(chan string, 1024), log: log, port: port}
	go func() {
		defer close(m.lines)
		s := bufio.NewScanner(out)
		for s.Scan() {
			line := strings.TrimRight(s.Text(), "\r")
			fmt.Fprintln(log, line)
			m.lines <- line
		}
	}()
	var once sync.Once
	t.Cleanup(func() {
		once.Do(func() {
			_ = in.Close()
			_ = cmd.Process.Kill()
			for range m.lines {
			}
			_ = cmd.Wait()
			_ = log.Close()
			_ = inner.Close()
		})
	})
	return m
}

var done = regexp.MustCompile(`@done (\d+)$`)

// answer returns the output up to the end of a command, and its exit code.
func (m *machine) answer(ctx context.Context) (string, int, error) {
	var text strings.Builder
	for {
		select {
		case <-ctx.Done():
			return text.String(), -1, fmt.Errorf("machine %d: no end of the command: %w", m.who, ctx.Err())
		case line, ok := <-m.lines:
			if !ok {
				return text.String(), -1, fmt.Errorf("machine %d has ended: %s", m.who, m.log.Name())
			}
			if d := done.FindStringSubmatch(line); d != nil {
				code, _ := strconv.Atoi(d[1])
				return text.String(), code, nil
			}
			fmt.Fprintln(&text, line)
		}
	}
}

// run runs a command of the shell, at most for limit.
func (m *machine) run(limit time.Duration, command string) (string, int, error) {
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	if _, err := io.WriteString(m.in, command+"\n"); err != nil {
		return "", -1, err
	}
	return m.answer(ctx)
}

// must runs a command that has to work.
func (m *machine) must(limit time.Duration, command string) (string, error) {
	text, code, err := m.run(limit, command)
	if err == nil && code != 0 {
		err = fmt.Errorf("machine %d: %s: exit code %d: %s", m.who, command, code, text)
	}
	return text, err
}

// ready waits until a machine has booted and answers.
func (m *machine) ready(limit time.Duration) error {
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	if _, _, err := m.answer(ctx); err != nil {
		return err
	}
	text, err := m.must(10*time.Second, "rdma link")
	if err == nil && !strings.Contains(text, "state ACTIVE") {
		err = errors.New("rxe0 is not active: " + text)
	}
	return err
}
