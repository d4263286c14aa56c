// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/gopacket/gopacket"

	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/shim"
)

// Selection is what a user says of captures.
type Selection struct {
	// MAC is the NIC's address. Without one it is found, if it is the only one that all
	// RoCEv2 frames without a direction have.
	MAC net.HardwareAddr

	// Named reports whether the user chose the interface of a frame; nil: none.
	Named func(*capture.Packet) bool

	// Files or interfaces of what the host sent, and of what came, were named.
	Sent, Came bool

	// MaxGap bounds the time between frames: longer gaps become as long as this; 0: no bound.
	MaxGap time.Duration
}

// Units of an intake's notes about times.
const (
	steps      = "step"
	gaps       = "gap"
	recordings = "recording"
)

// jitter is how much earlier than those before it a frame may be without its clock having been set back.
const jitter = time.Millisecond

// ErrSides is a capture that does not tell which frames the host sent.
var ErrSides = errors.New("the capture does not tell which frames the NIC's host sent")

// Prepare makes captures one recording that Run takes: their frames by time and each file's in its own order, with
// directions, and times that never go back. What it leaves out or changes is in the intake.
func Prepare(files []*capture.File, s Selection) ([]capture.Packet, capture.Intake, error) {
	var in capture.Intake
	var all [][]capture.Packet
	for _, f := range files {
		in.Files += f.Intake.Files
		in.Frames += f.Intake.Frames
		in.LeftOut = append(in.LeftOut, f.Intake.LeftOut...)
		in.Notes = append(in.Notes, f.Intake.Notes...)
		all = append(all, f.Packets)
	}
	packets := slices.DeleteFunc(capture.Merge(all...), func(p capture.Packet) bool {
		why := unusable(&p)
		if why != "" {
			in.LeftOut.Add(p.File, 1, capture.Frames, why)
		}
		return why != ""
	})
	packets, err := direct(packets, &s, &in)
	if err != nil {
		return nil, in, err
	}
	pace(packets, s.MaxGap, &in)
	return packets, in, nil
}

const ethernetBytes = 14

// unusable says why a frame cannot be replayed; empty if it can.
func unusable(p *capture.Packet) string {
	captured := len(p.Data) - p.Missing
	switch {
	case len(p.Data) == 0:
		return "of 0 bytes"
	case len(p.Data) < ethernetBytes:
		return fmt.Sprintf("shorter than an Ethernet header, %d bytes", ethernetBytes)
	case p.Missing > 0 && captured < headersEnd(p.Data):
		return "truncated inside their headers"
	case p.Dir == capture.Unknown && bytes.Count(p.Data[:12], []byte{0}) == 12:
		return "of a loopback interface: both addresses are 00:00:00:00:00:00"
	}
	return ""
}

// headerBytes are the sizes of the headers behind the BTH.
var headerBytes = map[gopacket.LayerType]int{
	roce.LayerTypeAETH: roce.AETHBytes, roce.LayerTypeRETH: roce.RETHBytes, roce.LayerTypeAtomicETH: roce.AtomicETHBytes,
	roce.LayerTypeAtomicAckETH: roce.AtomicAckETHBytes, roce.LayerTypeDETH: roce.DETHBytes, roce.LayerTypeImmDt: roce.ImmDtBytes,
	roce.LayerTypeIETH: roce.IETHBytes, roce.LayerTypeXRCETH: roce.XRCETHBytes,
}

// headersEnd is how many bytes of a frame tell what it is. Zeros in place of a header would make another packet of it;
// feedback is all header.
func headersEnd(f []byte) int {
	bare, shimmed := strip(f)
	size := len(f) - len(bare) // of the shim
	at := ethernetBytes
	if !shimmed && binary.BigEndian.Uint16(f[at-2:]) == uint16(shim.EtherType) {
		return at + 2 // these say what kind of shim it is
	}
	for at+4 <= len(bare) && (bare[at-2] == 0x81 && bare[at-1] == 0 || bare[at-2] == 0x88 && bare[at-1] == 0xA8) {
		at += 4
	}
	v6 := binary.BigEndian.Uint16(bare[at-2:]) == 0x86DD
	if !v6 && binary.BigEndian.Uint16(bare[at-2:]) != 0x0800 {
		return size + at
	}
	ip := bare[at:]
	switch {
	case v6 && len(ip) >= 40:
		at += 40
		if ip[6] != 17 {
			return size + at
		}
	case !v6 && len(ip) >= 20:
		at += max(20, 4*int(ip[0]&15))
		if ip[9] != 17 {
			return size + at
		}
	default:
		return len(f)
	}
	if at += 8; len(bare) < at {
		return len(f)
	}
	if binary.BigEndian.Uint16(bare[at-6:]) != roce.Port {
		return size + at
	}
	if len(bare) < at+roce.BTHBytes {
		return len(f)
	}
	op := roce.Opcode(bare[at])
	if op == roce.Feedback {
		return len(f)
	}
	at += roce.BTHBytes
	for _, h := range op.Headers() {
		at += headerBytes[h]
	}
	return size + at
}

// group is an interface of a file.
type group struct {
	file            string
	section, number int
}

func groupOf(p *capture.Packet) group { return group{p.File, p.Section, p.Interface} }

// direct gives each packet without a direction one. What the NIC's host did not send came from the wire; what another
// interface recorded is left out.
func direct(packets []capture.Packet, s *Selection, in *capture.Intake) ([]capture.Packet, error) {
	unknown := 0
	for i := range packets {
		if packets[i].Dir == capture.Unknown {
			unknown++
		}
	}
	if unknown == 0 {
		return packets, nil
	}
	named := func(p *capture.Packet) bool { return s.Named != nil && s.Named(p) }
	mac := s.MAC
	kept := packets[:0]
	if mac == nil && s.Sent {
		for _, p := range packets {
			if p.Dir == capture.Unknown {
				if s.Came && !named(&p) {
					in.LeftOut.Add(p.File, 1, capture.Frames, fmt.Sprintf("of %s, which is named for neither direction", p.Face()))
					continue
				}
				p.Dir = capture.RX
			}
			kept = append(kept, p)
		}
		return kept, nil
	}
	addresses := tally(packets)
	if mac == nil {
		if mac = common(packets); mac == nil {
			return nil, fmt.Errorf("%w: %d of %d frames have no direction, and %s", ErrSides, unknown, len(packets), addresses)
		}
	}
	ours := map[group]bool{}
	for i := range packets {
		if p := &packets[i]; bytes.Equal(p.Data[:6], mac) || bytes.Equal(p.Data[6:12], mac) {
			ours[groupOf(p)] = true
		}
	}
	if len(ours) == 0 {
		return nil, fmt.Errorf("%w: no frame is from or to %v, and %s", ErrSides, mac, addresses)
	}
	for _, p := range packets {
		switch {
		case p.Dir != capture.Unknown:
		case !ours[groupOf(&p)] && !named(&p):
			in.LeftOut.Add(p.File, 1, capture.Frames, fmt.Sprintf("of %s, where no frame is from or to %v", p.Face(), mac))
			continue
		case bytes.Equal(p.Data[6:12], mac):
			p.Dir = capture.TX
		default:
			p.Dir = capture.RX
			if p.Others = p.Data[0]&1 == 0 && !bytes.Equal(p.Data[:6], mac); p.Others {
				in.Notes.Add(p.File, 1, capture.Frames, "between other hosts: replayed from the wire, without a connection")
			}
		}
		kept = append(kept, p)
	}
	return kept, nil
}

// common is the only address that each RoCEv2 frame without a direction has, as source or destination; nil if there is
// none, or more than one.
func common(packets []capture.Packet) net.HardwareAddr {
	var both map[[6]byte]bool
	for i := range packets {
		p := &packets[i]
		if p.Dir != capture.Unknown {
			continue
		}
		if _, err := roce.Locate(p.Data); err != nil {
			continue
		}
		a, b := [6]byte(p.Data[0:6]), [6]byte(p.Data[6:12])
		if both == nil {
			both = map[[6]byte]bool{a: true, b: true}
			continue
		}
		for m := range both {
			if m != a && m != b {
				delete(both, m)
			}
		}
	}
	if len(both) != 1 {
		return nil
	}
	for m := range both {
		return m[:]
	}
	return nil
}

// tally names the addresses of the frames without a direction, of RoCEv2's if there are any: those with the most frames
// first.
func tally(packets []capture.Packet) string {
	type count struct {
		mac      [6]byte
		from, to int
	}
	const most = 8
	for _, only := range []bool{true, false} {
		counts := map[[6]byte]*count{}
		of := func(m []byte) *count {
			k := [6]byte(m)
			if counts[k] == nil {
				counts[k] = &count{mac: k}
			}
			return counts[k]
		}
		for i := range packets {
			p := &packets[i]
			if _, err := roce.Locate(p.Data); p.Dir != capture.Unknown || only && err != nil {
				continue
			}
			of(p.Data[6:12]).from++
			if p.Data[0]&1 == 0 { // a group's is no NIC's
				of(p.Data[:6]).to++
			}
		}
		var list []*count
		for _, c := range counts {
			list = append(list, c)
		}
		if len(list) == 0 {
			continue
		}
		slices.SortFunc(list, func(a, b *count) int {
			return cmp.Or(cmp.Compare(b.from+b.to, a.from+a.to), bytes.Compare(a.mac[:], b.mac[:]))
		})
		var words []string
		for _, c := range list[:min(most, len(list))] {
			words = append(words, fmt.Sprintf("%v (%d from it, %d to it)", net.HardwareAddr(c.mac[:]), c.from, c.to))
		}
		if n := len(list) - most; n > 0 {
			words = append(words, fmt.Sprintf("%d more", n))
		}
		what := "the frames have the addresses "
		if only {
			what = "RoCEv2 frames have the addresses "
		}
		return what + strings.Join(words, ", ")
	}
	return "no other frame has an address"
}

// Years whose times every format and int64 nanoseconds hold.
const (
	firstYear = 1970
	lastYear  = 2100
)

// pace makes times never go back, and bounds the gaps between them.
func pace(packets []capture.Packet, most time.Duration, in *capture.Intake) {
	if len(packets) == 0 {
		return
	}
	cut := map[string]float64{} // seconds, by file
	var counts capture.Tally
	at := packets[0].Time  // of the frame before, as replayed
	ref := packets[0].Time // the latest one recorded since the clock was set
	if y := at.UTC().Year(); y < firstYear || y > lastYear {
		in.Notes.Add(packets[0].File, 1, recordings, fmt.Sprintf("beginning in the year %d: its times are moved to 1970", y))
		at = time.Unix(0, 0).UTC()
	}
	for i := range packets {
		p := &packets[i]
		switch d := p.Time.Sub(ref); {
		case d < -jitter:
			in.Notes.Add(p.File, 1, steps, "back of the clock: frames stay in file order, and time continues from there")
			ref = p.Time
		case d < 0:
			in.Notes.Add(p.File, 1, capture.Frames, fmt.Sprintf("up to %v earlier than a frame before them: replayed at its time", jitter))
		case most > 0 && d > most:
			counts.Add(p.File, 1, gaps, "")
			cut[p.File] += (d - most).Seconds()
			at, ref = at.Add(most), p.Time
		default:
			at, ref = at.Add(d), p.Time
		}
		p.Time = at
	}
	for _, c := range counts {
		in.Notes.Add(c.File, c.N, gaps, fmt.Sprintf("longer than %v, cut to it, by %s in total: --max-gap sets the limit, --line-rate ignores timestamps", most, long(cut[c.File])))
	}
}

// long is a time in seconds, for people.
func long(seconds float64) string {
	switch {
	case seconds >= 2*365*86400:
		return fmt.Sprintf("%.1f years", seconds/(365.25*86400))
	case seconds >= 2*86400:
		return fmt.Sprintf("%.1f days", seconds/86400)
	}
	return (time.Duration(seconds*1e3) * time.Millisecond).String()
}
