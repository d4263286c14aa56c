// SPDX-License-Identifier: Apache-2.0

package mutate

// Model is what became of the mutants of a golden model.
type Model struct {
	Package string `json:"package"` // "model/reps"
}
