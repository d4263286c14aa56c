// SPDX-License-Identifier: Apache-2.0

package spray_test

import (
	params "github.com/nicgen/nicgen/gen/spray"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// planted is what the table of the bugs says first.
const planted = "# Bugs planted in the baselines\n"

var bugs = []benchtest.Bug{}

var models = []benchtest.WrongModel[*params.Params]{}
