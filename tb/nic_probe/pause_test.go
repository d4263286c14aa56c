// SPDX-License-Identifier: Apache-2.0

package nicprobe_test

import (
	"encoding/binary"
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_probe"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// A probe that was under way for long, or that comes from a clock ahead, has its delay modulo 2^48 in the answer, and the
// path tables get the nearest of 32 bits.
func TestPauses(t *testing.T) {
	const whole, path = uint64(1) << 48, 0x0102
	x := suite.Ready(t, params.Default())
	x.Set("m_frame_ready", 1)
	x.Set("m_answer_ready", 1)
	body := func(v uint64) uint64 { // path, and 48 bits from byte 18 on
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], path<<48|v%whole)
		return binary.LittleEndian.Uint64(b[:])
	}
	now := uint64(5000)
	for _, pause := range append(append(benchtest.Pauses(32, 1000), benchtest.Pauses(48, 1000)...), 0, 1, whole-1) {
		sent := now
		now += pause
		x.Set("now_ns", now%whole)
		x.Cycle(benchtest.Ports{"s_shim_valid": 1, "s_shim_subtype": 1, "s_shim_type": params.Probe, "s_shim_body": body(sent)})
		if !x.Until(10, func() bool { return x.Get("m_frame_valid") == 1 }) {
			t.Fatalf("a probe that was under way for %#x ns has no answer", pause)
		}
		if got, want := x.Words("m_frame_data")[2], body(pause); got != want {
			t.Errorf("a probe that was under way for %#x ns: bytes 16 to 23 of its answer are %#x, want %#x", pause, got, want)
		}
		x.Cycle(benchtest.Ports{"s_shim_valid": 1, "s_shim_subtype": 1, "s_shim_type": params.Answer, "s_shim_body": body(pause)})
		if !x.Until(10, func() bool { return x.Get("m_answer_valid") == 1 }) {
			t.Fatalf("the answer of a probe that was under way for %#x ns is lost", pause)
		}
		want := int64(pause<<16) >> 16 // the sign of 48 bits
		want = max(-1<<31, min(want, 1<<31-1))
		if got := int32(x.Get("m_answer_delay_ns")); int64(got) != want {
			t.Errorf("a probe that was under way for %#x ns: a delay of %d for the path tables, want %d", pause, got, want)
		}
	}
}
