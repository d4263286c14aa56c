// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/papers/figures"
	"github.com/nicgen/nicgen/sim/transport"
)

// completeName is the first argument in a completion script's call of nicgen; the shell's name and the words up to
// the cursor follow. staleComplete was the last argument of such calls in earlier versions.
const (
	completeName  = "__complete"
	staleComplete = "--generate-bash-completion"
)

// choiceFlag is a flag whose value is one of a list, or several of them separated by commas.
type choiceFlag struct {
	*cli.StringFlag
	choices []string
	several bool
}

// modelNames returns the names of models.
func modelNames(models ...transport.Model) (list []string) {
	for _, m := range models {
		list = append(list, string(m))
	}
	return list
}

// completion holds the possible words at the cursor.
type completion struct {
	kind  string // completeWords, completeFiles or completeFolders
	words []candidate
}

// candidate is a possible word at the cursor. One that ends in "=" is followed by a value, not by a blank.
type candidate struct{ word, text string }

const (
	completeWords   = "words"
	completeFiles   = "files"
	completeFolders = "folders"
)

// answerCompletion reports whether the arguments ask for completion, and writes the answer: a line with the kind of
// completion, then a line for each word, with its description after a tab except for bash. It never runs anything on
// the command line.
func (r *runner) answerCompletion(args []string) bool {
	if len(args) > 1 && args[len(args)-1] == staleComplete {
		return true // no words: the shell completes files until the script is renewed
	}
	if len(args) < 4 || args[1] != completeName {
		return false
	}
	shell, words := args[2], args[3:]
	split := shell == "bash"
	if split {
		words = joinAssignments(words)
	}
	line := completionLine{runner: r, app: r.app(), words: words[:len(words)-1], cursor: words[len(words)-1]}
	answer := line.complete()
	var out bytes.Buffer
	fmt.Fprintln(&out, answer.kind)
	for _, c := range answer.words {
		if !strings.HasPrefix(c.word, line.cursor) {
			continue
		}
		switch {
		case split:
			// Bash replaces only the part after the last "=".
			at := strings.LastIndexByte(line.cursor, '=') + 1
			fmt.Fprintln(&out, c.word[at:])
		case c.text != "":
			fmt.Fprintf(&out, "%s\t%s\n", c.word, c.text)
		default:
			fmt.Fprintln(&out, c.word)
		}
	}
	_, _ = r.out.Write(out.Bytes())
	return true
}

// joinAssignments undoes bash's splitting of words at "=".
func joinAssignments(words []string) []string {
	var out []string
	for i, w := range words {
		if len(out) > 0 && (w == "=" || i > 0 && words[i-1] == "=") {
			out[len(out)-1] += w
		} else {
			out = append(out, w)
		}
	}
	return out
}

// completionLine is a command line with the cursor at its end.
type completionLine struct {
	*runner
	app    *cli.App
	words  []string // before the one at the cursor, without the program
	cursor string   // the beginning of the word at the cursor
}

// complete returns the completion at the cursor.
func (l *completionLine) complete() completion {
	command, arguments := l.command()
	if command == nil {
		return l.start()
	}
	if at := slices.Index(arguments, "--"); at >= 0 {
		if command.Name == sweepName { // a separate command line follows
			inner := completionLine{runner: l.runner, app: l.app, words: arguments[at+1:], cursor: l.cursor}
			return inner.complete()
		}
		return l.argument(command, arguments)
	}
	if name, _, ok := strings.Cut(l.cursor, "="); ok && strings.HasPrefix(name, "-") {
		answer := l.value(command, flagNamed(command, name), arguments, strings.TrimPrefix(l.cursor, name+"="))
		for i := range answer.words {
			answer.words[i].word = name + "=" + answer.words[i].word
		}
		return answer
	}
	if len(arguments) > 0 {
		last := arguments[len(arguments)-1]
		if f := flagNamed(command, last); f != nil && !strings.Contains(last, "=") && takesValue(f) {
			return l.value(command, f, arguments, l.cursor)
		}
	}
	if strings.HasPrefix(l.cursor, "-") {
		return l.flags(command, arguments)
	}
	return l.argument(command, arguments)
}

// command returns the command of the line, nil if it has none yet, and the words after its name.
func (l *completionLine) command() (*cli.Command, []string) {
	for i, w := range l.words {
		if strings.HasPrefix(w, "-") {
			continue // flags of the program take no value
		}
		if i+1 < len(l.words) {
			if verb := l.app.Command(w + " " + l.words[i+1]); verb != nil {
				return verb, l.words[i+2:]
			}
		}
		return l.app.Command(w), l.words[i+1:]
	}
	return nil, nil
}

// start returns the commands, and the flags that may precede them.
func (l *completionLine) start() (c completion) {
	c.kind = completeWords
	if slices.ContainsFunc(l.words, func(w string) bool { return !strings.HasPrefix(w, "-") }) {
		return c // an unknown command has no arguments
	}
	if strings.HasPrefix(l.cursor, "-") {
		for _, f := range l.app.Flags {
			c.words = append(c.words, candidate{"--" + f.Names()[0], flagText(f)})
		}
		return c
	}
	for _, k := range l.app.VisibleCommands() {
		c.words = append(c.words, candidate{k.Name, k.Usage})
	}
	return c
}

// flags returns the flags of a command. If the line names units, only their parameters are among them.
func (l *completionLine) flags(command *cli.Command, arguments []string) (c completion) {
	c.kind = completeWords
	named := unitsOf(arguments)
	for _, f := range command.Flags {
		if p, ok := f.(*parameterFlag); ok && len(named) > 0 && !p.ofAny(named) || hidden(f) {
			continue
		}
		name := "--" + f.Names()[0]
		c.words = append(c.words, candidate{name, flagText(f)})
	}
	return c
}

// value returns the possible values of a flag. typed is the beginning of the value.
func (l *completionLine) value(command *cli.Command, f cli.Flag, arguments []string, typed string) (c completion) {
	c.kind = completeWords
	switch f := f.(type) {
	case nil:
		return c
	case *parameterFlag:
		return words(valuesOf(f.meanings[0].field))
	case *choiceFlag:
		before := ""
		if f.several {
			before = typed[:strings.LastIndexByte(typed, ',')+1]
		}
		for _, x := range f.choices {
			c.words = append(c.words, candidate{before + x, ""})
		}
		return c
	}
	switch name := f.Names()[0]; name {
	case "unit":
		return l.units(command)
	case "set", "grid":
		return l.assignments(arguments, typed)
	}
	if d, ok := f.(cli.DocGenerationFlag); ok && takesFile(f) {
		c.kind = completeFiles
		if strings.Contains(d.GetUsage(), "`FOLDER`") {
			c.kind = completeFolders
		}
	}
	return c
}

// assignments returns "KEY=" for each parameter, and its values once KEY= is typed.
func (l *completionLine) assignments(arguments []string, typed string) (c completion) {
	c.kind = completeWords
	named := unitsOf(arguments)
	if len(named) == 0 && len(arguments) > 0 { // nicgen upset UNIT --set
		named = slices.DeleteFunc(slices.Clone(arguments), func(w string) bool { return !slices.Contains(l.names(), w) })
	}
	key, _, behind := strings.Cut(typed, "=")
	seen := map[string]bool{}
	for _, u := range l.all {
		cfg := u.New()
		if len(named) > 0 && !slices.Contains(named, cfg.Unit()) {
			continue
		}
		for _, field := range cfg.Fields() {
			switch {
			case behind && field.Key == key:
				for _, v := range valuesOf(field) {
					if w := key + "=" + v; !seen[w] {
						seen[w] = true
						c.words = append(c.words, candidate{w, ""})
					}
				}
			case !behind && !seen[field.Key]:
				seen[field.Key] = true
				c.words = append(c.words, candidate{field.Key + "=", firstSentence(field.Doc)})
			}
		}
	}
	return c
}

// argument returns the completion of a command's argument, from the argument list in its help.
func (l *completionLine) argument(command *cli.Command, arguments []string) (c completion) {
	c.kind = completeWords
	given := positional(command, arguments)
	usage := command.ArgsUsage
	switch {
	case strings.Contains(usage, "UNIT") && command.Name != helpName:
		return l.units(command)
	case strings.Contains(usage, "FIGURE"):
		for _, f := range figures.All {
			c.words = append(c.words, candidate{f.Name, f.Title})
		}
	case strings.Contains(usage, "FILE"), strings.Contains(usage, "PLAN"), strings.Contains(usage, "CAPTURE"):
		c.kind = completeFiles
	case command.Name == csrName && given == 0:
		for _, v := range csrVerbs {
			c.words = append(c.words, candidate{v.name, v.usage})
		}
	case command.Name == csrName:
		c.kind = completeFiles // for load and serve
	case given > 0:
	case command.Name == helpName:
		return (&completionLine{runner: l.runner, app: l.app, cursor: l.cursor}).start()
	default:
		first, _, _ := strings.Cut(usage, " ")
		if strings.Contains(first, "|") {
			return words(strings.Split(first, "|"))
		}
		for _, verb := range l.app.Commands { // bench network
			if name, ok := strings.CutPrefix(verb.Name, command.Name+" "); ok {
				c.words = append(c.words, candidate{name, verb.Usage})
			}
		}
	}
	return c
}

// units returns the units that a command knows.
func (l *completionLine) units(command *cli.Command) completion {
	list := l.all
	if command.Name == csrName {
		list = mapped
	}
	c := completion{kind: completeWords}
	for _, u := range list {
		cfg := u.New()
		c.words = append(c.words, candidate{cfg.Unit(), cfg.Title()})
	}
	return c
}

// names returns the names of all units.
func (r *runner) names() (list []string) {
	for _, u := range r.all {
		list = append(list, u.New().Unit())
	}
	return list
}

func words(list []string) completion {
	c := completion{kind: completeWords}
	for _, w := range list {
		c.words = append(c.words, candidate{w, ""})
	}
	return c
}

// valuesOf lists the values of a parameter that has only a few.
func valuesOf(field gen.Field) []string {
	switch field.Kind() {
	case gen.Enum:
		return field.Choices
	case gen.Bool:
		return []string{"true", "false"}
	}
	return nil
}

// unitsOf lists the units that --unit names on a command line.
func unitsOf(arguments []string) (list []string) {
	for i, w := range arguments {
		if name, ok := strings.CutPrefix(w, "--unit="); ok {
			list = append(list, name)
		} else if w == "--unit" && i+1 < len(arguments) {
			list = append(list, arguments[i+1])
		}
	}
	return list
}

// positional counts the arguments that are neither flags nor values of flags.
func positional(command *cli.Command, arguments []string) (n int) {
	for i := 0; i < len(arguments); i++ {
		if !strings.HasPrefix(arguments[i], "-") {
			n++
		} else if f := flagNamed(command, arguments[i]); f != nil && !strings.Contains(arguments[i], "=") && takesValue(f) {
			i++
		}
	}
	return n
}

// flagNamed finds a flag of a command by a word such as --out or -o=x; nil if the command has no such flag.
func flagNamed(command *cli.Command, word string) cli.Flag {
	if !strings.HasPrefix(word, "-") {
		return nil
	}
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	for _, f := range command.Flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

func takesValue(f cli.Flag) bool {
	d, ok := f.(cli.DocGenerationFlag)
	return ok && d.TakesValue()
}

func takesFile(f cli.Flag) bool {
	switch f := f.(type) {
	case *cli.StringFlag:
		return f.TakesFile
	case *cli.StringSliceFlag:
		return f.TakesFile
	}
	return false
}

// flagText returns a flag's description in one line.
func flagText(f cli.Flag) string {
	if p, ok := f.(*parameterFlag); ok {
		return firstSentence(p.meanings[0].field.Doc)
	}
	d, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return ""
	}
	return strings.ReplaceAll(d.GetUsage(), "`", "")
}

// firstSentence returns a text up to its first full stop or line break.
func firstSentence(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	text, _, _ = strings.Cut(text, ". ")
	return strings.TrimSuffix(text, ".")
}
