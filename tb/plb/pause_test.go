// SPDX-License-Identifier: Apache-2.0

package plb_test

import (
	"fmt"
	"testing"
)

// A pause in which a connection does nothing ends its pause of detection at any boundary of the time's range, except in the last 2^37
// ns before the end of the pause recurs, as the page describes: there detection pauses until that end.
func TestPauses(t *testing.T) {
	const (
		whole   = 1 << 44
		again   = 1 << 37    // an end so far ahead counts
		longest = 200 * tick // a pause of detection, T being 100
	)
	for _, c := range []struct {
		idle   uint64
		paused bool
	}{
		{tick, true}, {longest + tick, false},
		{again - 1, false}, {again, false}, {again + longest, false},
		{whole/2 - 1, false}, {whole / 2, false}, {whole/2 + 1, false},
		{whole - again - 1, false}, {whole - again + longest, true}, {whole - 1, true}, {whole, true}, {whole + 1, true}, {whole + longest + tick, false},
		{whole + whole/2, false}, {2*whole - again - 1, false}, {2*whole - 1, true}, {2 * whole, true}, {2*whole + longest + tick, false},
	} {
		t.Run(fmt.Sprint(c.idle), func(t *testing.T) {
			d := begin(t, few[0], 1000)
			d.rto(0)
			d.now = (d.now + c.idle) % whole
			d.send(false, restart)
			d.ack(0, false, d.una) // begins a round
			d.rounds(3)
			if !c.paused {
				d.send(true, idle)
				return
			}
			d.send(true, none)
			d.now = (d.now + again) % whole
			d.rounds(4)
			d.send(true, idle)
		})
	}
}
