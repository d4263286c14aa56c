// SPDX-License-Identifier: Apache-2.0

package cosim_test

import (
	"context"
	"fmt"
	"os"

	"github.com/nicgen/nicgen/cosim"
)

// A module of your own, driven from Go.
func ExampleOpen() {
	text, err := os.ReadFile("testdata/counter.sv")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := cosim.Open(context.Background(), cosim.Source{
		Top:    "counter",
		Files:  []cosim.File{{Name: "counter.sv", Text: string(text)}},
		Params: map[string]string{"W": "3"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer m.Close()

	m.Set("rst", 1)
	m.Step(1)
	m.Set("rst", 0)
	fmt.Println("after reset:", m.Get("count"))

	m.Set("up", 1)
	m.Step(5)
	fmt.Println("five up:", m.Get("count"), "full:", m.Get("full"))
	m.Step(5)
	fmt.Println("five more:", m.Get("count"), "full:", m.Get("full"))
	if err := m.Err(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// after reset: 0
	// five up: 5 full: 0
	// five more: 7 full: 1
}
