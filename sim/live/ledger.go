// SPDX-License-Identifier: Apache-2.0

package live

import (
	"fmt"

	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/sim/replay"
)

// ledger pairs frames that entered a NIC with those that left it.
type ledger struct {
	byID map[[32]byte][][]byte
	n    int
}

func newLedger() ledger { return ledger{byID: map[[32]byte][][]byte{}} }

// came enters a frame.
func (l *ledger) came(frame []byte) {
	id := replay.Identity(frame)
	l.byID[id] = append(l.byID[id], append([]byte(nil), frame...))
	l.n++
}

// inside is the number of frames that did not leave.
func (l *ledger) inside() int { return l.n }

// left enters a frame that left. The error is a change that no NIC may make, or that the frame had not come.
func (l *ledger) left(frame []byte, made bool) error {
	id := replay.Identity(frame)
	list := l.byID[id]
	if len(list) == 0 {
		if made { // a probe has no ICRC
			if bare, shimmed := replay.Strip(frame); !shimmed {
				return roce.Verify(bare)
			}
			return nil
		}
		return fmt.Errorf("it had not come: %s", describe(frame))
	}
	in := list[0]
	if len(list) == 1 {
		delete(l.byID, id)
	} else {
		l.byID[id] = list[1:]
	}
	l.n--
	if _, err := replay.EditsOf(in, frame); err != nil {
		return fmt.Errorf("%w: %s", err, describe(frame))
	}
	return nil
}

// describe names a frame by its length and its beginning.
func describe(frame []byte) string {
	return fmt.Sprintf("%d bytes, % x…", len(frame), frame[:min(len(frame), 60)])
}
