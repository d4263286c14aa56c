// SPDX-License-Identifier: Apache-2.0

//go:build unix

package sweep

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps a terminal's Ctrl-C from a run, and from sbatch. Run passes it on; a second signal
// would end the run at once, and its temporary files would stay.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
