// SPDX-License-Identifier: Apache-2.0

// Package cli is the command line of nicgen. It is the only package that
// prints. Results go to standard output, messages and progress to standard
// error.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/sirupsen/logrus"
	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/internal/sweep"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/verilator"
)

// Exit codes.
const (
	Fine        = 0   // done, no findings
	Found       = 1   // a mismatch or another finding
	WrongUse    = 2   // flags, configuration, files or folders that do not work
	BrokenTool  = 3   // an external tool is missing or failed
	Interrupted = 130 // stopped by Ctrl-C
)

// Env holds what a run of the command line gets from its caller.
type Env struct {
	Stdout, Stderr io.Writer
	Units          []registry.Unit
}

// Main runs the command line on the process's own arguments and streams and returns the
// exit code. The first Ctrl-C, or a closed terminal, stops the command in an orderly way; a
// second Ctrl-C stops it at once.
func Main(units []registry.Unit) int {
	sizeLimitIsAnError()
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals()...)
	defer stop()
	context.AfterFunc(ctx, stop)
	return Run(ctx, os.Args, Env{Stdout: os.Stdout, Stderr: os.Stderr, Units: units})
}

// Run runs one command and returns the exit code. args[0] is the program.
func Run(ctx context.Context, args []string, env Env) int {
	r := newRunner(env)
	r.args = args
	if err := twice(env.Units); err != nil {
		return r.report(err)
	}
	if r.answerCompletion(args) {
		return Fine
	}
	app := r.app()
	args = permute(app, args)
	err := app.RunContext(ctx, args)
	if err == nil {
		err = r.out.err
	}
	return r.report(err)
}

// twice returns an error if two units have the same name, because a command could not tell
// them apart.
func twice(units []registry.Unit) error {
	module := map[string]string{}
	for i := range units {
		name, where := units[i].New().Unit(), units[i].Package("tb")
		if other, ok := module[name]; ok {
			if other == where {
				return fmt.Errorf("the program has the unit %s of %s twice: remove one from the list of units in main.go", name, where)
			}
			return fmt.Errorf("two units are named %s, from %s and from %s: rename one of them", name, other, where)
		}
		module[name] = where
	}
	return nil
}

// usage is an error in the use of the command line.
type usage struct{ msg string }

func (u *usage) Error() string { return u.msg }

func usagef(format string, args ...any) error { return &usage{fmt.Sprintf(format, args...)} }

// stopped is the error of a command that Ctrl-C or another signal stopped in an orderly
// way. It holds the amount of work done and a note on the results kept.
type stopped struct{ done string }

func (s *stopped) Error() string { return "interrupted: " + s.done }

// Is reports that the error is a cancelled context.
func (s *stopped) Is(target error) bool { return target == context.Canceled }

// stoppedAt returns the error that ends a command after n of total units, runs or the like.
func stoppedAt(n, total int, what, kept string) error {
	return &stopped{fmt.Sprintf("%d of %d %s done; %s", n, total, what, kept)}
}

// noFiles is the note for a stopped command that writes its files only at the end.
const noFiles = "no files written"

// errFound ends a command that completed and has findings, which are already printed.
var errFound = errors.New("found something")

// runner holds what all commands share.
type runner struct {
	env     Env             // its units are those that every command takes
	all     []registry.Unit // and the blocks, which commands with long runs take only by name
	out     *output
	log     *logrus.Logger
	verbose bool
	quiet   bool
	noColor bool
	help    bool
	version bool
	args    []string // of the program, as they were given
}

// output is standard output; it remembers the first error, so that a full disk
// or a closed pipe does not pass for success.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	if err != nil {
		o.err = fmt.Errorf("standard output: %w", err)
		return n, o.err
	}
	return n, err
}

func newRunner(env Env) *runner {
	r := &runner{env: env, out: &output{w: env.Stdout}, log: logrus.New()}
	byName := func(u registry.Unit) bool { return u.ByName }
	r.all = env.Units
	r.env.Units = slices.DeleteFunc(slices.Clone(env.Units), byName)
	r.log.SetOutput(env.Stderr)
	r.log.SetFormatter(&formatter{})
	return r
}

// withUnits returns a runner that takes the flags of these units only.
func withUnits(units []registry.Unit) *runner {
	return &runner{env: Env{Units: units}, all: units, log: logrus.StandardLogger()}
}

// report prints an error and chooses the exit code.
func (r *runner) report(err error) int {
	if err == nil {
		return Fine
	}
	var (
		invalid  *gen.Invalid
		missing  *tool.Missing
		failed   *tool.Failed
		rejected *verilator.Rejected
		differ   *cosim.Disagreement
	)
	switch {
	case errors.Is(err, errFound):
		return Found
	case errors.Is(err, context.Canceled):
		// The tool that happened to be running does not help the user.
		var s *stopped
		if errors.As(err, &s) {
			r.log.Error(s)
		} else {
			r.log.Error("interrupted")
		}
		return Interrupted
	case errors.As(err, &invalid):
		r.log.Errorf("the configuration has %s:\n%v", plural(len(invalid.Problems), "problem"), err)
		return WrongUse
	case errors.As(err, &rejected), errors.As(err, &differ):
		// The design is at fault, not the tool.
		r.log.Error(err)
		return Found
	case errors.As(err, &missing), errors.As(err, &failed), errors.Is(err, sweep.ErrNoSlurm):
		r.log.Error(err)
		return BrokenTool
	}
	r.log.Error(err)
	return WrongUse
}

// setUp applies the flags common to all commands.
func (r *runner) setUp(c *cli.Context) error {
	for _, at := range c.Lineage() { // before the command's name and after it
		r.verbose = r.verbose || at.Bool("verbose")
		r.quiet = r.quiet || at.Bool("quiet")
		r.noColor = r.noColor || at.Bool("no-color")
		r.help = r.help || at.Bool("help")
		r.version = r.version || at.Bool("version")
	}
	if r.verbose && r.quiet {
		return usagef("--verbose and --quiet together, want at most one of them")
	}
	if name := c.String("json"); strings.HasPrefix(name, "-") && name != "-" {
		return usagef("--json: found %s, %s", name, jsonForm(c.Command))
	}
	switch {
	case r.verbose:
		r.log.SetLevel(logrus.DebugLevel)
	case r.quiet:
		r.log.SetLevel(logrus.ErrorLevel)
	}
	r.log.SetFormatter(&formatter{color: r.color(r.env.Stderr)})
	return nil
}

// color reports whether a stream takes colours.
func (r *runner) color(w io.Writer) bool {
	return !r.noColor && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && terminal(w)
}

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// formatter writes "level: message", and plain messages without a level.
type formatter struct{ color bool }

// Format implements logrus.Formatter.
func (f *formatter) Format(e *logrus.Entry) ([]byte, error) {
	level := map[logrus.Level]string{
		logrus.ErrorLevel: "error", logrus.WarnLevel: "warning", logrus.DebugLevel: "debug",
	}[e.Level]
	if level != "" {
		if f.color {
			level = map[string]string{"error": "\x1b[31m", "warning": "\x1b[33m", "debug": "\x1b[2m"}[level] + level + "\x1b[0m"
		}
		level += ": "
	}
	return []byte(level + strings.TrimRight(e.Message, "\n") + "\n"), nil
}

// commonFlags returns the flags that work both before and after the command's name.
func (r *runner) commonFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, DisableDefaultText: true, Usage: "print more about each step"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, DisableDefaultText: true, Usage: "print errors only, and no progress"},
		&cli.BoolFlag{Name: "no-color", DisableDefaultText: true, Usage: "print no colours; NO_COLOR in the environment does the same"},
		helpFlag(),
	}
}

func (r *runner) app() *cli.App {
	cli.HelpFlag = nil // helpFlag takes its place
	more := ""
	if r.foreign() {
		var names []string
		for _, u := range registry.Outside(r.all) {
			names = append(names, u.New().Unit())
		}
		more = "This program is nicgen with units of another module: " + strings.Join(names, ", ") + ". Commands take nicgen's\n" +
			"own units by name only. In the module's folder, read `go run .` for nicgen in the examples.\n\n"
	}
	app := &cli.App{
		Name:  "nicgen",
		Usage: "SystemVerilog units for NIC transport algorithms, proved equal to bit-exact models",
		Description: "nicgen emits units that an FPGA engineer can drop into a SmartNIC, and shows by\n" +
			"co-simulation that each does exactly what its golden model does.\n\n" + more +
			"Examples:\n" +
			"   nicgen list                                the units\n" +
			"   nicgen describe reps                       the parameters of one\n" +
			"   nicgen emit --unit reps --out build/rtl    SystemVerilog and constraints\n" +
			"   nicgen cosim --unit reps --cycles 1000000  RTL against golden model\n" +
			"   nicgen synth --unit reps                   resources, by Yosys\n" +
			"   nicgen prove reps                          properties for every stimulus\n" +
			"   nicgen sim incast                          a window unit in a closed loop\n\n" +
			"Exit codes: 0 fine, 1 a mismatch or a finding, 2 wrong use, 3 a missing or broken\n" +
			"tool, 130 interrupted.",
		Writer:          r.out,
		ErrWriter:       r.env.Stderr,
		HideVersion:     true,
		HideHelpCommand: true,
		// File names and lists of values may contain commas.
		DisableSliceFlagSeparator: true,
		Flags:                     append(r.commonFlags(), &cli.BoolFlag{Name: "version", DisableDefaultText: true, Usage: "print the version, like nicgen version"}),
		Before:                    r.setUp,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              r.usageError,
	}
	app.Commands = []*cli.Command{
		r.newCommand(), r.listCommand(), r.describeCommand(), r.emitCommand(), r.exportCommand(), r.cosimCommand(), r.replayCommand(),
		r.synthCommand(), r.lintCommand(), r.proveCommand(), r.mutateCommand(), r.benchCommand(), r.soakCommand(), r.coverageCommand(), r.upsetCommand(), r.simCommand(), r.reproduceCommand(), r.sweepCommand(), r.reportCommand(), r.inspectCommand(), r.docCommand(), r.placeCommand(), r.nicCommand(), r.csrCommand(), r.doctorCommand(), r.versionCommand(),
	}
	app.Commands = append(app.Commands, r.nicVerbs()...)
	app.Commands = append(app.Commands, r.benchNetworkCommand())
	app.Commands = append(app.Commands, r.completionCommand(), r.helpCommand(app))
	for _, c := range app.Commands {
		c.Flags = append(c.Flags, r.commonFlags()...)
		c.Before = r.setUp
		c.OnUsageError = r.usageError
		c.HideHelpCommand = true
		c.Action = r.helpOr(c.Action)
	}
	app.Action = func(c *cli.Context) error {
		switch {
		case r.version:
			return r.showVersion(c.Context)
		case c.NArg() == 0:
			return r.showHelp(c)
		}
		var names []string
		for _, k := range c.App.VisibleCommands() {
			names = append(names, k.Name)
		}
		return usagef("unknown command %q%s, allowed: %s", c.Args().First(), nearest(c.Args().First(), names), strings.Join(names, ", "))
	}
	return app
}

// nearest returns ", nearest: x", or "" if no name is close.
func nearest(s string, names []string) string {
	if n := gen.Nearest(s, names); n != "" {
		return ", nearest: " + n
	}
	return ""
}

// usageError rewrites the flag package's messages: with two dashes, the
// nearest flag, and where to look.
func (r *runner) usageError(c *cli.Context, err error, _ bool) error {
	help := "nicgen --help"
	flags := c.App.Flags
	if c.Command != nil && c.Command.Name != "" && c.Command.Name != c.App.Name {
		help = "nicgen " + c.Command.Name + " --help"
		flags = c.Command.Flags
	}
	msg := err.Error()
	if name, ok := strings.CutPrefix(msg, "flag provided but not defined: -"); ok {
		name = strings.TrimPrefix(name, "-")
		var names []string
		for _, f := range flags {
			names = append(names, f.Names()[0])
		}
		near := gen.Nearest(name, names)
		if near != "" {
			near = ", nearest: --" + near
		}
		return usagef("unknown flag --%s%s; `%s` lists all", name, near, help)
	}
	if name, ok := strings.CutPrefix(msg, "flag needs an argument: -"); ok {
		if strings.TrimPrefix(name, "-") == "json" {
			return usagef("--json: found no value, %s", jsonForm(c.Command))
		}
		return usagef("flag --%s needs a value; `%s` describes it", strings.TrimPrefix(name, "-"), help)
	}
	if text := wrongValue(msg, flags); text != "" {
		msg = text
	}
	return usagef("%s; `%s` describes the flags", msg, help)
}

// verb joins a command and its verb into the name of one command, such as "nic replay", wherever
// the verb is among the flags.
func verb(app *cli.App, args []string) []string {
	for i := 1; i < len(args); i++ {
		if strings.HasPrefix(args[i], "-") {
			if args[i] == "--" {
				return args
			}
			continue
		}
		for k := i + 1; k < len(args) && args[k] != "--"; k++ {
			if name := args[i] + " " + args[k]; app.Command(name) != nil {
				return slices.Concat(args[:i], []string{name}, args[i+1:k], args[k+1:])
			}
		}
		return args
	}
	return args
}

// permute moves the flags of a command before its other arguments, because the
// flag package stops at the first argument that is not a flag.
func permute(app *cli.App, args []string) []string {
	args = verb(app, args)
	start, flags := -1, app.Flags
	var command *cli.Command
	for i := 1; i < len(args) && command == nil; i++ {
		if args[i] == "--" {
			return args
		}
		if strings.HasPrefix(args[i], "-") {
			continue // the program's own flags take no values
		}
		if command = app.Command(args[i]); command == nil {
			return args
		}
		start, flags = i+1, command.Flags
	}
	if command == nil || command.SkipFlagParsing {
		return args
	}
	takes := map[string]bool{}
	for _, f := range flags {
		d, ok := f.(cli.DocGenerationFlag)
		value := ok && d.TakesValue()
		for _, n := range f.Names() {
			takes[n] = value
		}
	}
	var front, back []string
	for i := start; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			back = append(back, args[i:]...)
			i = len(args)
		case a == "-" || !strings.HasPrefix(a, "-"):
			back = append(back, a)
		default:
			front = append(front, a)
			name := strings.TrimLeft(a, "-")
			if takes[name] && i+1 == len(args) {
				back = nil // the flag lacks its value and must not take the next argument instead
			} else if takes[name] {
				i++
				front = append(front, args[i])
			}
		}
	}
	return append(append(append([]string{}, args[:start]...), front...), back...)
}

// noArguments returns an error if a command that takes only flags gets arguments.
func noArguments(c *cli.Context) error {
	if c.NArg() > 0 {
		return usagef("%s: unexpected argument %q; `nicgen %s --help` describes the command", c.Command.Name, c.Args().First(), c.Command.Name)
	}
	return nil
}

// plural returns "1 file" or "2 files".
func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// oneArgument returns the only argument of a command.
func oneArgument(c *cli.Context, what string) (string, error) {
	if c.NArg() != 1 {
		return "", usagef("%s: %s, want one: %s; `nicgen %s --help` describes the command", c.Command.Name, plural(c.NArg(), "argument"), what, c.Command.Name)
	}
	return c.Args().First(), nil
}
