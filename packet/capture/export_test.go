// SPDX-License-Identifier: Apache-2.0

package capture

import "io"

// ReadAll reads all packets of a capture, in file order. Packets without a time get one between
// their neighbours'. An error comes with the packets before it.
func ReadAll(r io.Reader, sides Sides) ([]Packet, error) {
	c, err := NewReader(r, sides)
	if err != nil {
		return nil, err
	}
	return c.all()
}
