package reps
import "github.com/nicgen/nicgen/gen"
func (p *Params) Ports() []gen.Port { return nil }
func (p *Params) Files() ([]gen.File, error) { return nil, nil }
func (p *Params) Notes() string { return "" }
