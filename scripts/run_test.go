// SPDX-License-Identifier: Apache-2.0

package scripts

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tour is the part of a fake nicgen that lists the demonstrations of units: two recordings and
// three networks. The summary has table lines for two of the networks.
const tour = `if [ "$1" = list ]; then
  printf 'One: closed loop, outage\tsim outage --svg REPORT/one.svg --json REPORT/one.json --beta 4\t β |[0-9] of [0-9]\n'
  printf 'Two: recorded traffic, symmetric\tcosim --trace symmetric\t\n'
  printf 'Two: recorded traffic, failures\tcosim --trace failures --json REPORT/f.json\t\n'
  printf 'Two: closed loop, incast\tsim incast --svg REPORT/two.svg\t algorithm .* queue, |θ-\n'
  printf 'Two: closed loop, fairness\tsim fairness\t\n'
  exit
fi
`

// The tour has the steps of single units, with their files in the folder of reports: recorded
// traffic before random events, networks after these. Its summary has the results and the
// lines of tables that a unit chose.
func TestRunOwn(t *testing.T) {
	b := bench{t.TempDir()}
	b.put(t, tour+note+`[ "$1" = cosim ] && echo "PASS $3"
if [ "$2" = replay ]; then
  echo "RTL equals golden model: all bytes"
  echo "                 in  out  edited"
  echo "   tx request  1121  1121    1115"
  echo "times"
fi
[ "$1" = sim ] || exit 0
if [ "$2" = outage ]; then
  echo "7 packets, 8 ACKs, 9 probe answers: every output of every cycle equal in rtl and golden"
  echo "   β  detection delay, µs  segments sent after detection"
  echo "   1                 18.0                      8 of 2450"
  exit
fi
echo "$2: windows by rtl"
echo "12 acknowledgements: every window equal in rtl and golden"
echo "   algorithm  peak queue, KB  for $2"
echo "       θ-one           313.0  in $2"`, "nicgen")
	for _, name := range []string{"mkdir", "rm", "tee"} {
		real, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		b.put(t, `exec `+real+` "$@"`, name)
	}
	code, out, calls := b.run(t, "run.sh", filepath.Join(b.dir, "nicgen"), filepath.Join(b.dir, "out"))
	const want = `Two: recorded traffic, symmetric
  PASS symmetric
Two: recorded traffic, failures
  PASS failures
Every unit: a million cycles of random events
  PASS 1000000
NIC: a capture through nic_transport
  RTL equals golden model: all bytes
                   in  out  edited
     tx request  1121  1121    1115
One: closed loop, outage
  7 packets, 8 ACKs, 9 probe answers: every output of every cycle equal in rtl and golden
     β  detection delay, µs  segments sent after detection
     1                 18.0                      8 of 2450
Two: closed loop, incast
  12 acknowledgements: every window equal in rtl and golden
     algorithm  peak queue, KB  for incast
         θ-one           313.0  in incast
Two: closed loop, fairness
  12 acknowledgements: every window equal in rtl and golden
Every unit: synthesis
`
	if _, summary, _ := strings.Cut(out, "\n== Summary\n\n"); code != 0 || !strings.Contains(summary, want) {
		t.Errorf("exit code %d, summary:\n%s\nwant in it:\n%s", code, summary, want)
	}
	folder := filepath.Join(b.dir, "out", "report")
	if call := "nicgen sim outage --svg " + folder + "/one.svg --json " + folder + "/one.json --beta 4\n"; !strings.Contains(calls, call) {
		t.Errorf("%q is not among the calls:\n%s", call, calls)
	}
}
