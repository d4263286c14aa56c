// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cosim

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// room returns the free space on the disk of a folder, as text.
func room(dir string) string {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return "unknown room"
	}
	return fmt.Sprintf("%d MB free", uint64(st.Bavail)*uint64(st.Bsize)>>20)
}
