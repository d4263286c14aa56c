// SPDX-License-Identifier: Apache-2.0

package verilator

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/internal/tool"
)

// tested are the releases with which the tests lint and co-simulate every unit, oldest first.
// Debian 12 has the first one, the others are Python packages.
var tested = []int{5006, 5032, 5049}

// oldest is the oldest Verilator that the flags and the shim are made for.
const oldest = 5006

// IsTested reports whether nicgen is tested with a release: 5006 is 5.006.
func IsTested(number int) bool { return slices.Contains(tested, number) }

// summary says in a line which warnings are in Verilator's log.
func summary(log string) string {
	n, first := map[string]int{}, ""
	for _, m := range warningRE.FindAllStringSubmatch(log, -1) {
		if n[m[1]]++; first == "" {
			first = m[0]
		}
	}
	var rules []string
	for _, rule := range slices.Sorted(maps.Keys(n)) {
		rules = append(rules, fmt.Sprintf("%s (%d)", rule, n[rule]))
	}
	return strings.Join(rules, ", ") + "; the first is " + first
}

// Tested names the releases that nicgen is tested with, for people.
func Tested() string {
	var list []string
	for _, n := range tested {
		list = append(list, release(n))
	}
	return strings.Join(list, ", ")
}

// release returns the name of a release: 5.006.
func release(number int) string { return fmt.Sprintf("%d.%03d", number/1000, number%1000) }

// Untested returns a sentence about a release with which nicgen is not tested, or "".
func Untested(version string, number int) string {
	if IsTested(number) {
		return ""
	}
	return fmt.Sprintf("nicgen is tested with Verilator %s, and this is %s", Tested(), version)
}

var (
	warningRE = regexp.MustCompile(`(?m)^%Warning-(\w+): .*$`)
	versionRE = regexp.MustCompile(`Verilator (\d+)\.(\d+)`)
	// Releases built outside their repository have it only in a header.
	headerRE = regexp.MustCompile(`(?m)^#define VERILATOR_VERSION\s+"(\d+)\.(\d+)`)
)

// Version returns the version line of the Verilator on the PATH, completed by the version in its
// header if the program has none, and the version number, or 0 if neither has it. The error is a
// *tool.Missing, a *tool.Failed or the context's own.
func Version(ctx context.Context) (text string, number int, err error) {
	path, err := tool.Find(tool.Verilator)
	if err != nil {
		return "", 0, err
	}
	root, err := ask(ctx, path, "--getenv", "VERILATOR_ROOT")
	if err != nil {
		return "", 0, err
	}
	return version(ctx, path, filepath.Join(root, "include"))
}

func version(ctx context.Context, path, include string) (text string, number int, err error) {
	if text, err = ask(ctx, path, "--version"); err != nil {
		return "", 0, err
	}
	m := versionRE.FindStringSubmatch(text)
	named := m != nil
	if !named {
		header, _ := os.ReadFile(filepath.Join(include, "verilated_config.h"))
		if m = headerRE.FindStringSubmatch(string(header)); m == nil {
			return strings.TrimSpace("Verilator of unknown version " + text), 0, nil
		}
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	if number = major*1000 + minor; number < oldest {
		return "", 0, &tool.Failed{Name: path, Err: fmt.Errorf("version %s.%s is too old, want %s or later", m[1], m[2], release(oldest))}
	}
	if !named {
		text = strings.TrimSpace("Verilator " + release(number) + " " + text)
	}
	return text, number, nil
}
