// SPDX-License-Identifier: Apache-2.0

//go:build peers

package linux

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// machine is a virtual machine with Linux and its RoCE in software, rxe0. Commands go to its console, one at a time.
type machine struct {
	who   int // 1 or 2: its address is 10.0.0.who
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
	log   *os.File
}

// link is the MTU of the machines' Ethernet: room for packets with a path MTU of 4,096.
const link = 4200

// ports of a machine's Ethernet card: it listens at the first, and sends to the second.
func ports(who int) (own, to int) { return 17010 + who, 17000 + who }

// boot starts a machine, and waits until it takes commands.
func boot(t *testing.T, who int, work string) *machine {
	t.Helper()
	own, to := ports(who)
	accelerator := os.Getenv("LINUX_ACCEL")
	if accelerator == "" {
		accelerator = "tcg"
	}
	// Offloads are off: frames come whole, with checksums. mrg_rxbuf: frames above 1,518 bytes. rx_queue_size: bursts.
	card := "virtio-net-pci,netdev=n0,csum=off,gso=off,guest_csum=off,guest_tso4=off,guest_tso6=off,guest_ufo=off,host_tso4=off,host_tso6=off,host_ufo=off,mrg_rxbuf=on,rx_queue_size=1024,romfile="
	cmd := exec.Command("qemu-system-x86_64", "-accel", accelerator, "-cpu", "max", "-m", "384", "-nographic", "-no-reboot",
		"-kernel", filepath.Join(work, "vmlinuz"), "-initrd", filepath.Join(work, "initrd.gz"),
		"-append", fmt.Sprintf("console=ttyS0 panic=-1 quiet loglevel=1 who=%d mtu=%d", who, link),
		"-netdev", fmt.Sprintf("dgram,id=n0,local.type=inet,local.host=127.0.0.1,local.port=%d,remote.type=inet,remote.host=127.0.0.1,remote.port=%d", own, to),
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
	m := &machine{who: who, cmd: cmd, in: in, lines: make(chan string, 1024), log: log}
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

// overflows returns the number of frames that did not fit the socket of a machine's card so far.
func (m *machine) overflows() (n int) {
	own, _ := ports(m.who)
	text, err := os.ReadFile("/proc/net/udp")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) > 12 && strings.HasSuffix(f[1], fmt.Sprintf(":%04X", own)) {
			n, _ = strconv.Atoi(f[len(f)-1])
		}
	}
	return n
}
