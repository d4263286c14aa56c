// SPDX-License-Identifier: Apache-2.0

package plb

import (
	"context"
	"errors"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/plb"
	"github.com/nicgen/nicgen/sim/transport"
)

// Unlike gives f the RTL in lockstep with a golden model of other settings.
func Unlike(ctx context.Context, rtlSet, goldenSet string, f func(transport.Transport) error) error {
	a, b := params.Default(), params.Default()
	if err := errors.Join(gen.SetAll(a, rtlSet), gen.SetAll(b, goldenSet)); err != nil {
		return err
	}
	h := &transport.Host{Connections: 1, Window: func() transport.Window {
		return &transport.MPRDMA{MTU: 1000, First: 1000, Most: 1000, Least: 1000}
	}}
	rtl, err := openRTL(ctx, a, 1)
	if err != nil {
		return err
	}
	golden, err := openGolden(b, 1)
	if err != nil {
		return errors.Join(err, rtl.Close())
	}
	x := transport.Lockstep(join(h, a, rtl), "rtl", join(h, b, golden), "golden")
	return errors.Join(f(x), rtl.Close())
}
