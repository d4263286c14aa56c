// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/gen"
)

// Layout of a help page, in characters.
const (
	helpWidth  = 80
	helpIndent = 3
	helpHead   = 28 // the widest name with its text in the same line rather than below
)

// helpFlag is --help. It is a flag like any other, and not the flag package's own,
// because the help of a command depends on its other flags: --unit.
func helpFlag() cli.Flag {
	return &cli.BoolFlag{Name: "help", Aliases: []string{"h"}, DisableDefaultText: true, Usage: "show this help"}
}

// helpOr wraps an action so that it shows the help or the version if requested.
func (r *runner) helpOr(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		switch {
		case r.help:
			return r.showHelp(c)
		case r.version:
			return r.showVersion(c.Context)
		}
		return action(c)
	}
}

// helpName is the command's name.
const helpName = "help"

func (r *runner) helpCommand(app *cli.App) *cli.Command {
	return &cli.Command{
		Name:      helpName,
		Usage:     "describe nicgen, or one of its commands",
		ArgsUsage: "[COMMAND [--unit UNIT]]",
		Description: "nicgen help COMMAND is nicgen COMMAND --help.\n\n" +
			"Examples:\n" +
			"   nicgen help cosim\n" +
			"   nicgen help emit --unit reps      with the parameters of one unit",
		SkipFlagParsing: true, // they belong to the command
		Action: func(c *cli.Context) error {
			args := append([]string{app.Name}, c.Args().Slice()...)
			return app.RunContext(c.Context, permute(app, append(args, "--help")))
		},
	}
}

// showHelp prints the help of the command, or of the program.
func (r *runner) showHelp(c *cli.Context) error {
	var p page
	if c.Command.Name == c.App.Name {
		p.head(c.App.Name, c.App.Usage, "[OPTION]… COMMAND [ARGUMENT]…", c.App.Description)
		p.section("COMMANDS")
		var commands []entry
		for _, k := range c.App.VisibleCommands() {
			commands = append(commands, entry{k.Name, k.Usage})
		}
		p.table(helpIndent, commands)
		p.options("OPTIONS", c.App.Flags)
	} else {
		units, err := r.named(c)
		if err != nil {
			return err
		}
		usage := "[OPTION]…"
		if c.Command.ArgsUsage != "" {
			usage += " " + c.Command.ArgsUsage
		}
		p.head(c.App.Name+" "+c.Command.Name, c.Command.Usage, usage, c.Command.Description)
		p.options("OPTIONS", c.Command.Flags)
		p.parameters(c.Command, units)
	}
	_, err := r.out.Write([]byte(p.String()))
	return err
}

// named returns the units that --unit names, for a command that has the flag.
func (r *runner) named(c *cli.Context) ([]string, error) {
	var all []string
	units := r.all
	if c.Command.Name == csrName {
		units = mapped
	}
	for _, u := range units {
		all = append(all, u.New().Unit())
	}
	list := c.StringSlice("unit")
	for _, n := range list {
		if !slices.Contains(all, n) {
			return nil, usagef("--unit: found %s%s, allowed: %s", n, nearest(n, all), strings.Join(all, ", "))
		}
	}
	return list, nil
}

// page is a help page under construction.
type page struct{ strings.Builder }

// entry is a name and its description, one paragraph per line.
type entry struct{ name, text string }

func (p *page) section(title string) {
	if p.Len() > 0 {
		p.WriteByte('\n')
	}
	p.WriteString(title + ":\n")
}

// head writes the start common to all pages.
func (p *page) head(name, does, usage, description string) {
	p.section("NAME")
	p.wrap(helpIndent, name+" - "+does)
	p.section("USAGE")
	p.wrap(helpIndent, name+" "+usage)
	p.section("DESCRIPTION")
	p.prose(helpIndent, description)
}

// prose writes paragraphs, re-filled. Lines that begin with a space are tables of two
// columns if they contain a tab, and are otherwise kept as they are.
func (p *page) prose(indent int, text string) {
	var paragraph []string
	var rows []entry
	flush := func() {
		if paragraph != nil {
			p.wrap(indent, strings.Join(paragraph, " "))
		}
		p.table(indent+helpIndent, rows)
		paragraph, rows = nil, nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		name, value, isRow := strings.Cut(line, "\t")
		switch {
		case line == "":
			flush()
			p.WriteByte('\n')
		case line[0] == ' ' && isRow:
			rows = append(rows, entry{strings.TrimSpace(name), value})
		case line[0] == ' ':
			flush()
			p.WriteString(strings.Repeat(" ", indent) + line + "\n")
		default:
			paragraph = append(paragraph, line)
		}
	}
	flush()
}

// wrap writes one paragraph, starting at the end of the page's last line.
func (p *page) wrap(indent int, text string) {
	column := 0
	if last := p.String()[strings.LastIndexByte(p.String(), '\n')+1:]; last != "" {
		column = utf8.RuneCountInString(last)
	}
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case column > indent && column+1+n > helpWidth:
			p.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		case column > indent:
			p.WriteByte(' ')
			column++
		default:
			p.WriteString(strings.Repeat(" ", indent-column))
			column = indent
		}
		p.WriteString(word)
		column += n
	}
	p.WriteByte('\n')
}

// table writes entries with their texts in one column.
func (p *page) table(indent int, list []entry) {
	widest := 0
	for _, e := range list {
		if n := utf8.RuneCountInString(e.name); n <= helpHead {
			widest = max(widest, n)
		}
	}
	column := indent + widest + 2
	for _, e := range list {
		p.WriteString(strings.Repeat(" ", indent) + e.name)
		if n := utf8.RuneCountInString(e.name); n > widest {
			p.WriteByte('\n')
		} else {
			p.WriteString(strings.Repeat(" ", column-indent-n-1))
		}
		for line := range strings.Lines(e.text) {
			p.wrap(column, line)
		}
	}
}

// options writes the flags of a list that are not parameters.
func (p *page) options(title string, flags []cli.Flag) {
	var list []entry
	for _, f := range flags {
		if _, ok := f.(*parameterFlag); ok {
			continue
		}
		if hidden(f) {
			continue
		}
		name, text, _ := strings.Cut(f.String(), "\t")
		name, _, _ = strings.Cut(name, " [ ") // "--unit NAME [ --unit NAME ]": the text says so
		list = append(list, entry{name, text})
	}
	p.section(title)
	p.table(helpIndent, list)
}

// hidden reports whether neither the help nor a completion shows a flag.
func hidden(f cli.Flag) bool {
	v, ok := f.(cli.VisibleFlag)
	return ok && !v.IsVisible()
}

// parameters writes the parameters that have flags: in full for the named units; only the flags if no
// unit is named and several units have parameters.
func (p *page) parameters(c *cli.Command, named []string) {
	type line struct {
		place   int
		heading string
		entry   entry
	}
	var lines []line
	owned := map[string][]string{} // flags, by unit
	var order []string
	for _, f := range c.Flags {
		f, ok := f.(*parameterFlag)
		if !ok {
			continue
		}
		for _, m := range f.meanings {
			var units []string
			place := 0
			for _, o := range m.owners {
				if len(named) > 0 && !slices.Contains(named, o.unit) {
					continue
				}
				if len(units) == 0 {
					place = o.place
				}
				units = append(units, o.unit)
				if owned[o.unit] == nil {
					order = append(order, o.unit)
				}
				owned[o.unit] = append(owned[o.unit], "--"+f.Name)
			}
			if len(units) > 0 {
				lines = append(lines, line{place, strings.Join(units, ", ") + ": " + m.field.Group, f.entry(m.field)})
			}
		}
	}
	if len(lines) == 0 {
		return
	}
	slices.Sort(order)
	slices.SortFunc(lines, func(a, b line) int { return a.place - b.place })
	var headings []string
	under := map[string][]entry{}
	for _, l := range lines {
		if under[l.heading] == nil {
			headings = append(headings, l.heading)
		}
		under[l.heading] = append(under[l.heading], l.entry)
	}
	p.section("PARAMETERS")
	if len(owned) > 1 && len(named) == 0 {
		p.wrap(helpIndent, fmt.Sprintf("`nicgen %s --unit UNIT --help` describes those of a unit. "+
			"Other parameters are set by --set or in the file of --config; `nicgen describe UNIT` describes all parameters of a unit.", c.Name))
		p.WriteByte('\n')
		var list []entry
		for _, u := range order {
			list = append(list, entry{u, strings.Join(owned[u], " ")})
		}
		p.table(helpIndent, list)
		return
	}
	for i, h := range headings {
		if i > 0 {
			p.WriteByte('\n')
		}
		p.wrap(helpIndent, h)
		p.WriteByte('\n')
		p.table(2*helpIndent, under[h])
	}
}

// parameterFlag is the flag of a parameter, which several units may share. A switch appears
// alone or with =true or =false.
type parameterFlag struct {
	*cli.GenericFlag
	meanings []meaning
}

// meaning is a parameter with the units that share its description.
type meaning struct {
	field  gen.Field
	owners []owner
}

// owner is a unit that has a parameter; place counts the parameters of all units.
type owner struct {
	unit  string
	place int
}

// add records that a unit has the parameter.
func (f *parameterFlag) add(field gen.Field, o owner) {
	for i := range f.meanings {
		m := &f.meanings[i]
		if m.field.Group == field.Group && f.entry(m.field) == f.entry(field) {
			m.owners = append(m.owners, o)
			return
		}
	}
	f.meanings = append(f.meanings, meaning{field, []owner{o}})
}

// TakesValue reports whether the next word is the flag's value, which is false for a
// switch.
func (f *parameterFlag) TakesValue() bool { return f.meanings[0].field.Kind() != gen.Bool }

// entry returns the help's entry for the flag in one of its meanings.
func (f *parameterFlag) entry(field gen.Field) entry {
	name := "--" + f.Name
	var values string
	switch field.Kind() {
	case gen.Int:
		values = "N is " + field.Allowed()
		name += " N"
	case gen.Enum:
		values = "CHOICE is " + field.Allowed()
		name += " CHOICE"
	case gen.Bool:
		values = name + "=false switches it off"
	}
	return entry{name, fmt.Sprintf("%s.\n%s; default %s.", strings.TrimSuffix(field.Doc, "."), values, field.Shown())}
}

// ofAny reports whether one of the units has the parameter.
func (f *parameterFlag) ofAny(units []string) bool {
	return slices.ContainsFunc(f.meanings, func(m meaning) bool {
		return slices.ContainsFunc(m.owners, func(o owner) bool { return slices.Contains(units, o.unit) })
	})
}
