// SPDX-License-Identifier: Apache-2.0

package dcsim_test

import (
	"testing"

	"github.com/nicgen/nicgen/tb/dcsim"
)

func TestTry(t *testing.T) {
	for _, sc := range []dcsim.Scenario{
		{Hosts: 4, Pattern: dcsim.AllToAll, PacketBytes: 1500, Queue: 12, DataPackets: 24, Packets: 500, Seed: 1},
		{Hosts: 3, Pattern: dcsim.AllToAll, PacketBytes: 1500, Queue: 12, DataPackets: 24, Packets: 300, Seed: 1, RTL: true},
		{Hosts: 4, Pattern: dcsim.Incast, PacketBytes: 1500, Queue: 12, DataPackets: 24, Packets: 500, Seed: 1},
		{Hosts: 4, Pattern: dcsim.AllToAll, PacketBytes: 256, Queue: 12, DataPackets: 12, Packets: 2000, Seed: 1},
	} {
		r, err := dcsim.Run(t.Context(), sc)
		if err != nil {
			t.Error(err)
			continue
		}
		t.Logf("%+v\n%+v loss %.4f util %.3f", sc, *r, r.Loss(), r.Utilisation(sc.Hosts, sc.PacketBytes))
	}
}
