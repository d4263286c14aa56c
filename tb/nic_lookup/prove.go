// SPDX-License-Identifier: Apache-2.0

package niclookup

import "github.com/nicgen/nicgen/tb/proof"

var proofs = &proof.Proofs{}
