// SPDX-License-Identifier: Apache-2.0

package dcsimresponder

import (
	"embed"

	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// proofs are the properties of the receiving host.
var proofs = &proof.Proofs{Texts: properties}
