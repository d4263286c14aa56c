// SPDX-License-Identifier: Apache-2.0

package tool

import (
	"os"
	"os/exec"
	"path/filepath"
)

// Environment is the virtual environment of Python that scripts/deps.sh --tests makes,
// below the folder of the repository.
const Environment = "build/venv"

// FindPackaged returns the path of a program that comes with a package of Python: that of
// the virtual environment beside the running program, in the working directory or in a
// folder above it, and otherwise that on the PATH. The error is a *Missing.
func FindPackaged(t Tool) (string, error) {
	var places []string
	if self, err := os.Executable(); err == nil {
		places = append(places, filepath.Join(filepath.Dir(self), filepath.Base(Environment)))
	}
	if dir, err := os.Getwd(); err == nil {
		for ; ; dir = filepath.Dir(dir) {
			places = append(places, filepath.Join(dir, Environment))
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	for _, p := range places {
		if path, err := exec.LookPath(filepath.Join(p, "bin", t.Name)); err == nil {
			return path, nil
		}
	}
	return Find(t)
}
