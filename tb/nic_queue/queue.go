// SPDX-License-Identifier: Apache-2.0

package nicqueue

// word is a word in a queue, with the cycle from which on it shows.
type word[T any] struct {
	value T
	from  uint64
}

// queue is nic_lib_fifo_lut: a word shows in the cycle after it came, and there is room unless
// depth words are in it when a cycle begins.
type queue[T any] struct {
	depth int
	words []word[T]
}

func (q *queue[T]) room() bool { return len(q.words) < q.depth }

func (q *queue[T]) push(cycle uint64, value T) {
	q.words = append(q.words, word[T]{value, cycle + 1})
}

func (q *queue[T]) any(cycle uint64) bool { return len(q.words) > 0 && q.words[0].from <= cycle }

func (q *queue[T]) pop() T {
	w := q.words[0]
	q.words = q.words[1:]
	return w.value
}
