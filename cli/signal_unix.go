// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// stopSignals are the signals that ask for an orderly stop: a closed terminal is one,
// unless nohup has it ignored.
func stopSignals() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// sizeLimitIsAnError turns a file that grows beyond the process's limit into
// an error of the write, like a full disk, instead of a crash.
func sizeLimitIsAnError() { signal.Ignore(syscall.SIGXFSZ) }
