// SPDX-License-Identifier: Apache-2.0

package cli

import "github.com/urfave/cli/v2"

func (r *runner) nicPairCommand() *cli.Command { return &cli.Command{Name: "nic pair"} }
