// SPDX-License-Identifier: Apache-2.0

package upset

// Report is the result for a unit, in all configurations.
type Report struct {
	Unit    string   `json:"unit"`
	Command string   `json:"command"` // repeats it
	Results []Result `json:"results"`
}
