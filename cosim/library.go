// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"fmt"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/nicgen/nicgen/cosim/icarus"
	"github.com/nicgen/nicgen/internal/tool"
)

// Library is a compiled design in this process. Its methods may be called from
// several goroutines.
type Library struct {
	layout *Layout
	src    Source
	notes  []string

	handle                                               uintptr
	fnNew, fnFree, fnRun, fnPeek, fnBench, fnErr, fnText uintptr
	fnTrace, fnCov                                       uintptr
	state                                                stateAccess
	program                                              string // of Icarus Verilog, in place of all that

	mu   sync.Mutex
	refs int // one for the library itself, one for each instance
	shut bool
}

func load(path string, layout *Layout) (*Library, error) {
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, &tool.Failed{Name: "loading the compiled model", Err: err}
	}
	l := &Library{layout: layout, handle: handle, refs: 1}
	for _, f := range []struct {
		name string
		to   *uintptr
	}{
		{"m_new", &l.fnNew}, {"m_free", &l.fnFree}, {"m_run", &l.fnRun}, {"m_peek", &l.fnPeek}, {"m_bench", &l.fnBench},
		{"m_err", &l.fnErr}, {"m_text", &l.fnText}, {"m_trace", &l.fnTrace}, {"m_cov", &l.fnCov},
	} {
		if *f.to, err = purego.Dlsym(handle, f.name); err != nil {
			_ = purego.Dlclose(handle)
			return nil, &tool.Failed{Name: "loading the compiled model", Err: err}
		}
	}
	return l, nil
}

// Source is the design that the library was made of.
func (l *Library) Source() Source { return l.src }

// Layout is the place of every port in an input or output vector.
func (l *Library) Layout() *Layout { return l.layout }

// Notes returns messages about the build of this library, such as a damaged cache entry
// that was rebuilt.
func (l *Library) Notes() []string { return l.notes }

// Close unloads the library once its last instance is closed as well.
func (l *Library) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shut {
		return nil
	}
	l.shut = true
	return l.release()
}

func (l *Library) release() error {
	if l.refs--; l.refs > 0 {
		return nil
	}
	if l.program != "" {
		return nil
	}
	return purego.Dlclose(l.handle)
}

// InstanceOptions are the circumstances of one instance.
type InstanceOptions struct {
	Seed uint64 // of the random values that registers and memories have at power-up
}

// Instance is one simulated device. It must not be used by two goroutines at
// the same time; different instances are independent of each other.
type Instance struct {
	lib   *Library
	model uintptr
	err   error // why it ended

	process *icarus.Process // in place of the model
	unknown []uint64        // of the last Run, with which bits the process does not know
	cycles  uint64          // that the process completed
	closed  bool            // the process was ended
}

// New powers up an instance. A design that ends at once, such as one whose
// $readmemh file is missing, gives a *SimError.
func (l *Library) New(o InstanceOptions) (*Instance, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shut {
		return nil, fmt.Errorf("module %s: the library is closed", l.src.Top)
	}
	if l.program != "" {
		p, err := icarus.Start(l.program, l.layout.OutWords)
		if err != nil {
			return nil, err
		}
		l.refs++
		return &Instance{lib: l, process: p}, nil
	}
	model, _, _ := purego.SyscallN(l.fnNew, uintptr(o.Seed))
	if model == 0 {
		return nil, fmt.Errorf("module %s: no memory for an instance", l.src.Top)
	}
	i := &Instance{lib: l, model: model}
	l.refs++
	if e := i.ended(); e != nil {
		purego.SyscallN(l.fnFree, model)
		l.refs--
		return nil, e
	}
	return i, nil
}

// Close frees the instance and finishes its waveform file. It may be called
// twice.
func (i *Instance) Close() error {
	switch {
	case i.process != nil && !i.closed:
		i.closed = true
		if err := i.process.Close(); err != nil {
			return err
		}
	case i.model != 0:
		purego.SyscallN(i.lib.fnFree, i.model)
		i.model = 0
	default:
		return nil
	}
	i.lib.mu.Lock()
	defer i.lib.mu.Unlock()
	return i.lib.release()
}

func (i *Instance) usable() error {
	if i.model == 0 && (i.process == nil || i.closed) {
		return fmt.Errorf("module %s: the instance is closed", i.lib.src.Top)
	}
	return i.err
}

// Run clocks the instance once for every input vector in in and writes the outputs of these
// cycles to out: in holds n × Layout.InWords words and out n × Layout.OutWords. Outputs are
// sampled before the clock edge: registered ones show the edges of earlier cycles,
// combinational ones follow the inputs of their cycle.
//
// It returns how many cycles were completed. That is less than n only with a
// *SimError, which every later call returns again; the outputs of the cycle in
// which the device ended may be incomplete.
func (i *Instance) Run(in, out []uint64) (cycles int, err error) {
	if err := i.usable(); err != nil {
		return 0, err
	}
	iw, ow := i.lib.layout.InWords, i.lib.layout.OutWords
	n := 0
	switch {
	case iw > 0:
		n = len(in) / iw
	case ow > 0:
		n = len(out) / ow
	}
	if len(in) != n*iw || len(out) != n*ow {
		return 0, fmt.Errorf("module %s: %d input and %d output words, want %d and %d for each cycle", i.lib.src.Top, len(in), len(out), iw, ow)
	}
	if n == 0 {
		return 0, nil
	}
	if i.process != nil {
		return i.runProcess(in, out, n)
	}
	// The conversions are in the call itself, so that the vectors are not moved during it.
	var done uintptr
	switch {
	case iw == 0:
		done, _, _ = purego.SyscallN(i.lib.fnRun, i.model, 0, uintptr(unsafe.Pointer(&out[0])), uintptr(n))
	case ow == 0:
		done, _, _ = purego.SyscallN(i.lib.fnRun, i.model, uintptr(unsafe.Pointer(&in[0])), 0, uintptr(n))
	default:
		done, _, _ = purego.SyscallN(i.lib.fnRun, i.model, uintptr(unsafe.Pointer(&in[0])), uintptr(unsafe.Pointer(&out[0])), uintptr(n))
	}
	if int(done) < n {
		i.err = i.ended()
	}
	return int(done), i.err
}

// peek applies inputs without a clock edge and samples the outputs.
func (i *Instance) peek(in, out []uint64) error {
	if err := i.usable(); err != nil {
		return err
	}
	if i.process != nil {
		return fmt.Errorf("module %s: Icarus Verilog samples outputs with a clock edge only", i.lib.src.Top)
	}
	if len(in) == 0 {
		in = make([]uint64, 1)
	}
	if len(out) == 0 {
		out = make([]uint64, 1)
	}
	ok, _, _ := purego.SyscallN(i.lib.fnPeek, i.model, uintptr(unsafe.Pointer(&in[0])), uintptr(unsafe.Pointer(&out[0])))
	if ok == 0 {
		i.err = i.ended()
	}
	return i.err
}

// SimError is the reason why a simulated device ended: $finish, $stop, $error, $fatal, a
// failed assertion, a violated unique case, a memory file that is missing, or logic that
// does not settle.
type SimError struct {
	Kind    string // "finish", "error", "fatal" or "warning"
	Cycle   uint64 // in which it ended, from 0
	File    string // source file, if known
	Line    int
	Message string
	Log     string // everything that the design printed
}

// Error is "file:line: message (cycle n)".
func (e *SimError) Error() string {
	where := ""
	if e.File != "" {
		where = fmt.Sprintf("%s:%d: ", e.File, e.Line)
	}
	return fmt.Sprintf("%s%s (cycle %d)", where, e.Message, e.Cycle)
}

var kinds = [...]string{1: "finish", 2: "error", 3: "fatal", 4: "warning"}

func (i *Instance) text() (num [6]uint64, file, message, log string) {
	purego.SyscallN(i.lib.fnErr, i.model, uintptr(unsafe.Pointer(&num[0])))
	buf := make([]byte, num[3]+num[4]+num[5]+1)
	purego.SyscallN(i.lib.fnText, i.model, uintptr(unsafe.Pointer(&buf[0])))
	s := string(buf[:len(buf)-1])
	return num, s[:num[3]], s[num[3] : num[3]+num[4]], s[num[3]+num[4]:]
}

// ended returns the *SimError of a model that has ended, or nil.
func (i *Instance) ended() error {
	num, file, message, log := i.text()
	if num[0] == 0 {
		return nil
	}
	e := &SimError{Kind: kinds[num[0]], Cycle: num[1], File: file, Line: int(num[2]), Log: log}
	e.Message = strings.TrimSpace(message)
	if e.Kind == "error" {
		// "[time] %Error: file:line: text": only the text is news.
		at := max(strings.LastIndex(message, "%Error: "), strings.LastIndex(message, "%Fatal: "))
		if at >= 0 {
			m := message[at+len("%Error: "):]
			m = strings.TrimPrefix(m, fmt.Sprintf("%s:%d: ", e.File, e.Line))
			e.Message = strings.TrimSpace(m)
		} else {
			e.Message = "$stop"
		}
	}
	return e
}

// Log returns what the design has printed so far, up to a mebibyte.
func (i *Instance) Log() string {
	if i.process != nil {
		return i.process.Log()
	}
	if i.model == 0 {
		return ""
	}
	_, _, _, log := i.text()
	return log
}

// Trace starts writing a waveform to a file, in the format that the library was
// built for; an empty name ends it. A cycle takes ten nanoseconds of it.
func (i *Instance) Trace(file string) error {
	if i.process != nil {
		return fmt.Errorf("waveform %s: the model was built without tracing", file)
	}
	if i.model == 0 {
		return i.usable()
	}
	b := append([]byte(file), 0)
	r, _, _ := purego.SyscallN(i.lib.fnTrace, i.model, uintptr(unsafe.Pointer(&b[0])))
	switch r {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("waveform %s: cannot be written", file)
	}
	return fmt.Errorf("waveform %s: the model was built without tracing", file)
}

// WriteCoverage writes the simulator's line counters to a file that
// verilator_coverage reads.
func (i *Instance) WriteCoverage(file string) error {
	if i.process != nil {
		return fmt.Errorf("coverage %s: the model was built without line coverage", file)
	}
	if i.model == 0 {
		return i.usable()
	}
	b := append([]byte(file), 0)
	if r, _, _ := purego.SyscallN(i.lib.fnCov, i.model, uintptr(unsafe.Pointer(&b[0]))); r != 0 {
		return fmt.Errorf("coverage %s: the model was built without line coverage", file)
	}
	return nil
}
