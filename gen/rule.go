// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"strconv"
)

// Rule is a default that depends on other parameters. Unless the user sets the field, or sets it to
// Auto, it takes the value of the rule whenever one of those parameters changes: a default is never
// the reason to refuse a user's value.
type Rule struct {
	Text string        // for people: "2^evs_bits"
	Of   []string      // the parameters that it depends on
	Int  func() int64  // the value of a number under the present configuration
	Enum func() string // the value of a choice
}

// Follow returns a number that is computed from other parameters; text says how.
func Follow(text string, value func() int64, of ...string) *Rule {
	return &Rule{Text: text, Of: of, Int: value}
}

// FollowChoice returns a choice that depends on other parameters; text says how.
func FollowChoice(text string, value func() string, of ...string) *Rule {
	return &Rule{Text: text, Of: of, Enum: value}
}

// AtMost returns a number that is less where other parameters demand it.
func AtMost(number int64, most func() int64, of ...string) *Rule {
	return limited(number, "most", func() int64 { return min(number, most()) }, of)
}

// AtLeast returns a number that is more where other parameters demand it.
func AtLeast(number int64, least func() int64, of ...string) *Rule {
	return limited(number, "least", func() int64 { return max(number, least()) }, of)
}

func limited(number int64, which string, value func() int64, of []string) *Rule {
	allow := "allow"
	if len(of) == 1 {
		allow = "allows"
	}
	return &Rule{Text: fmt.Sprintf("%d, or the %s that %s %s", number, which, and(of), allow), Of: of, Int: value}
}

// AutoValue returns the value of the field's rule as text, in the field's range.
func (f *Field) AutoValue() string {
	if f.Auto.Enum != nil {
		return f.Auto.Enum()
	}
	return strconv.FormatInt(min(max(f.Auto.Int(), f.Min), f.Max), 10)
}

// IsAuto reports whether the field has the value of its rule.
func (f *Field) IsAuto() bool { return f.Auto != nil && f.Value() == f.AutoValue() }

// Shown returns the value for people: the value alone, or Auto, the rule, and the value that it
// gives.
func (f *Field) Shown() string {
	if f.IsAuto() {
		return fmt.Sprintf("%s: %s, here %s", Auto, f.Auto.Text, f.Value())
	}
	return f.Value()
}

// takeAuto gives the field the value of its rule and reports whether that is a change.
func (f *Field) takeAuto() bool {
	before := f.Value()
	if f.Auto.Enum != nil {
		*f.Enum = f.Auto.Enum()
	} else {
		*f.Int = min(max(f.Auto.Int(), f.Min), f.Max)
	}
	return f.Value() != before
}
