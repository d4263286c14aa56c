// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package cli

import "os"

// stopSignals returns the signals that ask for an orderly stop.
func stopSignals() []os.Signal { return []os.Signal{os.Interrupt} }

func sizeLimitIsAnError() {}
