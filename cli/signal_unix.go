// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// stopSignals are the signals that ask for an orderly stop.
var stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}

// sizeLimitIsAnError turns a file that grows beyond the process's limit into
// an error of the write, like a full disk, instead of a crash.
func sizeLimitIsAnError() { signal.Ignore(syscall.SIGXFSZ) }
