package reps_test

import (
	"context"
	"encoding/json"
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/tb/reps"
	"os"
	"testing"
)

func TestDbg(t *testing.T) {
	b := &reps.Bench{P: params.Default()}
	b.P.Connections = 2
	b.Prepare()
	r, err := cosim.Run(context.Background(), b, cosim.RunOptions{Unit: "reps", Seed: 1, Cycles: 200000, OutDir: os.Getenv("OUT")})
	if err != nil {
		t.Fatal(err)
	}
	j, _ := json.MarshalIndent(r.Failure, "", " ")
	t.Logf("%s %v\n%s", r.Outcome, r.Missed, j)
}
