// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/tb/bench"
)

// Entry is the block for the registry.
var Entry = bench.Entry{
	Group:    bench.NIC,
	New:      params.New,
	ByName:   true,
	Bench:    func(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) },
	Soak:     func(cfg gen.Config) (cosim.Bench, error) { return LineRate.New(cfg) },
	Measure:  Measure,
	Proofs:   proofs,
	Upset:    upset,
	Mutation: mutation,
}
