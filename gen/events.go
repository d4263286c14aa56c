// SPDX-License-Identifier: Apache-2.0

package gen

// Event says of an input stream what its ports do not.
type Event struct {
	// Name is that of the stream: "send" for s_send_valid.
	Name string
	// Answer is the output stream that has one answer for each transfer of the input, in the
	// same order: "ev" for m_ev_valid. Empty: there is none.
	Answer string
	// Only are fields of the answer that say something only if another field of it is set, and
	// are 0 otherwise: "conn": "hit".
	Only map[string]string
	// Rare are fields that most callers leave at 0.
	Rare []string
	// Flags are fields of the stream whose names end in valid, though they are no streams of
	// their own: "rtt_valid" for s_ack_rtt_valid.
	Flags []string
	// Beats is the field that says how many transfers the event takes, at least one, each with
	// the next of the values of the fields in Each; the others are the same in all. With the
	// field One set it is one. An answer is to the last transfer. Empty: one transfer.
	Beats string
	Each  []string
	One   string
}

// Eventful is a Config with a table of events. Streams that it does not name have no answers
// of their own and no rare fields.
type Eventful interface {
	Config
	Events() []Event
}

// Events is that of an Eventful; none of another unit.
func Events(cfg Config) []Event {
	if c, ok := cfg.(Eventful); ok {
		return c.Events()
	}
	return nil
}
