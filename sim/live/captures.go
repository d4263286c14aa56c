// SPDX-License-Identifier: Apache-2.0

package live

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/nicgen/nicgen/packet/capture"
)

// Captures are the captures of a run, pcapng files in a folder: a-host and b-host, what crosses the hosts' ports, and
// a-wire and b-wire, what crosses the NICs' wires. What a host sends is tx in all of its side's files.
type Captures struct {
	files [2][2]*os.File
	out   [2][2]*capture.Writer
}

// NewCaptures makes the folder, which must not exist, and the files.
func NewCaptures(folder string) (*Captures, error) {
	if err := os.MkdirAll(filepath.Dir(folder), 0o777); err != nil {
		return nil, err
	}
	if err := os.Mkdir(folder, 0o777); err != nil {
		return nil, err
	}
	c := &Captures{}
	for side := range c.files {
		for at, name := range []string{"host", "wire"} {
			f, err := os.Create(filepath.Join(folder, string(rune('a'+side))+"-"+name+".pcapng"))
			if err == nil {
				c.files[side][at] = f
				c.out[side][at], err = capture.NewWriter(f)
			}
			if err != nil {
				return nil, errors.Join(err, c.Close())
			}
		}
	}
	return c, nil
}

// Put records a frame: it is a Config's Capture.
func (c *Captures) Put(side int, wire bool, p *capture.Packet) error {
	if wire {
		return c.out[side][1].Write(p)
	}
	return c.out[side][0].Write(p)
}

// Close completes the files.
func (c *Captures) Close() (err error) {
	for side := range c.files {
		for at, f := range c.files[side] {
			if w := c.out[side][at]; w != nil {
				err = errors.Join(err, w.Flush())
			}
			if f != nil {
				err = errors.Join(err, f.Close())
			}
		}
	}
	return err
}
