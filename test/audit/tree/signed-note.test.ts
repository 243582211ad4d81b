import { describe, expect, test } from '@jest/globals';
import { openCheckpoint, readCheckpoint, signCheckpoint } from '#audit/tree/rules/checkpoint';
import { noteSigner, openNote, parseVerifierKey, signNote, verifierKey } from '#audit/tree/rules/notes';
import { flipped } from './trees.ts';

const origin = 'assentry/test';
const signer = noteSigner(origin, Buffer.alloc(32, 1));
const other = noteSigner(origin, Buffer.alloc(32, 2));

/** What the format's own page gives. */
const published = {
  key: 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
  text: 'This is an example message.\n',
  note: `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`,
};

describe('a signed note', () => {
  test('of someone else opens with their published key', () => {
    const verifier = parseVerifierKey(published.key);
    expect(openNote(published.note, [verifier])).toEqual({ text: published.text, signers: [verifier] });
    expect(verifierKey(verifier)).toBe(published.key);
  });

  test('opens with the key of each who signed it, and tells who', () => {
    const note = signNote('a text\n\nof two parts\n', [signer, other]);
    for (const item of [signer, other]) {
      const opened = openNote(note, [parseVerifierKey(verifierKey(item))]);
      expect(opened?.text).toBe('a text\n\nof two parts\n');
      expect(opened?.signers.map(verifierKey)).toEqual([verifierKey(item)]);
    }
    expect(openNote(note, [signer, other])?.signers).toHaveLength(2);
  });

  test('opens with no other key, whatever it is called', () => {
    const note = signNote('a text\n', [signer]);
    expect(openNote(note, [other])).toBeNull();
    expect(openNote(note, [])).toBeNull();
    expect(openNote(note, [{ ...other, id: signer.id }])).toBeNull();
    expect(openNote(note, [noteSigner('assentry/others', Buffer.alloc(32, 1))])).toBeNull();
    expect(openNote(signNote('a text\n', [{ ...other, id: signer.id }, signer]), [signer])).toBeNull();
  });

  test('has no bit that could be another', () => {
    const note = signCheckpoint({ origin, size: 3, root: Buffer.alloc(32, 7) }, [signer]);
    const opened = [...flipped(Buffer.from(note))].filter((bytes) => openNote(bytes.toString('utf8'), [signer]));
    expect(opened).toEqual([]);
  });

  test.each(['', 'a text\n', '\n\n', 'a text\n\n— x\n', published.note.trimEnd(), `\u0000${published.note}`])(
    'is not %j',
    (note) => {
      expect(openNote(note, [parseVerifierKey(published.key)])).toBeNull();
    },
  );
});

test.each([
  '',
  'example.com/foo',
  published.key.replace('530d903a', '530d903b'),
  published.key.replace('foo', 'bar'),
  published.key.slice(0, -4),
  published.key.replace('+Aek', '+Bek'),
])('%j is no verifier key', (text) => {
  expect(() => parseVerifierKey(text)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
});

describe('a checkpoint', () => {
  const checkpoint = { origin, size: 1234, root: Buffer.alloc(32, 9) };

  test('is origin, size and root, signed in the name of the log', () => {
    const note = signCheckpoint(checkpoint, [signer]);
    expect(note).toMatch(
      /^assentry\/test\n1234\nCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=\n\n— assentry\/test [A-Za-z0-9+/=]+\n$/,
    );
    expect(openCheckpoint(note, [signer])).toEqual(checkpoint);
    expect(openCheckpoint(signCheckpoint({ ...checkpoint, origin: 'assentry/others' }, [signer]), [signer])).toBeNull();
  });

  test.each(['', 'a\n1\n', 'a\n01\nCQk=\n', 'a\n-1\nx\n', 'a\n1\nCQkJ\n', 'a\n9007199254740993\nx\n'])(
    'is not %j',
    (text) => {
      expect(readCheckpoint(text)).toBeNull();
    },
  );

  test('of the page of the format is read', () => {
    const text = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
    expect(readCheckpoint(text)).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20_852_163 });
  });
});
