// SPDX-License-Identifier: Apache-2.0

package nictransport_test

import (
	"encoding/binary"
	"net"
	"testing"
	"time"

	nicpace "github.com/nicgen/nicgen/gen/nic_pace"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/registers/load"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
)

// A packet after a pause of any length leaves as soon as one without a pause: in a NIC whose clock continues to run,
// and, except within nicpace.Horizon before a whole turn of the time, even if the time jumps and the block sees none of
// the pause.
func TestPauses(t *testing.T) {
	p := params.Default()
	lib := build(t, p)
	const whole = 1 << 32 * time.Nanosecond // of now_ns
	pauses := []time.Duration{
		time.Millisecond, 100 * time.Millisecond, 268 * time.Millisecond, 900 * time.Millisecond,
		whole/4 - time.Millisecond, whole/4 + time.Millisecond, 1200 * time.Millisecond, 1900 * time.Millisecond,
		whole/2 - time.Millisecond, whole/2 + time.Millisecond, 2500 * time.Millisecond, 3 * whole / 4, 4 * time.Second, 4100 * time.Millisecond,
		4200 * time.Millisecond, whole - time.Millisecond, whole, whole + time.Millisecond, 5500 * time.Millisecond,
		2*whole - 50*time.Millisecond, 2*whole + whole/2, time.Minute,
	}
	for _, c := range []struct {
		name  string
		how   *device.Pauses
		waits func(pause time.Duration) bool
	}{
		{"the clock runs on", device.PausesOf(p, device.Period250), func(time.Duration) bool { return false }},
		{"the time jumps", &device.Pauses{}, func(pause time.Duration) bool {
			return whole-pause%whole <= nicpace.Horizon || pause%whole < time.Millisecond
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := start(t, lib, p, device.Config{Seed: 1, Pauses: c.how})
			for i := range pauses {
				profile := device.Profile{Queue: true, Path: true, DSCP: -1, ECN: -1}
				if _, err := s.Open(t.Context(), device.Connection{Remote: there, Numbers: []uint32{0x100 + uint32(i)}, Profile: profile, Rate: 1}); err != nil {
					t.Fatal(err)
				}
			}
			s.Rebase()
			for i, pause := range pauses {
				if c.waits(pause) {
					continue
				}
				for psn := range uint32(2) {
					at := s.Now() + agenda.At(uint64(pause.Nanoseconds()))*agenda.Instant(psn)
					s.Host(at, rc(t, opUCSend, here, there, 0x100+uint32(i), psn, 1000))
					var left []agenda.Instant
					if err := s.Run(t.Context(), at+agenda.At(50_000), func(l device.Left) { left = append(left, l.First-at) }); err != nil {
						t.Fatal(err)
					}
					if len(left) != 1 || left[0] > agenda.At(1000) {
						t.Errorf("packet %d, behind a pause of %v: left %v ps after it came, want once within 1 µs", psn, pause, left)
					}
				}
			}
		})
	}
}

// A block's timers act on time during a pause, too: a list of feedback leaves when it is due, not with the frame after
// the pause; and a flowlet is over after a pause of any length, whole turns of its time among them.
func TestTimersInPauses(t *testing.T) {
	p, lib := blockOf(t, "connections=16 rows=256 kib=64 ring=32 path=spray list=8")
	s := start(t, lib, p, device.Config{Seed: 1, Pauses: device.PausesOf(p, device.Period250)})
	profile := device.Profile{Path: true, Feedback: true, DSCP: -1, ECN: -1}
	conn, err := s.Open(t.Context(), device.Connection{Remote: there, Numbers: []uint32{0x100, 0x200}, Profile: profile})
	if err != nil {
		t.Fatal(err)
	}
	mac, qp := net.HardwareAddr{2, 0, 0, 0, 0, 1}, uint32(0x100)
	template := load.Template(&load.Connection{Conn: int64(conn), Address: there, RemoteQP: &qp,
		Feedback: &load.Feedback{MAC: mac, PeerMAC: net.HardwareAddr{2, 0, 0, 0, 0, 2}, Source: here, TTL: 64, PKey: 0xFFFF}}, false)
	place, _ := template.Place()
	for k := place.Needed() - 1; k >= 0; k-- {
		err := s.Do("feedback.s_template", device.Field{Name: "conn", Words: []uint32{uint32(conn)}}, device.Field{Name: "word", Words: []uint32{uint32(k)}},
			device.Field{Name: "data", Words: []uint32{template[k]}})
		if err != nil {
			t.Fatal(err)
		}
	}
	due := agenda.At(uint64(p.Echo().FeedbackNS))
	turn := time.Duration(1 << p.Spray().TimerBits) // of the time of flowlets
	psn, ports := uint32(0), map[uint16]bool{}
	for _, pause := range []time.Duration{
		20 * time.Microsecond, time.Millisecond, turn/4 - time.Microsecond, turn / 4, turn / 2, 3 * turn / 4, turn - 30*time.Microsecond, turn, turn + 30*time.Microsecond,
		2 * turn, 5*turn + turn/4, 50 * turn, 1024 * turn,
	} {
		psn++
		at := s.Now()
		s.Host(at, rc(t, opUCSend, here, there, 0x100, psn, 100))
		s.Wire(at, rc(t, opUCSend, there, here, 0x200, psn, 100))
		sent, told := 0, 0
		err := s.Run(t.Context(), at+agenda.At(uint64(pause)), func(l device.Left) {
			switch after := l.First - at; {
			case l.ToHost:
			case l.Data[42] == byte(roce.Feedback):
				if told++; after < due || after > due+agenda.At(500) {
					t.Errorf("a list leaves %v ps after its first packet came, want %v and 0.5 µs at most", after, due)
				}
			default:
				sent++
				ports[binary.BigEndian.Uint16(l.Data[34:])] = true
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if sent != 1 || told != 1 {
			t.Errorf("before a pause of %v: %d packets and %d lists left, want one each", pause, sent, told)
		}
	}
	n, err := s.Counters("spray")
	if err != nil {
		t.Fatal(err)
	}
	// The second packet is within the flowlet of the first one.
	if n["sts_jump_cnt"] != 0 || n["sts_new_cnt"] != uint64(psn)-1 || len(ports) != int(psn)-1 {
		t.Errorf("%d packets: %d flowlets with %d entropy values, %d jumps of the time; want %d, as many, 0", psn, n["sts_new_cnt"], len(ports), n["sts_jump_cnt"], psn-1)
	}
}
