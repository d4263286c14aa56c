// SPDX-License-Identifier: Apache-2.0

package nictransport

import "github.com/nicgen/nicgen/gen"

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) { return nil, nil }
