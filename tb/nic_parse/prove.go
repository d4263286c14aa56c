// SPDX-License-Identifier: Apache-2.0

package nicparse

import "github.com/nicgen/nicgen/tb/proof"

var proofs = &proof.Proofs{}
