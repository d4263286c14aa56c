// SPDX-License-Identifier: Apache-2.0

package capture

// tail counts the bytes after the data of a compressed file.
func (c *Reader) tail() {
	if c.packed == nil {
		return
	}
	if n := c.packed.Zeros; n > 0 {
		c.intake.Notes.Add("", n, Bytes, "of zeros after the gzip data")
	}
	if n := c.packed.Others; n > 0 {
		c.intake.LeftOut.Add("", n, Bytes, "of other data after the gzip data")
	}
	c.packed = nil
}
