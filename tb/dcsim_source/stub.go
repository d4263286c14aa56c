package dcsimsource

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_source"
)

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) { return nil, nil }
func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) { return nil, nil }
func points(p *params.Params) []cosim.Point { return nil }
