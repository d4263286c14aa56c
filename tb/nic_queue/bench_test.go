// SPDX-License-Identifier: Apache-2.0

package nicqueue_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_queue"
	"github.com/nicgen/nicgen/tb/benchtest"
	nicqueue "github.com/nicgen/nicgen/tb/nic_queue"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: nicqueue.Unit, Measure: nicqueue.Measure,
	Random: benchtest.Random{Sets: []string{small}, Seeds: 2, Cycles: 400_000},
}

func TestBench(t *testing.T) { suite.Test(t) }

const small = "kib=64 connections=5 conn_bits=4 ram_latency=2"
