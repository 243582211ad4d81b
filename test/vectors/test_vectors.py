"""Checks the vectors with Python's standard library and our package: python3 -m unittest discover -s test/vectors"""

import base64
import hashlib
import hmac
import json
import sys
import unittest
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parents[1] / "clients" / "python"))

from assentry.canonical import Requester, Tool, canonical, run_digest, run_text


def vectors(name):
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def parse(text):
    """Numbers are IEEE 754 doubles, as in JavaScript."""
    return json.loads(text, parse_int=float)


def sha256(text):
    return hashlib.sha256(text.encode("utf-8"))


def run_of(case):
    """The text and the digest that the package computes."""
    run = Tool.of(case["tool"]), parse(case["arguments"]), Requester.of(case["requester"])
    return run_text(*run), run_digest(*run)


# Webhooks (Standard Webhooks)


def is_signed(secret, headers, body):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body}".encode("utf-8")
    mac = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers["webhook-signature"].split(" ")
    return any(hmac.compare_digest(f"v1,{mac}", signature) for signature in given)


# Receipts (C2SP tlog-proof, signed-note; RFC 6962; RFC 8032)

P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def x_of(y, is_odd):
    squared = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(squared, (P + 3) // 8, P)
    if (x * x - squared) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - squared) % P or (x == 0 and is_odd):
        return None
    return P - x if x % 2 != is_odd else x


def point_of(encoded):
    number_ = int.from_bytes(encoded, "little")
    y, is_odd = number_ % 2**255, number_ >> 255
    x = x_of(y, is_odd) if y < P else None
    return None if x is None else (x, y, 1, x * y % P)


def add(first, other):
    a = (first[1] - first[0]) * (other[1] - other[0]) % P
    b = (first[1] + first[0]) * (other[1] + other[0]) % P
    c = 2 * first[3] * other[3] * D % P
    d = 2 * first[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point, scalar = add(point, point), scalar >> 1
    return result


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (x_of(BASE_Y, 0), BASE_Y, 1, x_of(BASE_Y, 0) * BASE_Y % P)


def is_ed25519(key, message, signature):
    public, commitment = point_of(key), point_of(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if public is None or commitment is None or len(signature) != 64 or scalar >= Q:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % Q
    left, right = times(scalar, BASE), add(commitment, times(challenge, public))
    return all((left[at] * right[2] - right[at] * left[2]) % P == 0 for at in (0, 1))


def hashed(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def root_of(leaf, index, size, proof):
    """The root to which the proof leads (RFC 9162, section 2.1.3.2); None if it has another length."""
    at, last = index, size - 1
    for sibling in proof:
        if last == 0:
            return None
        if at % 2 == 1 or at == last:
            leaf = hashed(b"\x01", sibling, leaf)
            while at % 2 == 0 and at != 0:
                at, last = at // 2, last // 2
        else:
            leaf = hashed(b"\x01", leaf, sibling)
        at, last = at // 2, last // 2
    return leaf if last == 0 else None


def open_receipt(text, key):
    """The entry of a valid receipt; None for any other."""
    head, _, note = text.partition("\n\n")
    lines = head.split("\n")
    if len(lines) < 3 or lines[0] != "c2sp.org/tlog-proof@v1":
        return None
    entry = base64.b64decode(lines[1].removeprefix("extra "))
    index = int(lines[2].removeprefix("index "))
    proof = [base64.b64decode(line) for line in lines[3:]]
    signed, divider, signatures = note.partition("\n\n")
    signed += "\n"
    name, key_id, encoded = key.split("+", 2)
    public = base64.b64decode(encoded)[1:]
    origin, size, root = signed.split("\n")[:3]
    if origin != name or not divider or not 0 <= index < int(size):
        return None
    is_signed_ = False
    for line in signatures.splitlines():
        dash, signer, value = line.split(" ")
        decoded = base64.b64decode(value)
        if dash == "\u2014" and signer == name and decoded[:4].hex() == key_id:
            is_signed_ = is_ed25519(public, signed.encode("utf-8"), decoded[4:])
    if not is_signed_ or root_of(hashed(b"\x00", entry), index, int(size), proof) != base64.b64decode(root):
        return None
    return entry.decode("utf-8")


# Votes that a device signs


def vote_text(vote):
    text = {**vote, "for": vote.get("for"), "allowFor": vote.get("allowFor")}
    return f"assentry/vote/v1\n{canonical(text)}"


class Vectors(unittest.TestCase):
    def each(self, name):
        document = vectors(name)
        self.assertGreater(len(document["cases"]), 2)
        for case in document["cases"]:
            with self.subTest(vector=name, case=case["name"]):
                yield document, case

    def test_canonical_json(self):
        for _, case in self.each("canonical-json"):
            text = canonical(parse(case["json"]))
            self.assertEqual(text, case["canonical"])
            self.assertEqual(sha256(text).hexdigest(), case["sha256"])

    def test_run_digest(self):
        for _, case in self.each("run-digest"):
            self.assertEqual(run_of(case), (case["text"], case["digest"]))

    def test_webhook_signature(self):
        for document, case in self.each("webhook-signature"):
            self.assertEqual(is_signed(document["secret"], case["headers"], case["body"]), case["isValid"])

    def test_receipt(self):
        for document, case in self.each("receipt"):
            self.assertEqual(open_receipt(case["receipt"], document["key"]), case.get("entry"))

    def test_signed_vote(self):
        for _, case in self.each("signed-vote"):
            text = vote_text(case["vote"])
            self.assertEqual(text, case["text"])
            challenge = base64.urlsafe_b64encode(sha256(text).digest()).decode().rstrip("=")
            self.assertEqual(challenge, case["challenge"])


if __name__ == "__main__":
    unittest.main()
