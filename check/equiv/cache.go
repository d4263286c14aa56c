// SPDX-License-Identifier: Apache-2.0

package equiv

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/nicgen/nicgen/check/mutant"
	"github.com/nicgen/nicgen/cosim"
)

// own is the text of this package, on which its answers depend. It does not include the SAT solver:
// any solver gives the same answers.
//
//go:embed equiv.go graph.go search.go aig.go
var own embed.FS

// Cached returns the proof result for a mutant, which show makes if it is not in the cache of
// compiled models: show takes much of the time of a run and does not depend on the bench.
func Cached(ctx context.Context, d *mutant.Design, m *mutant.Mutant, invariants []string, show func() (string, error)) (string, error) {
	parts := []any{d.Hash(), m.Command(d.Top, ""), invariants}
	for _, file := range []string{"equiv.go", "graph.go", "search.go", "aig.go"} {
		text, err := own.ReadFile(file)
		if err != nil {
			return "", err
		}
		parts = append(parts, string(text))
	}
	id, err := json.Marshal(parts)
	if err != nil {
		return "", err
	}
	h := sha256.Sum256(id)
	const name = "equivalent.txt"
	dir, err := cosim.CacheEntry(ctx, "equivalence", hex.EncodeToString(h[:]), func(dir string) error {
		how, err := show()
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, name), []byte(how), 0o666)
	})
	if err != nil {
		return "", err
	}
	b, err := os.ReadFile(filepath.Join(dir, name))
	return string(b), err
}
