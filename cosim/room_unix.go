// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cosim

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// room is what is free on the disk of a folder, for people.
func room(dir string) string {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return "unknown room"
	}
	return fmt.Sprintf("%d MB free", uint64(st.Bavail)*uint64(st.Bsize)>>20)
}
