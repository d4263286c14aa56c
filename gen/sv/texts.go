// SPDX-License-Identifier: Apache-2.0

package sv

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"strings"
	"sync"
	"text/template"

	"github.com/nicgen/nicgen/gen"
)

// Texts are the templates of a unit's modules: carry.sv.tmpl is the template of the module
// <top>_carry, and the one with the unit's name is the template of the top module. {{bits .Width}}
// is the range of a vector of that width.
type Texts struct {
	parse func() (*template.Template, error)
}

// NewTexts reads the templates in a folder, when they are first needed.
func NewTexts(folder fs.FS) Texts {
	return Texts{sync.OnceValues(func() (*template.Template, error) {
		return template.New("").Funcs(functions).Option("missingkey=error").ParseFS(folder, "*.sv.tmpl")
	})}
}

// functions are the functions that templates may call in addition to the language's.
var functions = template.FuncMap{
	"bits": func(n any) string { return fmt.Sprintf("[%d:0]", reflect.ValueOf(n).Int()-1) }, // of a vector of n bits
}

// Modules fills in the templates of some modules, in order. In addition to values, a template may
// use Header and Checks of the top module. It is an error if a template uses a missing value.
func (t Texts) Modules(cfg gen.Config, values map[string]any, names ...string) ([]gen.File, error) {
	source, err := t.parse()
	if err != nil {
		return nil, err
	}
	all := map[string]any{"Header": Header(cfg), "Checks": strings.TrimRight(Checks(cfg), "\n")}
	maps.Copy(all, values)
	var files []gen.File
	for _, name := range names {
		file := cfg.Top() + "_" + name + ".sv"
		if name == cfg.Unit() {
			file = cfg.Top() + ".sv"
		}
		var b bytes.Buffer
		if err := source.ExecuteTemplate(&b, name+".sv.tmpl", all); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		files = append(files, gen.File{Name: file, Text: b.String()})
	}
	return files, nil
}
