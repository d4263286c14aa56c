// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress shows the progress of a long task: a bar on a terminal, occasional lines
// elsewhere, nothing with --quiet. Work that takes less than a second shows nothing. Its
// methods may be called from several goroutines.
type progress struct {
	r    *runner
	what string // "cosim reps"
	unit string // "cycles"; empty if nothing is counted

	mu    sync.Mutex
	start time.Time
	next  time.Time // of the next line
	done  map[int]uint64
	total map[int]uint64
	shown uint64    // done when the last line was written
	since time.Time // when that was
	bar   *progressbar.ProgressBar
	stop  chan struct{}
	ended sync.WaitGroup
}

// progress begins to show work.
func (r *runner) progress(what, unit string) *progress {
	p := &progress{r: r, what: what, unit: unit, start: time.Now(),
		done: map[int]uint64{}, total: map[int]uint64{}, stop: make(chan struct{})}
	p.next, p.since = p.start.Add(time.Second), p.start
	if r.quiet {
		return p
	}
	// Time passes even if nothing reports, as in a compiler or in Yosys.
	p.ended.Add(1)
	go func() {
		defer p.ended.Done()
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-p.stop:
				return
			case <-tick.C:
				p.mu.Lock()
				p.show()
				p.mu.Unlock()
			}
		}
	}()
	return p
}

// set reports the progress of one of several parts of the work.
func (p *progress) set(part int, done, total uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done[part], p.total[part] = done, total
}

// show draws; the caller holds p.mu.
func (p *progress) show() {
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	var done, total uint64
	for k := range p.total {
		done += p.done[k]
		total += p.total[k]
	}
	elapsed := now.Sub(p.start)
	if !terminal(p.r.env.Stderr) {
		// Lines become less frequent the longer it takes.
		p.next = now.Add(max(time.Second, elapsed/8))
		if total == 0 {
			p.r.log.Infof("%s: %d s", p.what, int(elapsed.Seconds()))
			return
		}
		// The rate is counted from the last line, because earlier work may come from a previous
		// run.
		rate := float64(done-min(done, p.shown)) / now.Sub(p.since).Seconds()
		p.shown, p.since = done, now
		p.r.log.Infof("%s: %d of %d %s (%d %%), %d s, %.3g a second", p.what, done, total, p.unit, 100*done/total, int(elapsed.Seconds()), rate)
		return
	}
	if p.bar == nil {
		size := int64(-1)
		if total > 0 {
			size = int64(total)
		}
		p.bar = progressbar.NewOptions64(size,
			progressbar.OptionSetWriter(p.r.env.Stderr),
			progressbar.OptionSetDescription(p.what),
			progressbar.OptionEnableColorCodes(p.r.color(p.r.env.Stderr)),
			progressbar.OptionSetWidth(30),
			progressbar.OptionShowCount(),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSetElapsedTime(true))
	}
	if total > 0 {
		p.bar.ChangeMax64(int64(total))
	}
	// A drawing error must not stop the work.
	_ = p.bar.Set64(int64(done))
}

// close ends the display and logs the time it took.
func (p *progress) close() {
	if !p.r.quiet {
		close(p.stop)
		p.ended.Wait()
	}
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	p.r.log.Debug(fmt.Sprintf("%s: %.1f s", p.what, time.Since(p.start).Seconds()))
}
