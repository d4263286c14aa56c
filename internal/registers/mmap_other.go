// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package registers

import (
	"fmt"
	"runtime"
)

// mapFile exists only on Linux.
func mapFile(name string, _, _ uint64) (Device, error) {
	return nil, fmt.Errorf("%s: registers in a file are mapped on Linux only, and this is %s; %sPATH works here too", name, runtime.GOOS, SimPrefix)
}
