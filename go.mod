module github.com/nicgen/nicgen

go 1.24
