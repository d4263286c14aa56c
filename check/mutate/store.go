// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/nicgen/nicgen/check/mutant"
	"github.com/nicgen/nicgen/internal/tool"
)

// store keeps outcomes in a file, one JSON object a line, so that an interrupted run continues
// where it stopped. The name of the file has a hash of everything that affects an outcome: another
// design, other stimuli or another build of the program have another file.
type store struct {
	file *os.File
	done map[int]Outcome
}

// openStore reads the outcomes that an earlier run left in a folder and prepares for further ones.
// A truncated last line is removed.
func openStore(folder string, j *Job, d *mutant.Design) (*store, error) {
	s := &store{done: map[int]Outcome{}}
	if folder == "" {
		return s, nil
	}
	program, err := tool.ProgramHash()
	if err != nil {
		return nil, fmt.Errorf("work folder: %w", err)
	}
	id, err := json.Marshal([]any{program, d.Hash(), j.Mutants, j.Seed, j.Steps, j.Long, j.Invariants})
	if err != nil {
		return nil, err
	}
	h := sha256.Sum256(id)
	name := filepath.Join(folder, fmt.Sprintf("%s-%s-%s.jsonl", j.Unit, j.Name, hex.EncodeToString(h[:6])))
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, fmt.Errorf("work folder: %w", err)
	}
	// A job's task may run twice at a time: each run appends to the file.
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fmt.Errorf("work folder: %w", err)
	}
	s.file = f
	end := int64(0)
	r := bufio.NewReader(f)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if err != nil {
			break
		}
		var out Outcome
		if err := json.Unmarshal(line, &out); err != nil {
			f.Close()
			return nil, fmt.Errorf("%s:%d: %w: remove the file to start again", name, n, err)
		}
		s.done[out.Number] = out
		end += int64(len(line))
	}
	if err := f.Truncate(end); err != nil {
		f.Close()
		return nil, fmt.Errorf("work folder: %w", err)
	}
	return s, nil
}

// put adds an outcome.
func (s *store) put(out Outcome) error {
	if s.file == nil {
		return nil
	}
	b, err := json.Marshal(out)
	if err != nil {
		return err
	}
	if _, err := s.file.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("work folder: %w", err)
	}
	return nil
}

// close may be called twice.
func (s *store) close() error {
	if s.file == nil {
		return nil
	}
	f := s.file
	s.file = nil
	return f.Close()
}
