// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"path/filepath"
	"testing"
)

// A manifest is one that was written here, naming files inside its folder, or is
// refused: nothing else decides which files may be replaced.
func FuzzReadManifest(f *testing.F) {
	tree := rendered(f, configured(f, "toy"))
	f.Add(tree["toy/manifest.json"])
	for _, text := range []string{"", "{}", "null", `{"files":[{"path":"../x"}]}`, `{"files":[{"path":"a","sha256":""}]}`, "[", `{"files":null}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ReadManifest(text)
		if err != nil {
			return
		}
		for _, e := range m.Files {
			if !filepath.IsLocal(filepath.FromSlash(e.Path)) || e.Path == ManifestName {
				t.Errorf("file %q leaves the folder", e.Path)
			}
		}
	})
}
