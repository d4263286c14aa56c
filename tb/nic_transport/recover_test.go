// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
)

func TestRecoverDebug(t *testing.T) {
	b := benchOf(t, small)
	lib, err := cosim.Build(t.Context(), b.Source(), cosim.BuildOptions{State: true})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	l := lib.Layout()
	els := lib.Elements()
	s, err := newLong(b.P, l, 1)
	if err != nil {
		t.Fatal(err)
	}
	x, err := lib.New(cosim.InstanceOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	const N = 30000
	got := make([]uint64, l.OutWords)
	var ins [][]uint64
	streams := []string{"s_axis_tx", "s_axis_rx"}
	type offer struct{ from, taken int }
	lists := make([][]offer, 2)
	from := []int{-1, -1}
	for i := range N {
		in := make([]uint64, l.InWords)
		s.Next(in)
		if _, err := x.Run(in, got); err != nil {
			t.Fatal(err)
		}
		s.(cosim.Reactive).React(got)
		ins = append(ins, in)
		for k, n := range streams {
			if l.MustSlot(n+"_tvalid").Get(in) == 1 {
				if from[k] < 0 {
					from[k] = i
				}
				if l.MustSlot(n+"_tready").Get(got) == 1 {
					lists[k] = append(lists[k], offer{from[k], i})
					from[k] = -1
				}
			}
		}
	}
	x.Close()
	for _, name := range strings.Fields(os.Getenv("FLIPS")) {
		rng := rand.New(rand.NewPCG(1, 2))
		for try := range 6 {
			if x, err = lib.New(cosim.InstanceOptions{Seed: 1}); err != nil {
				t.Fatal(err)
			}
			text := ""
			next := []int{0, 0}
			n := map[string]int{}
			at := 4000 + rng.IntN(2000)
			for i := range N {
				in := append([]uint64(nil), ins[i]...)
				for k, name := range streams {
					l.MustSlot(name+"_tvalid").Set(in, 0)
					if next[k] < len(lists[k]) && i >= lists[k][next[k]].from {
						l.MustSlot(name+"_tvalid").Set(in, 1)
						for _, sl := range l.Inputs {
							if strings.HasPrefix(sl.Name, name+"_") && !strings.HasSuffix(sl.Name, "_tvalid") {
								sl.Write(in, sl.Read(ins[lists[k][next[k]].taken]))
							}
						}
					}
				}
				if i == at {
					st, err := x.State(nil)
					if err != nil {
						t.Fatal(err)
					}
					for _, e := range els {
						if e.Name == name {
							e.Flip(st, rng.IntN(e.Words()), rng.IntN(e.Width))
						}
					}
					if err := x.SetState(st); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := x.Run(in, got); err != nil {
					t.Fatal(err)
				}
				for k, name := range streams {
					if l.MustSlot(name+"_tvalid").Get(in) == 1 && l.MustSlot(name+"_tready").Get(got) == 1 {
						next[k]++
						n[name]++
					}
				}
				for _, p := range [][2]string{{"m_axis_tx_tvalid", "m_axis_tx_tready"}, {"m_axis_rx_tvalid", "m_axis_rx_tready"}} {
					if l.MustSlot(p[0]).Get(got) == 1 && l.MustSlot(p[1]).Get(in) == 1 {
						n[p[0]]++
					}
				}
				if i > 500 && l.MustSlot("m_trace_recover_valid").Get(got) == 1 {
					text += fmt.Sprintf(" RECOVER %d", i)
				}
				if i%2000 == 1999 {
					text += fmt.Sprintf(" %d:%d>%d,%d>%d", i/2000, n["s_axis_tx"], n["m_axis_tx_tvalid"], n["s_axis_rx"], n["m_axis_rx_tvalid"])
					clear(n)
				}
			}
			t.Logf("%s %d at %d:%s", name, try, at, text)
			x.Close()
		}
	}
}
