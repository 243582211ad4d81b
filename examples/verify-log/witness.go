package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"log"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// Witness verifies cosignatures as in c2sp.org/tlog-cosignature: eight bytes of time, and an Ed25519 signature over that
// time and the text of the checkpoint.
type Witness struct {
	name string
	id   uint32
	key  ed25519.PublicKey
}

func (witness Witness) Name() string    { return witness.name }
func (witness Witness) KeyHash() uint32 { return witness.id }

func (witness Witness) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	header := fmt.Sprintf("cosignature/v1\ntime %d\n", binary.BigEndian.Uint64(signature))
	return ed25519.Verify(witness.key, append([]byte(header), text...), signature[8:])
}

func newWitness(text string) note.Verifier {
	name, rest, _ := strings.Cut(text, "+")
	id, encoded, _ := strings.Cut(rest, "+")
	key, err := base64.StdEncoding.DecodeString(encoded)
	must(err)
	digest := sha256.Sum256(append([]byte(name+"\n"), key...))
	if len(key) != 1+ed25519.PublicKeySize || key[0] != 4 || fmt.Sprintf("%x", digest[:4]) != id {
		log.Fatalf("no key of a witness: %s", text)
	}
	return Witness{name, binary.BigEndian.Uint32(digest[:4]), key[1:]}
}
