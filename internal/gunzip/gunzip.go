// SPDX-License-Identifier: Apache-2.0

// Package gunzip reads gzip files like gzip's own program: several members in sequence, followed by
// zeros, as block devices and block-wise copies leave them. Go's reader reports zeros as a bad
// header.
package gunzip

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

const magic = "\x1F\x8B"

// Is reports whether a text begins as a gzip file does.
func Is(text []byte) bool { return bytes.HasPrefix(text, []byte(magic)) }

// Reader decompresses gzip files. The bytes after the last member are counted once io.EOF was read.
type Reader struct {
	Zeros  int // bytes, if all that follows is zeros
	Others int // bytes, if there is anything else
	b      *bufio.Reader
	z      *gzip.Reader
	end    error
}

// New begins with the first member, whose header it reads.
func New(b *bufio.Reader) (*Reader, error) {
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, said(err)
	}
	z.Multistream(false)
	return &Reader{b: b, z: z}, nil
}

// Read reads from the members one after the other.
func (r *Reader) Read(p []byte) (int, error) {
	if r.end != nil {
		return 0, r.end
	}
	n, err := r.z.Read(p)
	if errors.Is(err, io.EOF) {
		err = r.more()
	}
	r.end = said(err)
	return n, r.end
}

// said names gzip in its errors, once.
func said(err error) error {
	switch {
	case err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case errors.Is(err, gzip.ErrHeader):
		return errors.New("gzip: invalid header: the file is damaged")
	case errors.Is(err, gzip.ErrChecksum):
		return errors.New("gzip: the checksum is wrong: the file is damaged")
	}
	return fmt.Errorf("gzip: %w", err)
}

// more continues with the next member. It returns io.EOF after the last one.
func (r *Reader) more() error {
	switch next, err := r.b.Peek(len(magic)); {
	case Is(next):
		if err := r.z.Reset(r.b); err != nil {
			return err
		}
		r.z.Multistream(false)
		return nil
	case len(next) == 0:
		return err // io.EOF, or the error
	}
	zeros, all := 0, 0
	var chunk [4096]byte
	for {
		n, err := r.b.Read(chunk[:])
		zeros += bytes.Count(chunk[:n], []byte{0})
		all += n
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if zeros == all {
		r.Zeros = all
	} else {
		r.Others = all
	}
	return io.EOF
}

// Strict returns a reader that ends with an error in place of io.EOF if anything but zeros follows the last member.
func Strict(r *Reader) io.Reader { return strict{r} }

type strict struct{ r *Reader }

func (s strict) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if errors.Is(err, io.EOF) && s.r.Others > 0 {
		err = fmt.Errorf("gzip: %d bytes after its data are not gzip: the file is damaged", s.r.Others)
	}
	return n, err
}
