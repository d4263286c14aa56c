// SPDX-License-Identifier: Apache-2.0

// Package tshark decodes a capture with Wireshark's tshark, as a check that is independent of this
// project.
package tshark

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/internal/tool"
)

// Tshark is the program.
var Tshark = tool.Tool{Name: "tshark", Purpose: "a second opinion on captures", Install: "make deps-tests in the source of nicgen"}

// guessed are the protocols that tshark looks for in the payload. Random bytes match none of them,
// and an empty payload is malformed as RPC over RDMA.
var guessed = []string{"eth_over_ib", "mellanox_eoib", "fc_infiniband", "iser_infiniband", "rpcrdma_infiniband",
	"sdp_infiniband", "smb_direct_infiniband", "smcr_infiniband"}

// Fields decodes a capture. For each frame it returns the requested fields, as tshark writes them:
// empty if the frame does not have the field, and the first value if it has several. The error is a
// *tool.Missing if tshark is not found.
func Fields(ctx context.Context, file string, fields []string) ([][]string, error) {
	path, err := tool.Find(Tshark)
	if err != nil {
		return nil, err
	}
	// No names, no reassembly of fragments, and no configuration of the user's.
	args := []string{"-n", "-r", file, "-o", "ip.defragment:FALSE", "-o", "ipv6.defragment:FALSE",
		"-T", "fields", "-E", "separator=/t", "-E", "occurrence=f", "-E", "quote=n"}
	for _, h := range guessed {
		args = append(args, "--disable-heuristic", h)
	}
	for _, f := range fields {
		args = append(args, "-e", f)
	}
	cmd := tool.Command(ctx, path, args...)
	cmd.Env = append(cmd.Environ(), "WIRESHARK_CONFIG_DIR=/nonexistent", "LC_ALL=C")
	var out, fail bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &fail
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("tshark stopped: %w", ctx.Err())
		}
		return nil, &tool.Failed{Name: Tshark.Name, Err: err, Output: tool.Tail(fail.String(), 20)}
	}
	var rows [][]string
	for line := range strings.Lines(out.String()) {
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(row) != len(fields) {
			return nil, fmt.Errorf("tshark gives %d fields of frame %d: want %d", len(row), len(rows)+1, len(fields))
		}
		rows = append(rows, row)
	}
	return rows, nil
}
