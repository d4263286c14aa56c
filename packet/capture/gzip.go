// SPDX-License-Identifier: Apache-2.0

package capture

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

const gzipMagic = "\x1F\x8B"

// members reads what gzip compressed: one member after another. Behind the last one there may be zeros, as
// tapes and block devices leave, or other bytes, which gzip itself leaves out, too.
type members struct {
	b  *bufio.Reader
	z  *gzip.Reader
	in *Intake
}

func gunzip(b *bufio.Reader, in *Intake) (io.Reader, error) {
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, said(err)
	}
	z.Multistream(false)
	return &members{b, z, in}, nil
}

func (m *members) Read(p []byte) (int, error) {
	n, err := m.z.Read(p)
	if errors.Is(err, io.EOF) {
		err = m.more()
	}
	return n, said(err)
}

// said names gzip in its errors, once.
func said(err error) error {
	switch {
	case err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case errors.Is(err, gzip.ErrHeader):
		return errors.New("gzip: invalid header")
	case errors.Is(err, gzip.ErrChecksum):
		return errors.New("gzip: the checksum is wrong: the file is damaged")
	}
	return fmt.Errorf("gzip: %w", err)
}

// more goes on with the next member; io.EOF if there is none.
func (m *members) more() error {
	switch magic, err := m.b.Peek(2); {
	case string(magic) == gzipMagic:
		if err := m.z.Reset(m.b); err != nil {
			return err
		}
		m.z.Multistream(false)
		return nil
	case len(magic) == 0:
		return err // io.EOF, or what went wrong
	}
	zeros, others := 0, 0
	var chunk [4096]byte
	for {
		n, err := m.b.Read(chunk[:])
		zero := bytes.Count(chunk[:n], []byte{0})
		zeros += zero
		others += n - zero
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if others > 0 {
		m.in.LeftOut.Add("", zeros+others, Bytes, "of other data after the gzip data")
	} else {
		m.in.Notes.Add("", zeros, Bytes, "of zeros after the gzip data")
	}
	return io.EOF
}
