// Verifies what a log of Assentry hands out with the library of Go's own transparency log, golang.org/x/mod/sumdb,
// and with no code of Assentry:
//
//	verify-log -key KEY [-witness KEY] tiles DIRECTORY    of `assentry audit export DIRECTORY --format tiles`
//	verify-log -key KEY [-witness KEY] export FILE        of `assentry audit export FILE`
//	verify-log -key KEY [-witness KEY] receipt FILE
//	verify-log -key KEY [-witness KEY] offers FILE...     offers to a witness in order, each with its answer
//
// It ends with an error at the first thing that is wrong.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	log.SetFlags(0)
	key := flag.String("key", "", "the log's key, as `assentry audit key` prints it")
	witness := flag.String("witness", "", "the key of a witness who must have cosigned")
	flag.Parse()
	if flag.NArg() < 2 {
		log.Fatal("say what to verify: tiles DIRECTORY, export FILE, receipt FILE or offers FILE...")
	}
	keys := keysOf(*key, *witness)
	files := flag.Args()[1:]
	switch flag.Arg(0) {
	case "tiles":
		head := keys.checkpoint(read(files[0] + "/checkpoint"))
		verifyTiles(files[0], head)
		fmt.Println(head.N, "entries")
	case "export":
		fmt.Println(verifyExport(keys, read(files[0])), "entries")
	case "receipt":
		fmt.Println("entry", verifyReceipt(keys, string(read(files[0]))))
	case "offers":
		fmt.Println("the first", verifyOffers(keys, files), "entries")
	default:
		log.Fatalf("no such thing: %s", flag.Arg(0))
	}
}

// Keys are who must have signed each checkpoint: the log, and the witness if one is given.
type Keys struct{ log, witness note.Verifier }

func keysOf(key, witness string) Keys {
	verifier, err := note.NewVerifier(key)
	must(err)
	if witness == "" {
		return Keys{log: verifier}
	}
	return Keys{log: verifier, witness: newWitness(witness)}
}

// checkpoint is the head in a signed note: the log's name, its size and its root.
func (keys Keys) checkpoint(text []byte) tlog.Tree {
	body := keys.open(text, keys.log)
	if keys.witness != nil {
		keys.open(text, keys.witness)
	}
	lines := strings.Split(body, "\n")
	if lines[0] != keys.log.Name() {
		log.Fatalf("a checkpoint of another log: %s", lines[0])
	}
	root, err := tlog.ParseHash(lines[2])
	must(err)
	return tlog.Tree{N: number(lines[1]), Hash: root}
}

// open is the text of a note that this signer has signed.
func (keys Keys) open(text []byte, signer note.Verifier) string {
	opened, err := note.Open(text, note.VerifierList(signer))
	must(err)
	return opened.Text
}

func verifyExport(keys Keys, text []byte) int {
	lines := bytes.SplitAfter(text, []byte("\n"))
	entries, last := lines[1:len(lines)-2], lines[len(lines)-2]
	var first struct {
		Checkpoint string
		Filter     []string
	}
	must(json.Unmarshal(lines[0], &first))
	head := keys.checkpoint([]byte(first.Checkpoint))
	if len(first.Filter) == 0 && int64(len(entries)) != head.N {
		log.Fatal("it is not all of the log")
	}
	for _, line := range entries {
		var item struct {
			Index int64
			Entry json.RawMessage
			Proof tlog.RecordProof
		}
		must(json.Unmarshal(line, &item))
		must(tlog.CheckRecord(item.Proof, head.N, head.Hash, item.Index, tlog.RecordHash(item.Entry)))
	}
	var end struct{ Seal string }
	must(json.Unmarshal(last, &end))
	digest := sha256.Sum256(text[:len(text)-len(last)])
	sum := base64.StdEncoding.EncodeToString(digest[:])
	sealed := fmt.Sprintf("assentry.export/v1\n%s\n%d\n%s\n", keys.log.Name(), len(entries), sum)
	if keys.open([]byte(end.Seal), keys.log) != sealed {
		log.Fatal("a line was added, changed or removed")
	}
	return len(entries)
}

// verifyReceipt reads a proof as in c2sp.org/tlog-proof and gives the place of its entry.
func verifyReceipt(keys Keys, text string) int64 {
	proof, checkpoint, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(proof, "\n")
	entry, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(lines[1], "extra "))
	must(err)
	index := number(strings.TrimPrefix(lines[2], "index "))
	head := keys.checkpoint([]byte(checkpoint))
	must(tlog.CheckRecord(hashes(lines[3:]), head.N, head.Hash, index, tlog.RecordHash(entry)))
	return index
}

// verifyOffers reads offers as in c2sp.org/tlog-witness: each log contains the one before.
func verifyOffers(keys Keys, files []string) int64 {
	var head tlog.Tree
	for _, file := range files {
		proof, checkpoint, _ := strings.Cut(string(read(file)), "\n\n")
		lines := strings.Split(proof, "\n")
		next := keys.checkpoint([]byte(checkpoint))
		if old := number(strings.TrimPrefix(lines[0], "old ")); old != head.N {
			log.Fatalf("%s goes on from %d instead of %d", file, old, head.N)
		}
		if head.N > 0 {
			must(tlog.CheckTree(hashes(lines[1:]), next.N, next.Hash, head.N, head.Hash))
		}
		head = next
	}
	return head.N
}

func hashes(lines []string) []tlog.Hash {
	var all []tlog.Hash
	for _, line := range lines {
		hash, err := tlog.ParseHash(line)
		must(err)
		all = append(all, hash)
	}
	return all
}

func number(text string) int64 {
	value, err := strconv.ParseInt(text, 10, 64)
	must(err)
	return value
}

func read(file string) []byte {
	text, err := os.ReadFile(file)
	must(err)
	return text
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
