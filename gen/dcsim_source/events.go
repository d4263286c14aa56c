// SPDX-License-Identifier: Apache-2.0

package dcsimsource

import "github.com/nicgen/nicgen/gen"

// Events implements gen.Eventful. SIMs and DATAs come when their time has come.
func (p *Params) Events() []gen.Event {
	return []gen.Event{{Name: "data"}, {Name: "sim_ack"}, {Name: "data_ack"}}
}
