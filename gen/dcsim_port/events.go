// SPDX-License-Identifier: Apache-2.0

package dcsimport

import "github.com/nicgen/nicgen/gen"

// Events implements gen.Eventful. Frames come when the line is free.
func (p *Params) Events() []gen.Event {
	return []gen.Event{{Name: "frame"}}
}
