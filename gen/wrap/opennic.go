// SPDX-License-Identifier: Apache-2.0

package wrap

import "github.com/nicgen/nicgen/gen"

func openNIC(e gen.Emission) (*Wrapper, error) { return nil, nil }
func axis(e gen.Emission) (*Wrapper, error)    { return nil, nil }
