// SPDX-License-Identifier: Apache-2.0

package prove

// Proved returns how many properties are proved, and how many there are.
func (r *Report) Proved() (proved, all int) {
	for _, s := range r.Sets {
		for _, p := range s.Properties {
			all++
			if p.Status == Proved {
				proved++
			}
		}
	}
	return proved, all
}
