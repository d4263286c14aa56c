// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// Pictures within the text count as unsafe; render removes raw HTML.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithRendererOptions(html.WithUnsafe()))

// render makes HTML of a page. Its first heading becomes the title; pictures become part of the
// text, and links within the repository plain text, since the page is one file.
func render(docs fs.FS, name string, source []byte) (title string, body template.HTML, err error) {
	root := markdown.Parser().Parse(text.NewReader(source))
	var drop []ast.Node
	err = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 1 && title == "" {
				title = plain(n, source)
				drop = append(drop, n)
			}
			n.Level = min(n.Level+2, 6)
		case *ast.HTMLBlock, *ast.RawHTML:
			drop = append(drop, n) // marks of generated text
		case *ast.Image:
			uri, err := dataURI(docs, path.Join(path.Dir(name), string(n.Destination)))
			if err != nil {
				return ast.WalkStop, err
			}
			n.Destination = []byte(uri)
		case *ast.Link:
			if !bytes.Contains(n.Destination, []byte("://")) {
				drop = append(drop, n)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", "", err
	}
	for _, n := range drop {
		parent := n.Parent()
		if link, ok := n.(*ast.Link); ok {
			for c := link.FirstChild(); c != nil; c = link.FirstChild() {
				parent.InsertBefore(parent, link, c)
			}
		}
		parent.RemoveChild(parent, n)
	}
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, source, root); err != nil {
		return "", "", err
	}
	// Without raw HTML, goldmark's output is escaped.
	return title, template.HTML(b.String()), nil
}

// plain returns the text of a node.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := c.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// dataURI returns a picture in a form that stands within a page.
func dataURI(docs fs.FS, name string) (string, error) {
	types := map[string]string{".svg": "image/svg+xml", ".png": "image/png"}
	kind := types[path.Ext(name)]
	if kind == "" {
		return "", fmt.Errorf("picture %s: want .svg or .png", name)
	}
	b, err := fs.ReadFile(docs, name)
	if err != nil {
		return "", fmt.Errorf("picture: %w", err)
	}
	return embedded(kind, b), nil
}

// embedded returns a picture as an address that holds it.
func embedded(kind string, b []byte) string {
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(b)
}
