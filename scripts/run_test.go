// SPDX-License-Identifier: Apache-2.0

package scripts

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The tour writes the files of the closed loops to the report. Its summary says that
// every window was equal, and has the short tables: those of the incast and the outage.
func TestRunClosedLoop(t *testing.T) {
	b := bench{t.TempDir()}
	b.put(t, note+`[ "$1" = sim ] || exit 0
if [ "$2" = outage ]; then
  echo "7 packets, 8 ACKs, 9 probe answers: every output of every cycle equal in rtl and golden"
  echo "  β′  detection delay, µs  segments sent after detection"
  echo "   1                 18.0                      8 of 2450"
  exit
fi
echo "$2: windows by rtl"
echo "12 acknowledgements: every window equal in rtl and golden"
echo "   algorithm  peak queue, KB  for $2"
echo "  θ-PowerTCP           313.0  in $2"`, "nicgen")
	for _, name := range []string{"mkdir", "tee"} {
		real, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		b.put(t, `exec `+real+` "$@"`, name)
	}
	code, out, calls := b.run(t, "run.sh", filepath.Join(b.dir, "nicgen"), filepath.Join(b.dir, "out"))
	const want = `PowerTCP: closed loop, incast
  12 acknowledgements: every window equal in rtl and golden
     algorithm  peak queue, KB  for incast
    θ-PowerTCP           313.0  in incast
PowerTCP: closed loop, fairness
  12 acknowledgements: every window equal in rtl and golden
LAPS: closed loop, outage
  7 packets, 8 ACKs, 9 probe answers: every output of every cycle equal in rtl and golden
    β′  detection delay, µs  segments sent after detection
     1                 18.0                      8 of 2450
Every unit: synthesis
`
	if _, summary, _ := strings.Cut(out, "\n== Summary\n\n"); code != 0 || !strings.Contains(summary, want) {
		t.Errorf("exit code %d, summary:\n%s\nwant in it:\n%s", code, summary, want)
	}
	for _, x := range [][3]string{{"powertcp", "incast"}, {"powertcp", "fairness"}, {"laps", "outage", " --beta 4"}} {
		name := x[1]
		file := filepath.Join(b.dir, "out", "report", x[0]+"-"+name)
		if call := "nicgen sim " + name + " --svg " + file + ".svg --csv " + file + ".csv --json " + file + ".json" + x[2] + "\n"; !strings.Contains(calls, call) {
			t.Errorf("%q is not among the calls:\n%s", call, calls)
		}
	}
}
