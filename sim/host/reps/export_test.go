// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"context"
	"errors"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps"
	judgeparams "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/sim/transport"
)

// Unlike gives f the RTL in lockstep with golden models of other settings.
func Unlike(ctx context.Context, rtlSet, goldenSet string, f func(transport.Transport) error) error {
	a, b, d := params.Default(), params.Default(), judgeparams.Default()
	if err := errors.Join(gen.SetAll(a, rtlSet), gen.SetAll(b, goldenSet)); err != nil {
		return err
	}
	rtl, err := openRTL(ctx, a, d, 1)
	if err != nil {
		return err
	}
	w := func() transport.Window { return &transport.MPRDMA{MTU: 1000, First: 1000, Most: 1000, Least: 1000} }
	x := transport.Lockstep(transport.Join(w(), rtl), "rtl", transport.Join(w(), newGoldenPaths(b, d, 1)), "golden")
	return errors.Join(f(x), rtl.Close())
}
