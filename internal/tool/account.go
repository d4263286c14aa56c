// SPDX-License-Identifier: Apache-2.0

package tool

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// AccountEnv is the environment variable that names a file to which Run adds a line for every
// program: its name, wall-clock and processor seconds, separated by tabs. make test adds them up.
const AccountEnv = "NICGEN_ACCOUNT"

// account adds a program's line. Write errors are ignored, as no result depends on it.
func account(cmd *exec.Cmd, wall time.Duration) {
	name := os.Getenv(AccountEnv)
	if name == "" || cmd.ProcessState == nil {
		return
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return
	}
	defer f.Close()
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	// One write, so that the lines of several processes do not mix.
	_, _ = f.WriteString(fmt.Sprintf("%s\t%.3f\t%.3f\n", filepath.Base(cmd.Path), wall.Seconds(), cpu.Seconds()))
}
