module strict-reader

go 1.26.0
