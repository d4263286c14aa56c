// SPDX-License-Identifier: Apache-2.0

package pair

// span calls a function for each sample of a time, with its end included.
func (r *Result) span(from, to uint64, do func(s *Sample)) {
	for i := range r.Samples {
		if s := &r.Samples[i]; s.At > from && s.At <= to {
			do(s)
		}
	}
}

// Share is the part of the bytes from host 0 that went onto a path in a time; 0 if there were none.
func (r *Result) Share(path int, from, to uint64) float64 {
	var all, own uint64
	r.span(from, to, func(s *Sample) {
		for p, b := range s.Sent {
			all += b
			if p == path {
				own += b
			}
		}
	})
	if all == 0 {
		return 0
	}
	return float64(own) / float64(all)
}

// Latency is the mean time that frames of host 0 took by a path, from NIC to NIC, of those that came in a time, in ns;
// 0 if there were none.
func (r *Result) Latency(path int, from, to uint64) float64 {
	sum, n := 0.0, uint64(0)
	r.span(from, to, func(s *Sample) {
		sum += s.Late[path]
		n += s.Landed[path]
	})
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// Goodput is the payload that came in a time, of all flows, in Gb/s.
func (r *Result) Goodput(from, to uint64) float64 {
	var sum uint64
	r.span(from, to, func(s *Sample) {
		for _, b := range s.Bytes {
			sum += b
		}
	})
	if to <= from {
		return 0
	}
	return float64(sum) * 8 / float64(to-from)
}

// MeanQueue is the mean of the samples of the queue before a path in a time, in bytes.
func (r *Result) MeanQueue(path int, from, to uint64) float64 {
	sum, n := 0.0, 0
	r.span(from, to, func(s *Sample) {
		sum += float64(s.Queue[path])
		n++
	})
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// Peak is the longest queue before a path in the samples of a time, in bytes, and when it was.
func (r *Result) Peak(path int, from, to uint64) (bytes, at uint64) {
	r.span(from, to, func(s *Sample) {
		if q := s.Queue[path]; q > bytes {
			bytes, at = q, s.At
		}
	})
	return bytes, at
}

// Below returns the first sample from which the queue before a path stays below limit bytes until the
// end of the time range. ok is false if there is no such sample.
func (r *Result) Below(path int, limit, from, to uint64) (at uint64, ok bool) {
	r.span(from, to, func(s *Sample) {
		switch {
		case s.Queue[path] >= limit:
			ok = false
		case !ok:
			at, ok = s.At, true
		}
	})
	return at, ok
}
