// SPDX-License-Identifier: Apache-2.0

package grammar_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/nicgen/nicgen/svparse/grammar"
)

const remake = "run ANTLR_JAR=antlr4-4.13.1-complete.jar go generate ./svparse/grammar"

// The checked-in parser was made from the checked-in grammar.
func TestGrammarHash(t *testing.T) {
	text, err := os.ReadFile("NicgenSV.g4")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != grammar.GrammarSHA256 {
		t.Errorf("NicgenSV.g4 has changed since the parser was made from it: %s", remake)
	}
}

// With Java and ANTLR at hand, making the parser again gives the same bytes.
func TestRegenerate(t *testing.T) {
	jar := os.Getenv("ANTLR_JAR")
	if home, err := os.UserHomeDir(); jar == "" && err == nil {
		// Where mvn dependency:get leaves it.
		jar = filepath.Join(home, ".m2", "repository", "org", "antlr", "antlr4", "4.13.1", "antlr4-4.13.1-complete.jar")
	}
	_, noJava := exec.LookPath("java")
	if _, err := os.Stat(jar); err != nil || noJava != nil {
		t.Log("no Java or no ANTLR: only the hash was compared")
		return
	}
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", "run", "generate.go", "-out", dir)
	cmd.Env = append(os.Environ(), "ANTLR_JAR="+jar)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"lexer.go", "parser.go", "hash.go"} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what NicgenSV.g4 gives: %s", name, remake)
		}
	}
}
