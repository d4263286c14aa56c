// SPDX-License-Identifier: Apache-2.0

package clocked

import (
	"errors"
	"fmt"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/transport"
)

// Choices holds the state common to transports whose RTL answers each packet after a fixed number of cycles. The window is the host's.
type Choices struct {
	transport.Window
	Name  string // of the module
	Delay uint64 // cycles from a packet to its choice

	// Read reads a choice from the outputs of the cycle in which it is due. It returns false if
	// there is no choice.
	Read func(conn int, out []uint64) (transport.Choice, bool)

	asked         []ask // that have no choice yet
	answers, last []transport.Answer
}

// ask is a packet whose choice is due in a cycle.
type ask struct {
	conn  int
	cycle uint64
}

// Open implements transport.Transport.
func (c *Choices) Open(conn int, _ uint64) (transport.Grant, error) {
	return transport.Grant{Window: c.Window.Open(conn)}, nil
}

// Send is not asked.
func (c *Choices) Send(int, uint64) (transport.Choice, error) {
	return transport.Choice{}, errors.New("clocked: a choice takes some cycles")
}

// Asked notes a packet that entered the unit in a cycle.
func (c *Choices) Asked(conn int, cycle uint64) {
	c.asked = append(c.asked, ask{conn, cycle + c.Delay})
}

// See sees a cycle of the unit.
func (c *Choices) See(cycle uint64, out []uint64) error {
	if len(c.asked) == 0 || c.asked[0].cycle != cycle {
		return nil
	}
	conn := c.asked[0].conn
	choice, ok := c.Read(conn, out)
	if !ok {
		return fmt.Errorf("module %s: no choice %d cycles after a packet", c.Name, c.Delay)
	}
	c.asked = append(c.asked[:0], c.asked[1:]...)
	c.answers = append(c.answers, transport.Answer{Conn: conn, Choice: choice})
	return nil
}

// Run lets units run to a time, in their order, and returns the choices that came since it did so last.
func (c *Choices) Run(to fabric.Instant, units ...*Unit) ([]transport.Answer, error) {
	for _, u := range units {
		if err := u.Run(to); err != nil {
			return nil, err
		}
	}
	c.answers, c.last = c.last[:0], c.answers
	return c.last, nil
}

// Due implements transport.Clocked.
func (c *Choices) Due() (fabric.Instant, bool) { return 0, false }

// Latency implements transport.Clocked, with the cycle in which a packet waits for the clock.
func (c *Choices) Latency() fabric.Instant { return At(c.Delay + 1) }
