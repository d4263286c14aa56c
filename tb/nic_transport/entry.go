// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/tb/bench"
)

// small is a configuration whose tables are soon in use.
const small = "connections=16 rows=256 kib=64 ring=32"

// Entry is the block for the registry.
var Entry = bench.Entry{
	New:    params.New,
	ByName: true,
	Bench:  func(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) },
	Proofs: proofs,
}
