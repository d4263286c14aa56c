// SPDX-License-Identifier: Apache-2.0

// Package standin replaces nic_transport in tests of the logic around it: it has the same ports and
// parameters, and a few lines in place of the block that are quick to read and simulate.
package standin

import (
	_ "embed"
	"strings"

	"github.com/nicgen/nicgen/gen"
	nictransport "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/gen/sv"
)

// Params are the parameters of nic_transport.
type Params struct{ *nictransport.Params }

// New returns the default configuration.
func New() gen.Config { return Params{nictransport.Default()} }

//go:embed stand_in.sv
var text string

// Files implements gen.Config.
func (p Params) Files() ([]gen.File, error) {
	var quiet strings.Builder
	for _, q := range p.Ports() {
		if strings.HasPrefix(q.Name, "m_trace_") {
			quiet.WriteString("  assign " + q.Name + " = '0;\n")
		}
	}
	all := strings.NewReplacer("// HEADER\n", sv.Header(p), "  // QUIET\n", quiet.String()).Replace(text)
	return []gen.File{{Name: p.Top() + ".sv", Text: all}}, nil
}
