// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// Options change the behaviour of Write.
type Options struct {
	Force bool // overwrite files that nicgen did not write, or that were edited
}

// Result lists the changes that Write made; paths are slash-separated, relative to the folder.
type Result struct {
	Written, Unchanged, Removed []string
}

// Conflict is the error for files that nicgen did not write, or that were
// edited since.
type Conflict struct {
	Folder string
	Files  []Clash // sorted by path
}

// Clash is one file of a Conflict.
type Clash struct {
	Path   string
	Reason string // "not written by nicgen", "edited by hand", ...
}

// Error names every file, the reason, and the remedy.
func (c *Conflict) Error() string {
	var b strings.Builder
	for _, f := range c.Files {
		fmt.Fprintf(&b, "%s: %s\n", filepath.Join(c.Folder, filepath.FromSlash(f.Path)), f.Reason)
	}
	b.WriteString("nothing was written: move these files away, choose another folder with --out, or overwrite them with --force")
	return b.String()
}

// Write writes a tree into a folder, which it creates if necessary. Files that an earlier Write put
// there for the same units and that are no longer in the tree are removed; other files stay. Either
// everything is done or nothing: files are complete and on the disk before the first one is renamed
// into place, and an error or a cancelled context before that point leaves the folder unchanged. An
// error during the renames restores the old files. The error is a *Conflict if Options.Force is
// false and a file is in the way.
func Write(ctx context.Context, folder string, tree Tree, o Options) (Result, error) {
	w := &writer{folder: folder}
	if err := w.plan(tree, o.Force); err != nil {
		return Result{}, err
	}
	if len(w.put) == 0 && len(w.remove) == 0 {
		return w.result, nil
	}
	if err := w.stage(ctx, tree); err != nil {
		if rest := w.discard(); rest != nil {
			err = fmt.Errorf("%w (and a temporary folder is left: %v)", err, rest)
		}
		return Result{}, err
	}
	// From here it takes only a few renames: Ctrl-C waits for them.
	if err := w.commit(); err != nil {
		if rest := w.discard(); rest != nil {
			err = fmt.Errorf("%w (and a temporary folder is left: %v)", err, rest)
		}
		return Result{}, err
	}
	if err := os.RemoveAll(w.tmp); err != nil {
		return w.result, fmt.Errorf("%s: everything is written, but a temporary folder is left: %w", folder, err)
	}
	return w.result, nil
}

// writer is the state of one Write.
type writer struct {
	folder  string
	put     []string // paths to write, manifests last
	remove  []string // paths to remove
	result  Result
	tmp     string   // staging folder inside folder: new files in new/, old ones in old/
	created []string // folders that did not exist, outermost first
	stuck   bool     // an old file could not be put back: it is still in tmp
}

func (w *writer) file(p string) string { return filepath.Join(w.folder, filepath.FromSlash(p)) }

// plan compares the tree with the folder.
func (w *writer) plan(tree Tree, force bool) error {
	var clashes []Clash
	clash := func(p, reason string) { clashes = append(clashes, Clash{p, reason}) }
	units := map[string]bool{}
	var paths []string
	for p := range tree {
		u, _, _ := strings.Cut(p, "/")
		units[u] = true
		paths = append(paths, p)
	}
	sort.Slice(paths, func(i, j int) bool {
		// The manifest vouches for the other files, so it comes last.
		mi, mj := path.Base(paths[i]) == ManifestName, path.Base(paths[j]) == ManifestName
		if mi != mj {
			return mj
		}
		return paths[i] < paths[j]
	})
	known := map[string]string{} // path → SHA-256 in the manifest found
	sealed := map[string]bool{}  // units whose manifest is as nicgen wrote it
	for _, u := range slices.Sorted(maps.Keys(units)) {
		if err := w.folderIsUsable(u); err != nil {
			return err
		}
		text, err := os.ReadFile(w.file(u + "/" + ManifestName))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read files emitted before: %w", err)
		}
		m, err := ReadManifest(text)
		if err != nil {
			if !bytes.Equal(text, tree[u+"/"+ManifestName]) {
				clash(u+"/"+ManifestName, err.Error())
			}
			continue
		}
		sealed[u] = true
		for _, e := range m.Files {
			known[u+"/"+e.Path] = e.SHA256
		}
	}
	for _, p := range paths {
		old, err := os.ReadFile(w.file(p))
		if info, e := os.Lstat(w.file(p)); e == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s: is a %s, want a regular file or none: move it away or choose another folder with --out",
				w.file(p), kind(info.Mode()))
		}
		u, _, _ := strings.Cut(p, "/")
		switch {
		case errors.Is(err, fs.ErrNotExist):
			w.put = append(w.put, p)
			w.result.Written = append(w.result.Written, p)
			continue
		case err != nil:
			return fmt.Errorf("read files to overwrite: %w", err)
		case bytes.Equal(old, tree[p]):
			w.result.Unchanged = append(w.result.Unchanged, p)
			continue
		case path.Base(p) == ManifestName && sealed[u]:
		case path.Base(p) == ManifestName: // reported above
		case known[p] == "":
			clash(p, "not written by nicgen")
		case known[p] != sum(old):
			clash(p, "edited by hand since nicgen wrote it")
		}
		w.put = append(w.put, p)
		w.result.Written = append(w.result.Written, p)
	}
	for _, p := range slices.Sorted(maps.Keys(known)) {
		want := known[p]
		if _, ok := tree[p]; ok {
			continue
		}
		old, err := os.ReadFile(w.file(p))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return fmt.Errorf("read files to remove: %w", err)
		case sum(old) != want:
			clash(p, "no longer part of the unit, but edited by hand since nicgen wrote it")
		}
		w.remove = append(w.remove, p)
	}
	w.result.Removed = w.remove
	if len(clashes) > 0 && !force {
		sort.Slice(clashes, func(i, j int) bool { return clashes[i].Path < clashes[j].Path })
		return &Conflict{w.folder, clashes}
	}
	return nil
}

// folderIsUsable refuses a unit's folder that is something else.
func (w *writer) folderIsUsable(unit string) error {
	info, err := os.Stat(w.file(unit))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("output folder: %w: choose another one with --out", err)
	case !info.IsDir():
		return fmt.Errorf("output folder %s: is a %s, want a folder or nothing: choose another one with --out",
			w.file(unit), kind(info.Mode()))
	}
	return nil
}

func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "folder"
	case m.IsRegular():
		return "file"
	case m&fs.ModeSymlink != 0:
		return "symbolic link"
	}
	return "special file"
}

// stage writes the new files into a temporary folder next to their destinations.
func (w *writer) stage(ctx context.Context, tree Tree) error {
	fail := func(err error) error {
		return fmt.Errorf("output folder %s: %w: nothing was written; choose another one with --out, or make room", w.folder, err)
	}
	if err := w.makeDir(w.folder); err != nil {
		return fail(err)
	}
	tmp, err := os.MkdirTemp(w.folder, ".nicgen-")
	if err != nil {
		return fail(err)
	}
	w.tmp = tmp
	for _, p := range w.put {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("output folder %s: stopped, nothing was written: %w", w.folder, err)
		}
		if err := writeSynced(filepath.Join(tmp, "new", filepath.FromSlash(p)), tree[p]); err != nil {
			return fail(err)
		}
		if err := w.makeDir(filepath.Dir(w.file(p))); err != nil {
			return fail(err)
		}
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("output folder %s: stopped, nothing was written: %w", w.folder, err)
	}
	return nil
}

// makeDir creates a folder with its parents and remembers the new ones.
func (w *writer) makeDir(dir string) error {
	var missing []string
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		_, err := os.Stat(d)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		missing = append(missing, d)
		if d == filepath.Dir(d) {
			break
		}
	}
	for i := len(missing) - 1; i >= 0; i-- {
		switch err := os.Mkdir(missing[i], 0o777); {
		case err == nil:
			w.created = append(w.created, missing[i])
		case !errors.Is(err, fs.ErrExist):
			return err
		}
	}
	return nil
}

// writeSynced writes a file that is on the disk when it returns.
func writeSynced(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// commit moves the files into place, and back if one of them cannot be moved.
func (w *writer) commit() (err error) {
	var undo []func() error
	defer func() {
		if err == nil {
			return
		}
		err = fmt.Errorf("output folder %s: %w: nothing was written", w.folder, err)
		for i := len(undo) - 1; i >= 0; i-- {
			if e := undo[i](); e != nil {
				w.stuck = true
				err = fmt.Errorf("%w (and an old file could not be put back, it is in %s: %v)", err, w.tmp, e)
			}
		}
	}()
	dirs := map[string]bool{w.folder: true}
	for _, p := range w.put {
		fresh := filepath.Join(w.tmp, "new", filepath.FromSlash(p))
		place := w.file(p)
		old, err := w.keep(p)
		if err != nil {
			return err
		}
		if old != "" {
			undo = append(undo, func() error { return os.Rename(old, place) })
		} else {
			undo = append(undo, func() error { return ignoreMissing(os.Remove(place)) })
		}
		if err := os.Rename(fresh, place); err != nil {
			return err
		}
		dirs[filepath.Dir(place)] = true
	}
	for _, p := range w.remove {
		place := w.file(p)
		old, err := w.keep(p)
		if err != nil {
			return err
		}
		if old == "" {
			continue
		}
		undo = append(undo, func() error { return os.Rename(old, place) })
		if err := ignoreMissing(os.Remove(place)); err != nil {
			return err
		}
		dirs[filepath.Dir(place)] = true
	}
	for d := range dirs {
		if err := syncDir(d); err != nil {
			return err
		}
	}
	// Folders that become empty are removed as well; os.Remove refuses a folder that holds anything
	// else.
	for _, p := range w.remove {
		for d := path.Dir(p); strings.Contains(d, "/"); d = path.Dir(d) {
			if os.Remove(w.file(d)) != nil {
				break
			}
		}
	}
	return nil
}

// keep saves the file at p and returns the path of the copy, or "" if the file does not exist. The
// file itself stays in place where the file system has links.
func (w *writer) keep(p string) (string, error) {
	old := filepath.Join(w.tmp, "old", filepath.FromSlash(p))
	if err := os.MkdirAll(filepath.Dir(old), 0o777); err != nil {
		return "", err
	}
	err := os.Link(w.file(p), old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = os.Rename(w.file(p), old)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return old, err
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// syncDir makes renames in a folder durable. Some file systems do not support this for a folder,
// which is ignored.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync()
	return d.Close()
}

// discard removes the temporary folder and every folder that was created.
func (w *writer) discard() error {
	if w.stuck {
		return nil
	}
	var err error
	if w.tmp != "" {
		err = os.RemoveAll(w.tmp)
	}
	for i := len(w.created) - 1; i >= 0; i-- {
		if e := os.Remove(w.created[i]); e != nil && err == nil && !errors.Is(e, fs.ErrNotExist) {
			err = e
		}
	}
	return err
}
