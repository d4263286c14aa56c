// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/gopacket/gopacket"

	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/shim"
)

// Selection holds a user's statements about captures.
type Selection struct {
	// MAC is the NIC's address; nil: the one address that all RoCEv2 frames without a
	// direction share, if there is exactly one.
	MAC net.HardwareAddr

	// Named reports whether the user chose the interface of a frame; nil: none.
	Named func(*capture.Packet) bool

	// Sent and Came say that files or interfaces were named for frames from the host, and
	// for frames from the wire.
	Sent, Came bool

	// MaxGap is the longest time between two frames: longer gaps are cut to it; 0: none is.
	MaxGap time.Duration
}

// Units of an intake's notes other than frames.
const (
	steps      = "step"
	interfaces = "interface"
	gaps       = "gap"
	recordings = "recording"
)

// jitter is the step by which timestamps may go back before the clock counts as set back: recorders
// with several queues do not sort by time.
const jitter = time.Millisecond

// ErrSides is a capture that does not tell which frames the host sent.
var ErrSides = errors.New("the capture does not tell which frames the NIC's host sent")

// Prepare merges captures into one recording for Run: by time, with the frames of each file in file order, every
// direction known, and times that never go back. The intake counts what it left out or changed.
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

// unusable is the reason why a frame cannot be replayed; empty if it can.
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

// headersEnd is the length of a frame's headers, which have to be captured: with zeros in their place it would be
// another packet. Feedback packets are headers to their end.
func headersEnd(f []byte) int {
	bare, shimmed := Strip(f)
	size := len(f) - len(bare) // of the shim
	at := ethernetBytes
	if !shimmed && binary.BigEndian.Uint16(f[at-2:]) == uint16(shim.EtherType) {
		return at + 2 // the subtype gives the shim's size
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

// direct sets the directions that are not known. What the NIC's host did not send came from the wire; frames of other
// interfaces are left out.
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
	senders := map[string][]string{} // by file: interfaces with frames from the NIC
	for i := range packets {
		p := &packets[i]
		from := bytes.Equal(p.Data[6:12], mac)
		if from || bytes.Equal(p.Data[:6], mac) {
			ours[groupOf(p)] = true
		}
		if face := p.Face(); from && !slices.Contains(senders[p.File], face) {
			senders[p.File] = append(senders[p.File], face)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(senders)) {
		if n := len(senders[file]); n > 1 {
			in.Notes.Add(file, n, interfaces, fmt.Sprintf("with frames from %v: if they recorded the same frames, choose one by --interface", mac))
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

// common returns the one address that is source or destination of every RoCEv2 frame without a direction, or nil if
// no address or more than one is.
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

// tally lists the addresses of frames without a direction, the most frequent ones first. It counts RoCEv2 frames, or
// all frames if there are no RoCEv2 frames.
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
			if p.Data[0]&1 == 0 { // group addresses belong to no NIC
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

// Years that every format, and nanoseconds in an int64, can hold.
const (
	firstYear = 1970
	lastYear  = 2100
)

// pace makes times monotonic, and cuts long gaps.
func pace(packets []capture.Packet, most time.Duration, in *capture.Intake) {
	if len(packets) == 0 {
		return
	}
	cut := map[string]float64{} // seconds, by file
	var counts capture.Tally
	at := packets[0].Time  // when the previous frame is replayed
	ref := packets[0].Time // the latest timestamp since the clock was last set back
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

// long formats seconds for people.
func long(seconds float64) string {
	switch {
	case seconds >= 2*365*86400:
		return fmt.Sprintf("%.1f years", seconds/(365.25*86400))
	case seconds >= 2*86400:
		return fmt.Sprintf("%.1f days", seconds/86400)
	}
	return (time.Duration(seconds*1e3) * time.Millisecond).String()
}
