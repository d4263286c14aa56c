// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/internal/standin"
	"github.com/nicgen/nicgen/internal/toy"
	"github.com/nicgen/nicgen/registry"
)

// Around nic_transport, emit writes the folder of a wrapper, with the parameters that the other NIC
// needs unless others are asked for; around anything else it does not.
func TestEmitWrap(t *testing.T) {
	units := []registry.Unit{{New: standin.New}, {New: toy.New}}
	for name, c := range map[string]struct {
		args []string
		code int
		file string // below the folder
		want string // in it, or in the message
	}{
		"corundum":       {[]string{"--unit", "nic_transport", "--wrap", "corundum"}, 0, "nic_transport_corundum/config.tcl", `PTP_TS_ENABLE "1"`},
		"without stamps": {[]string{"--unit", "nic_transport", "--wrap", "corundum", "--rx-user-bits", "1"}, 0, "nic_transport_corundum/config.tcl", `PTP_TS_ENABLE "0"`},
		"opennic":        {[]string{"--unit", "nic_transport", "--wrap", "opennic"}, 0, "nic_transport_opennic/build_box_322mhz.tcl", "../nic_transport/nic_transport.sv"},
		"axis, prefixed": {[]string{"--unit", "nic_transport", "--wrap", "axis", "--prefix", "a"}, 0, "a_nic_transport_axis/a_nic_transport_axis.sv", "module a_nic_transport_axis #("},
		"unknown":        {[]string{"--unit", "nic_transport", "--wrap", "axi"}, 2, "", "--wrap: found axi, nearest: axis, allowed: corundum, opennic, axis"},
		"another unit":   {[]string{"--unit", "toy", "--wrap", "axis"}, 2, "", "--wrap: goes with --unit nic_transport and no other unit"},
		"every unit":     {[]string{"--wrap", "axis"}, 2, "", "--wrap: goes with --unit nic_transport and no other unit"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			var out, messages bytes.Buffer
			args := append([]string{"nicgen", "emit", "--out", dir}, c.args...)
			if code := Run(t.Context(), args, Env{Stdout: &out, Stderr: &messages, Units: units}); code != c.code {
				t.Fatalf("exit code %d, want %d: %s", code, c.code, messages.String())
			}
			got := messages.String()
			if c.file != "" {
				b, err := os.ReadFile(filepath.Join(dir, c.file))
				if err != nil {
					t.Fatal(err)
				}
				got = string(b)
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("no %q in\n%s", c.want, got)
			}
		})
	}
}
