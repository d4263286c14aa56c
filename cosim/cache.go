// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// CacheEnv is the environment variable that names the folder of compiled
// models; without it, that is nicgen in the user's cache folder.
const CacheEnv = "NICGEN_CACHE"

// keepUnused is the time that an unused entry stays in the cache.
const keepUnused = 30 * 24 * time.Hour

// sums is the file in every entry that lists the digests of the others.
const sums = "SHA256SUMS"

// CacheDir returns the folder of compiled models.
func CacheDir() (string, error) {
	if dir := os.Getenv(CacheEnv); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache folder: %w: set %s", err, CacheEnv)
	}
	return filepath.Join(dir, "nicgen"), nil
}

// CacheEntry returns the folder of an entry of the cache, which holds the files that
// build writes into the folder that it is given. kind is a name of the caller's, key a
// digest in hexadecimal of all that the contents depend on. An entry appears complete
// or not at all, however often and from however many processes it is asked for, and
// one that was damaged is built again; what is not used for a month goes.
func CacheEntry(ctx context.Context, kind, key string, build func(dir string) error) (string, error) {
	root, err := CacheDir()
	if err != nil {
		return "", err
	}
	dir, _, err := cacheEntry(ctx, root, kind, key, build)
	return dir, err
}

// cacheEntry returns the folder root/kind/key, which holds what build writes
// into the folder that it is given. An entry appears complete or not at all,
// however often and from however many processes it is asked for. An entry whose
// files are not what they were is built again; damage then says so.
func cacheEntry(ctx context.Context, root, kind, key string, build func(dir string) error) (dir, damage string, err error) {
	dir = filepath.Join(root, kind, key)
	if err := verify(dir); err == nil {
		now := time.Now()
		_ = os.Chtimes(dir, now, now) // a read-only cache still serves
		return dir, "", nil
	}
	for _, d := range []string{kind, "lock", "tmp"} {
		if err := os.MkdirAll(filepath.Join(root, d), 0o777); err != nil {
			return "", "", fmt.Errorf("cache folder: %w: set %s to a folder that can be written", err, CacheEnv)
		}
	}
	// A fixed number of lock files, shared by keys that begin alike.
	lock := flock.New(filepath.Join(root, "lock", kind+"-"+key[:2]))
	if _, err := lock.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return "", "", fmt.Errorf("cache lock %s: %w", lock.Path(), err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()

	switch bad := verify(dir); {
	case bad == nil:
		return dir, "", nil // someone else was faster
	case !errors.Is(bad, fs.ErrNotExist):
		damage = fmt.Sprintf("cache entry %s/%s was damaged and has been rebuilt: %v", kind, key, bad)
	}
	// Leftovers of a killed build have the same name and are removed now.
	tmp := filepath.Join(root, "tmp", kind+"-"+key)
	if err := errors.Join(os.RemoveAll(tmp), os.RemoveAll(dir), os.Mkdir(tmp, 0o777)); err != nil {
		return "", "", fmt.Errorf("cache folder: %w", err)
	}
	defer os.RemoveAll(tmp)
	if err := build(tmp); err != nil {
		return "", "", full(root, err)
	}
	if err := seal(tmp); err != nil {
		return "", "", full(root, fmt.Errorf("cache entry: %w", err))
	}
	if err := ctx.Err(); err != nil {
		return "", "", err
	}
	if err := os.Rename(tmp, dir); err != nil {
		return "", "", fmt.Errorf("cache entry: %w", err)
	}
	prune(filepath.Join(root, kind), time.Now().Add(-keepUnused))
	return dir, damage, nil
}

// full adds to an error of a full disk which folder it is about, and the way out. Compilers
// only have words for it.
func full(root string, err error) error {
	for _, words := range []string{syscall.ENOSPC.Error(), "No space left on device", syscall.EDQUOT.Error(), "Disk quota exceeded"} {
		if strings.Contains(err.Error(), words) {
			return fmt.Errorf("%w\nthe cache folder %s has %s: make room, or set %s to a folder with more", err, root, room(root), CacheEnv)
		}
	}
	return err
}

// prune removes entries that were last used before t. A process that loaded one
// keeps what it loaded.
func prune(dir string, t time.Time) {
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		if info, err := e.Info(); err == nil && info.ModTime().Before(t) {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

func digest(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// seal writes the digests of a folder's files.
func seal(dir string) error {
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var lines []string
	for _, e := range list {
		d, err := digest(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		lines = append(lines, d+"  "+e.Name()+"\n")
	}
	sort.Strings(lines)
	return os.WriteFile(filepath.Join(dir, sums), []byte(strings.Join(lines, "")), 0o666)
}

// stamp identifies a file's state, to detect that a file with a digest is unchanged.
type stamp struct {
	size int64
	time time.Time
	sum  string
}

// verified remembers files that had their digests: the precompiled header of all models has
// 60 MB, and each of hundreds of models in a process asks for it.
var verified sync.Map // of a file's name to its stamp

func verifyFile(name, want string) error {
	info, err := os.Stat(name)
	if err != nil {
		return errors.New("cannot be read")
	}
	now := stamp{info.Size(), info.ModTime(), want}
	if was, ok := verified.Load(name); ok && was == now {
		return nil
	}
	got, err := digest(name)
	if err != nil {
		return errors.New("cannot be read")
	}
	if got != want {
		return errors.New("has changed")
	}
	verified.Store(name, now)
	return nil
}

// verify compares a folder's files with their digests. The error is
// fs.ErrNotExist if there is no such folder.
func verify(dir string) error {
	if _, err := os.Stat(dir); err != nil {
		return err
	}
	b, err := os.ReadFile(filepath.Join(dir, sums))
	if err != nil {
		return fmt.Errorf("%s cannot be read", sums)
	}
	n := 0
	for line := range strings.Lines(string(b)) {
		want, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok || name != filepath.Base(name) {
			return fmt.Errorf("%s is malformed", sums)
		}
		if err := verifyFile(filepath.Join(dir, name), want); err != nil {
			return fmt.Errorf("%s %w", name, err)
		}
		n++
	}
	if n == 0 {
		return fmt.Errorf("%s is empty", sums)
	}
	return nil
}
