// SPDX-License-Identifier: Apache-2.0

package powertcp

// PaperTheta is the float64 model of one connection under Algorithm 2.
type PaperTheta struct {
	Settings PaperSettings
	State    PaperState
}

// NewPaperTheta returns a connection that has seen no acknowledgement. It
// refuses settings that Check refuses.
func NewPaperTheta(s PaperSettings) (*PaperTheta, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	return &PaperTheta{s, PaperStart(s)}, nil
}

// Ack takes one acknowledgement; see PaperThetaStep.
func (p *PaperTheta) Ack(a PaperAck) (r PaperResult) {
	p.State, r = PaperThetaStep(p.State, a, p.Settings)
	return r
}
