// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var sized = regexp.MustCompile(`^([0-9]*)'[sS]?([bBoOdDhH])([0-9a-fA-F_]+)$`)

// yosysConst turns a SystemVerilog literal into the form that every Yosys accepts on its command
// line: width'b and as many bits. A number without a width has 32 bits.
func yosysConst(lit string) (string, error) {
	text, width, base := strings.ReplaceAll(strings.TrimSpace(lit), "_", ""), 32, 10
	if m := sized.FindStringSubmatch(strings.TrimSpace(lit)); m != nil {
		if m[1] != "" {
			w, err := strconv.Atoi(m[1])
			if err != nil || w < 1 || w > 1<<16 {
				return "", errors.New("bad width")
			}
			width = w
		}
		base = map[string]int{"b": 2, "o": 8, "d": 10, "h": 16}[strings.ToLower(m[2])]
		text = strings.ReplaceAll(m[3], "_", "")
	}
	v, ok := new(big.Int).SetString(text, base)
	if !ok {
		return "", errors.New("not a number")
	}
	limit := new(big.Int).Lsh(big.NewInt(1), uint(width))
	if v.CmpAbs(limit) >= 0 {
		return "", errors.New("too wide")
	}
	v.Mod(v, limit) // two's complement
	return fmt.Sprintf("%d'b%0*s", width, width, v.Text(2)), nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
