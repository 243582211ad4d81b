package main

import (
	"encoding/binary"
	"log"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

// Directory holds tiles as in c2sp.org/tlog-tiles.
type Directory string

func (Directory) Height() int                     { return height }
func (Directory) SaveTiles([]tlog.Tile, [][]byte) {}

func (directory Directory) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	all := make([][]byte, len(tiles))
	for at, tile := range tiles {
		text, err := os.ReadFile(directory.path(tile))
		if err != nil {
			return nil, err
		}
		all[at] = text
	}
	return all, nil
}

// path is that of Go's own log, without the height, and with entries where Go has data.
func (directory Directory) path(tile tlog.Tile) string {
	path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
	return string(directory) + "/" + strings.Replace(path, "tile/data/", "tile/entries/", 1)
}

// verifyTiles holds each entry against its leaf, each tile against the one above, and all of them against the root.
func verifyTiles(root string, head tlog.Tree) {
	directory := Directory(root)
	reader := tlog.TileHashReader(head, directory)
	for n := int64(0); n<<height < head.N; n++ {
		width := int(min(1<<height, head.N-n<<height))
		tile := tlog.Tile{H: height, L: -1, N: n, W: width}
		indexes := make([]int64, width)
		for at := range indexes {
			indexes[at] = tlog.StoredHashIndex(0, n<<height+int64(at))
		}
		leaves, err := reader.ReadHashes(indexes)
		must(err)
		entries := bundle(read(directory.path(tile)))
		if len(entries) != width {
			log.Fatalf("%s has %d entries instead of %d", tile.Path(), len(entries), width)
		}
		for at, entry := range entries {
			if tlog.RecordHash(entry) != leaves[at] {
				log.Fatalf("entry %d is not the one that was logged", n<<height+int64(at))
			}
		}
	}
}

// bundle divides a bundle: the length of each entry, in two bytes, is in front of it.
func bundle(text []byte) [][]byte {
	var entries [][]byte
	for len(text) >= 2 {
		end := min(2+int64(binary.BigEndian.Uint16(text)), int64(len(text)))
		entries = append(entries, text[2:end])
		text = text[end:]
	}
	return entries
}

func min(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}
