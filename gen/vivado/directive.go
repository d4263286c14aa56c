// SPDX-License-Identifier: Apache-2.0

package vivado

import (
	"fmt"
	"slices"
	"strings"
)

// step is a step of Vivado that takes -directive, with the legal values.
type step struct {
	name, command string
	values        []string
}

// steps are the steps of the emitted script, in order. The values come from UG901 for synthesis and
// from UG904 for the other steps, for UltraScale+; RQS and Auto_ are left out, as they need files
// or several runs.
var steps = []step{
	{"synth", "synth_design", []string{"Default", "RuntimeOptimized", "AreaOptimized_high", "AreaOptimized_medium", "AlternateRoutability",
		"AreaMapLargeShiftRegToBRAM", "AreaMultThresholdDSP", "FewerCarryChains", "PerformanceOptimized", "LogicCompaction"}},
	{"opt", "opt_design", []string{"Default", "Explore", "ExploreArea", "AddRemap", "ExploreSequentialArea", "RuntimeOptimized", "NoBramPowerOpt",
		"ExploreWithRemap"}},
	{"place", "place_design", []string{"Default", "Explore", "WLDrivenBlockPlacement", "EarlyBlockPlacement", "ExtraNetDelay_high", "ExtraNetDelay_low",
		"SSI_SpreadLogic_high", "SSI_SpreadLogic_low", "AltSpreadLogic_high", "AltSpreadLogic_medium", "AltSpreadLogic_low", "ExtraPostPlacementOpt",
		"ExtraTimingOpt", "SSI_SpreadSLLs", "SSI_BalanceSLLs", "SSI_BalanceSLRs", "SSI_HighUtilSLRs", "RuntimeOptimized", "Quick"}},
	{"phys_opt", "phys_opt_design", []string{"Default", "Explore", "ExploreWithHoldFix", "ExploreWithAggressiveHoldFix", "AggressiveExplore",
		"AlternateReplication", "AggressiveFanoutOpt", "AddRetime", "AlternateFlowWithRetiming", "RuntimeOptimized"}},
	{"route", "route_design", []string{"Default", "Explore", "AggressiveExplore", "NoTimingRelaxation", "MoreGlobalIterations", "HigherDelayCost",
		"RuntimeOptimized", "AlternateCLBRouting", "Quick"}},
}

// Steps returns the names of the steps that take a directive.
func Steps() []string {
	var list []string
	for _, s := range steps {
		list = append(list, s.name)
	}
	return list
}

// ParseDirectives reads directives, each of the form NAME or STEP=NAME. The first form applies to
// every step that has the directive; the second form overrides it. The error lists the allowed
// values.
func ParseDirectives(texts []string) (map[string]string, error) {
	all, one := map[string]string{}, map[string]string{}
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		into := one
		if !ok {
			name, value, into = "", text, all
		}
		if ok && !slices.Contains(Steps(), name) {
			return nil, fmt.Errorf("found %s, allowed: STEP=NAME with a STEP of %s, or a NAME for every step that has it", text, strings.Join(Steps(), ", "))
		}
		found := false
		var allowed []string
		for _, s := range steps {
			if ok && s.name != name {
				continue
			}
			allowed = append(allowed, s.values...)
			if !slices.Contains(s.values, value) {
				continue
			}
			if into[s.name] != "" && into[s.name] != value {
				return nil, fmt.Errorf("found %s and %s for %s, allowed: one", value, into[s.name], s.command)
			}
			into[s.name], found = value, true
		}
		if !found {
			slices.Sort(allowed)
			of := ""
			if ok {
				of = " for " + name
			}
			return nil, fmt.Errorf("found %s, allowed%s: %s", text, of, strings.Join(slices.Compact(allowed), ", "))
		}
	}
	for s, v := range one {
		all[s] = v
	}
	return all, nil
}

// DirectiveArguments returns the arguments for the directives, in the order of the steps.
func DirectiveArguments(directives map[string]string) string {
	s := ""
	for _, step := range steps {
		if v := directives[step.name]; v != "" {
			s += " --directive " + step.name + "=" + v
		}
	}
	return s
}

// option returns a directive as an option of a command.
func option(directive string) string {
	if directive == "" {
		return ""
	}
	return " -directive " + directive
}

// listed returns a list of the directives for the head of the script.
func listed(directives map[string]string) string {
	s := ""
	for _, step := range steps {
		if v := directives[step.name]; v != "" {
			s += fmt.Sprintf("#   %-16s %s\n", step.command, v)
		}
	}
	if s == "" {
		return ""
	}
	return "# Directives (UG901, UG904)\n" + s + "#\n"
}
