// SPDX-License-Identifier: Apache-2.0

package dcsimsource

// timed is a queue whose words show some cycles after they came.
type timed[T any] struct {
	delay uint64
	words []T
	from  []uint64 // the cycle from which on each shows
}

func (q *timed[T]) push(cycle uint64, word T) {
	q.words = append(q.words, word)
	q.from = append(q.from, cycle+q.delay)
}

// head is the oldest word, if it shows.
func (q *timed[T]) head(cycle uint64) (word T, ok bool) {
	if len(q.words) == 0 || q.from[0] > cycle {
		return word, false
	}
	return q.words[0], true
}

func (q *timed[T]) pop() { q.words, q.from = q.words[1:], q.from[1:] }

// take is the head, taken out.
func (q *timed[T]) take(cycle uint64) (word T, ok bool) {
	if word, ok = q.head(cycle); ok {
		q.pop()
	}
	return word, ok
}

func (q *timed[T]) len() int { return len(q.words) }
