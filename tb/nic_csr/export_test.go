// SPDX-License-Identifier: Apache-2.0

package niccsr

import "github.com/nicgen/nicgen/cosim"

// SetTotal gives the model's total number i, in the order in which they are gathered, a value.
func SetTotal(p cosim.Predictor, i int, v uint64) { p.(*golden).totals.values[i] = v }
