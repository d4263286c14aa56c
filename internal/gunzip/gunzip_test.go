// SPDX-License-Identifier: Apache-2.0

package gunzip_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/nicgen/nicgen/internal/gunzip"
)

func member(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReader(t *testing.T) {
	one, two := member(t, strings.Repeat("some text ", 1000)), member(t, "more")
	flip := func(s string, at int) string {
		b := []byte(s)
		b[at] ^= 1
		return string(b)
	}
	for _, c := range []struct {
		what, file, want string
		zeros, others    int
		fail             string // also of the strict reader
	}{
		{"one member", two, "more", 0, 0, ""},
		{"three members", two + member(t, "") + two, "moremore", 0, 0, ""},
		{"zeros", two + strings.Repeat("\x00", 9000), "more", 9000, 0, ""},
		{"one zero", two + "\x00", "more", 1, 0, ""},
		{"other bytes", two + "\x00\x00x", "more", 0, 3, ""},
		{"one other byte", two + "x", "more", 0, 1, ""},
		{"members behind zeros", two + "\x00" + two, "more", 0, 1 + len(two), ""},
		{"a second header that is none", two + "\x1F\x8Bxxxxxxxxxx", "more", 0, 0, "gzip: invalid header: the file is damaged"},
		{"a wrong checksum", flip(two, len(two)-8), "more", 0, 0, "gzip: the checksum is wrong: the file is damaged"},
		{"damaged data", flip(one, 12), "", 0, 0, "gzip: flate: corrupt input"},
		{"an early end", one[:len(one)-1], strings.Repeat("some text ", 1000), 0, 0, io.ErrUnexpectedEOF.Error()},
		{"an early end of a second header", two + one[:5], "more", 0, 0, io.ErrUnexpectedEOF.Error()},
	} {
		for name, in := range map[string]io.Reader{"": strings.NewReader(c.file), ", byte by byte": iotest.OneByteReader(strings.NewReader(c.file))} {
			r, err := gunzip.New(bufio.NewReader(in))
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if string(got) != c.want && c.what != "damaged data" || r.Zeros != c.zeros || r.Others != c.others || (err == nil) != (c.fail == "") || err != nil && !strings.HasPrefix(err.Error(), c.fail) {
				t.Errorf("%s%s: %d bytes, %d zeros, %d others, %v", c.what, name, len(got), r.Zeros, r.Others, err)
			}
			if n, again := r.Read(make([]byte, 1)); n != 0 || again == nil || err != nil && again.Error() != err.Error() {
				t.Errorf("%s%s: behind the end %d bytes, %v", c.what, name, n, again)
			}
		}
		r, err := gunzip.New(bufio.NewReader(strings.NewReader(c.file)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(gunzip.Strict(r))
		if (err == nil) != (c.fail == "" && c.others == 0) || c.others > 0 && !strings.Contains(err.Error(), "are not gzip: the file is damaged") {
			t.Errorf("%s, strict: %v", c.what, err)
		}
	}
	if _, err := gunzip.New(bufio.NewReader(strings.NewReader("\x1F\x8B\x00damaged....."))); err == nil || err.Error() != "gzip: invalid header: the file is damaged" {
		t.Errorf("%v", err)
	}
	broken := errors.New("the disk is gone")
	r, err := gunzip.New(bufio.NewReader(io.MultiReader(strings.NewReader(two), iotest.ErrReader(broken))))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r); !errors.Is(err, broken) {
		t.Errorf("want %v, got %v", broken, err)
	}
}
