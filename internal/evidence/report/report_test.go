// SPDX-License-Identifier: Apache-2.0

package report_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/internal/evidence/due"
	"github.com/nicgen/nicgen/internal/evidence/report"
	"github.com/nicgen/nicgen/internal/evidence/section"
	"github.com/nicgen/nicgen/internal/evidence/table"
	"github.com/nicgen/nicgen/papers/figures"
	"github.com/nicgen/nicgen/registry"
	markrun "github.com/nicgen/nicgen/starter/module/tb/mark_run"
)

func gather(docs fs.FS) (*report.Page, error) {
	again, err := due.Read(docs)
	if err != nil {
		return nil, err
	}
	return report.Gather(docs, registry.With(), again)
}

// gathered returns the report on the repository's own results.
func gathered(t *testing.T) (*report.Page, string) {
	t.Helper()
	p, err := gather(os.DirFS("../../../docs"))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := p.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return p, b.String()
}

// unmeasured are cells of the overview for which the repository has no results, one
// "unit, column" each: the test says when one is lost, and when one has come.
var unmeasured = []string{
	"nic_transport, Resources", "nic_transport, Estimated path", // its parts have them
	"nic_transport, Lines", "nic_transport, Netlist", "nic_transport, Simulators",
}

// unsettled are findings of the repository's results that are known and not settled
// yet: the test says when one is, or when there is another.
var unsettled = []string(nil)

// The page is complete, the same each time, and asks for nothing from elsewhere.
func TestComplete(t *testing.T) {
	p, html := gathered(t)
	for _, s := range p.Sections {
		if !s.Filled() {
			t.Errorf("section %s has no content", s.ID)
		}
	}
	var none, bad []string
	for _, row := range p.Overview.Rows {
		if len(row) != len(p.Overview.Head) {
			t.Errorf("%s: %d cells, want %d", row[0].Text, len(row), len(p.Overview.Head))
		}
		for i, c := range row {
			// A separate network has only the parts that affect a sender.
			if c.Kind == table.Absent && p.Overview.Head[i] != "Network" {
				none = append(none, row[0].Text+", "+p.Overview.Head[i])
			}
			if c.Kind == table.Bad {
				bad = append(bad, row[0].Text+", "+p.Overview.Head[i])
			}
		}
	}
	if d := cmp.Diff(unmeasured, none); d != "" {
		t.Errorf("cells of the overview without a result (-want +got)\n%s", d)
	}
	if first := p.Overview.Rows[0][0].Text; first != "nic_transport" {
		t.Errorf("the overview begins with %s, want the block nic_transport", first)
	}
	// Every figure has a row, and those that differ have the reason.
	if len(p.Papers.Rows) != len(figures.All) {
		t.Errorf("%d figures of papers, want %d", len(p.Papers.Rows), len(figures.All))
	}
	for _, row := range p.Papers.Rows {
		if differs := row[2].Kind == table.Differs; differs == (row[3].Text == "") || !differs && row[2].Kind != table.Good {
			t.Errorf("%s: %s (%s), with the reason %q: want a reason for what differs, and none for what does not", row[0].Text, row[2].Text, row[2].Kind, row[3].Text)
		}
	}
	if d := cmp.Diff(unsettled, bad); d != "" {
		t.Errorf("findings in the overview (-want +got)\n%s", d)
	}
	if _, again := gathered(t); again != html {
		t.Error("two reports on the same results differ")
	}
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		if x := m[1]; !strings.HasPrefix(x, "#") && !strings.HasPrefix(x, "data:") && !strings.HasPrefix(x, "https://") {
			t.Errorf("the page refers to %.80s", x)
		}
	}
	if strings.Contains(html, "<script") || regexp.MustCompile(`src="https?:`).MatchString(html) {
		t.Error("the page loads something")
	}
}

// A folder without results gives a page that reports this; a broken result is named.
func TestGather(t *testing.T) {
	p, err := gather(fstest.MapFS{})
	if err != nil || len(p.Missing()) != len(p.Shown()) || len(p.Missing()) == 0 {
		t.Errorf("of no results: %v, %v", p.Missing(), err)
	}
	for name, text := range map[string]string{
		"data/reps.json": "{", "data/soak/reps.json": `{"events": "many"}`, "data/fuzz.json": "[]", "data/netlist/reps.json": `[{"events": -1}]`,
	} {
		if _, err := gather(fstest.MapFS{name: {Data: []byte(text)}}); err == nil || !strings.Contains(err.Error(), "docs/"+name) {
			t.Errorf("%s is %s: error %v", name, text, err)
		}
	}
	p, err = gather(fstest.MapFS{"data/soak/reps.json": {Data: []byte(`{"events": 7, "configurations": [{}]}`)}, "data/due.json": {Data: []byte(`{"reps": ["soak"]}`)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Sections {
		if s.ID == "soak" != strings.Contains(s.Due, "reps (`make soak`)") {
			t.Errorf("section %s says %q about reps, whose soak alone is due", s.ID, s.Due)
		}
	}
	column := slices.Index(p.Overview.Head, "Soak")
	for _, row := range p.Overview.Rows {
		if c := row[column]; row[0].Text == "reps" && (c.Kind != table.Due || c.Text != "7 events\u00a0†") {
			t.Errorf("the soak of reps is %+v", c)
		}
	}
	bad := fstest.MapFS{"units/reps_loop.md": {Data: []byte("# Loop\n\n![x](gone.svg)\n")}}
	if _, err := gather(bad); err == nil || !strings.Contains(err.Error(), "gone.svg") {
		t.Errorf("a page with a lost picture: %v", err)
	}
	good := fstest.MapFS{"units/reps_loop.md": {Data: []byte("<!-- mark -->\n# Loop <b>\n\n[page](reps.md), `<i>`\n\n| a |\n|---|\n| <script>alert(1)</script> |\n\n![x](x.svg)\n")},
		"units/x.svg": {Data: []byte("<svg/>")}}
	p, err = gather(good)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := p.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<td>alert(1)</td>", `src="data:image/svg+xml;base64,PHN2Zy8+"`, "<code>&lt;i&gt;</code>", "page,"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in the page", want)
		}
	}
}

// A module from outside has a report on its own units, without papers, and with a run for each kind of
// evidence that does not exist yet.
func TestOutside(t *testing.T) {
	docs := fstest.MapFS{"data/soak/mark_run.json": {Data: []byte(`{"events": 7, "configurations": [{}]}`)},
		"units/mark_run_evidence.md": {Data: []byte("# E\n\n<!-- nicgen:begin written planted -->\n## Bugs\n\n" + section.Unmeasured("x") + "<!-- nicgen:end -->\n")}}
	p, err := report.Gather(docs, registry.With(markrun.Entry), due.List{"mark_run": {"soak"}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := p.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if len(p.Units) != 1 || len(p.Overview.Rows) != 1 || len(p.Imported) != len(registry.With()) {
		t.Errorf("units %v, imported %v, %d rows", p.Units, p.Imported, len(p.Overview.Rows))
	}
	for _, s := range p.Shown() {
		if !strings.HasPrefix(s.Command, "go run . ") || s.Filled() != (s.ID == "soak") {
			t.Errorf("section %s, made by %q, has content: %t", s.ID, s.Command, s.Filled())
		}
	}
	for _, want := range []string{"<h1>github.com/nicgen/nicgen/starter/module: evidence</h1>", "Not measured yet; run: <code>go run . prove mark_run", "7 events\u00a0†", " reps,"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in the page", want)
		}
	}
	for _, no := range []string{"make ", "id=\"papers\"", "Figures of the papers", ">Network<", "Planted", "Fuzzing", "NIC block"} {
		if strings.Contains(b.String(), no) {
			t.Errorf("the page has %q", no)
		}
	}
}

// A browser shows the page: nothing to complain about, every section filled, plots
// drawn, in both color schemes, on a laptop's screen and in print.
func TestBrowser(t *testing.T) {
	_, html := gathered(t)
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(html), 0o600); err != nil {
		t.Fatal(err)
	}
	address := (&url.URL{Scheme: "file", Path: file}).String()
	// Without a sandbox: root has none, and the page is our own.
	alloc, stop := chromedp.NewExecAllocator(t.Context(), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU)
	defer stop()
	ctx, stop := chromedp.NewContext(alloc)
	defer stop()
	var mu sync.Mutex
	var complaints []string
	complain := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		complaints = append(complaints, fmt.Sprintf(format, args...))
	}
	if err := chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			complain("console: %s", e.Type)
		case *runtime.EventExceptionThrown:
			complain("exception: %v", e.ExceptionDetails)
		case *log.EventEntryAdded:
			complain("log: %s", e.Entry.Text)
		}
	}); err != nil {
		t.Fatalf("chromium: %v: make deps installs it", err)
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 800)); err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []string{"light", "dark"} {
		if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}); err != nil {
			t.Fatal(err)
		}
		if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
			t.Fatal(err)
		}
		if list := ask[[]string](t, ctx, `[...document.querySelectorAll("section")].filter(s => !s.querySelector("td, img, li")).map(s => s.id)`); len(list) > 0 {
			t.Errorf("%s: empty sections %v", scheme, list)
		}
		if list := ask[[]string](t, ctx, `[...document.images].filter(i => !i.complete || i.naturalWidth == 0).map(i => i.alt)`); len(list) > 0 {
			t.Errorf("%s: plots that are not drawn: %v", scheme, list)
		}
		if n := ask[int](t, ctx, `document.images.length`); n == 0 {
			t.Errorf("%s: no plots", scheme)
		}
		if n := ask[int](t, ctx, `document.documentElement.scrollWidth`); n > 1280 {
			t.Errorf("%s: the page is %d pixels wide, want at most 1280", scheme, n)
		}
		ground, ink := ask[string](t, ctx, `getComputedStyle(document.body).backgroundColor`), ask[string](t, ctx, `getComputedStyle(document.body).color`)
		if want := map[string]string{"light": "rgb(255, 255, 255)", "dark": "rgb(13, 17, 23)"}[scheme]; ground != want || ink == ground {
			t.Errorf("%s: text %s on %s, want the ground %s", scheme, ink, ground, want)
		}
		pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF())
		if err != nil || !bytes.HasPrefix(pdf, []byte("%PDF")) || len(pdf) < 20_000 {
			t.Errorf("%s: %d bytes of PDF, %v", scheme, len(pdf), err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	for _, c := range complaints {
		t.Errorf("the browser complains: %s", c)
	}
}

// ask evaluates an expression in the page.
func ask[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	x, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return x
}
