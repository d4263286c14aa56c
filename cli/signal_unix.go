// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// stopSignals returns the signals that ask for an orderly stop, including SIGHUP for a
// closed terminal unless nohup ignores it.
func stopSignals() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// sizeLimitIsAnError makes a write beyond the process's file size limit return an error,
// like a full disk, instead of killing the process.
func sizeLimitIsAnError() { signal.Ignore(syscall.SIGXFSZ) }
