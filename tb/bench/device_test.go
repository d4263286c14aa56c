// SPDX-License-Identifier: Apache-2.0

package bench_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	params "github.com/nicgen/nicgen/gen/spray"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/spray"
)

// open is a small unit with ports of all kinds: a stream with and one without a ready signal, answers, and settings.
func open(t *testing.T, cycles int) (*params.Params, *bench.Device, func(port string) *bench.Pin) {
	t.Helper()
	p := params.Default()
	p.Connections = 4
	dev, err := bench.Open(t.Context(), spray.Unit.Bench(p), cycles)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	})
	ports := bench.NewPorts("spray", dev.Layout)
	return p, dev, func(port string) *bench.Pin {
		t.Helper()
		pin := ports.Pin(port)
		if err := ports.Err(); err != nil {
			t.Fatal(err)
		}
		return &pin
	}
}

// A device is reset until it is ready, keeps its settings in all cycles, takes offered events, and answers after the unit's latency.
func TestDevice(t *testing.T) {
	p, dev, pin := open(t, 16)
	ready := pin("sts_ready")
	dev.Set(pin("cfg_mode"), 1) // oblivious
	dev.Set(pin("cfg_evs"), 16)
	// A setting replaces the one before.
	dev.Set(pin("cfg_ev_base"), 0xffff)
	dev.Set(pin("cfg_ev_base"), 0x0100)
	if err := dev.Reset(pin("rst"), ready, 0); err == nil || err.Error() != "not ready 0 cycles after a reset" {
		t.Errorf("%v, want that it is not ready at once", err)
	}
	if err := dev.Reset(pin("rst"), ready, 1000); err != nil {
		t.Fatal(err)
	}
	send := func(in []uint64) {
		pin("s_send_valid").Raise(in)
		pin("s_send_conn").Put(in, 3)
	}
	valid, latency := pin("m_ev_valid"), p.Latency()["SEND to EV"]
	first, err := dev.Run(1, send)
	if err != nil {
		t.Fatal(err)
	}
	if valid.On(first) {
		t.Error("an answer in the cycle of its event")
	}
	if out, err := dev.Await(latency-1, valid); err != nil || out != nil {
		t.Errorf("%v, %v, want no answer before %d cycles", out, err, latency)
	}
	out, err := dev.Await(1, valid)
	if err != nil || out == nil {
		t.Fatalf("%v, %v, want an answer after %d cycles", out, err, latency)
	}
	if ev := pin("m_ev").Get(out); ev < 0x100 || ev > 0x10f {
		t.Errorf("EV %#x, want one of 16 from the second base on", ev)
	}
	// Run drives its first cycle only, and Await finds the answer among others.
	if _, err = dev.Run(1, send); err != nil {
		t.Fatal(err)
	}
	if out, err = dev.Await(16, valid); err != nil || out == nil || !valid.On(out) {
		t.Errorf("%v, %v, want the answer", out, err)
	}
	if out, err = dev.Run(16, send); err != nil || pin("sts_send_cnt").Get(out) != 3 {
		t.Errorf("%v, %v, want three SENDs", out, err)
	}
	flush := func(in []uint64) {
		pin("s_flush_valid").Raise(in)
		pin("s_flush_conn").Put(in, 1)
	}
	if err := dev.Offer(pin("s_flush_ready"), 1000, flush); err != nil {
		t.Error(err)
	}
	if err := dev.Offer(pin("sts_illegal_conn_cnt"), 3, flush); err == nil || err.Error() != "not taken in 3 cycles" {
		t.Errorf("%v, want that it is not taken", err)
	}
}

// RTL that does not compile gives no device.
func TestDeviceRefuses(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := params.Default()
	p.Connections = 32 // in no cache
	if _, err := bench.Open(ctx, spray.Unit.Bench(p), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that of the context", err)
	}
	p.Connections = 0
	if _, err := bench.Open(t.Context(), spray.Unit.Bench(p), 1); err == nil || !strings.Contains(err.Error(), "CONNECTIONS must be 1 to 65536") {
		t.Errorf("%v, want that the configuration is refused", err)
	}
}

// Read reads with the same wires in several goroutines at once.
func TestReadByMany(t *testing.T) {
	p := params.Default()
	l, err := bench.LayoutOf(p.Ports())
	if err != nil {
		t.Fatal(err)
	}
	var sends bench.Wires[params.Send]
	if err := bench.Wire("spray", l, p.Contract(), bench.WireIn(params.Sends, &sends)); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for conn := range uint64(4) {
		in := make([]uint64, l.InWords)
		sends.Drive(in, &params.Send{Conn: conn})
		wg.Go(func() {
			for range 1_000_000 {
				var e params.Send
				if !sends.Read(in, &e) || e.Conn != conn {
					t.Errorf("a SEND of connection %d is read as %+v", conn, e)
					return
				}
			}
		})
	}
	wg.Wait()
}
