import { describe, expect, test } from '@jest/globals';
import { signCheckpoint } from '#audit/tree/rules/checkpoint';
import { checkExport, linesOf } from '#audit/exports/rules/check';
import { createJsonlFile } from '#audit/exports/rules/file';
import { leafHash } from '#audit/entries/rules/entry';
import { inclusionProof, rootHash, growTiles, nodesIn, rememberNodes } from '#audit/tree/rules/merkle';
import { noteSigner, verifierKey, type NoteSigner } from '#audit/tree/rules/notes';
import { canonicalJson } from '#platform/crypto/digest';
import { readNaively } from '../../support/audit/naive-export.ts';

const origin = 'assentry/test';
const signer = noteSigner(origin, Buffer.alloc(32, 1));
const stranger = noteSigner(origin, Buffer.alloc(32, 2));

const size = 700;
const entries = Array.from({ length: size }, (_, at) => ({
  id: `aud_${at}`,
  text: 'Grüße,\n"=1" – 請假',
  at,
  rows: {},
}));
const bodies = entries.map((entry) => Buffer.from(canonicalJson(entry)));
const nodes = rememberNodes(nodesIn(growTiles([], 0, bodies.map(leafHash))));
const checkpoint = signCheckpoint({ origin, size, root: rootHash(nodes, size) }, [signer]);

const elsewhere = { server: null, tool: null, names: new Map<string, string>() };

function exportOf(places: number[], filter: string[], by = signer): string {
  const file = createJsonlFile({ origin, checkpoint, filter }, [by]);
  const begin = file.begin();
  const lines = places.map((index) =>
    file.entry({ index, body: bodies[index]!, proof: inclusionProof(nodes, index, size), ...elsewhere }),
  );
  return [begin, ...lines, file.end()].join('');
}

const some = [0, 3, 255, 256, 511, 698, 699];
const filtered = exportOf(some, ['tool=refund']);
const whole = exportOf([...entries.keys()], []);

async function* chunksOf(text: string, length: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const check = (text: string, length = 4096, keys = [signer]) => checkExport(linesOf(chunksOf(text, length)), keys);

describe('an export is genuine', () => {
  test.each([
    ['of some entries', filtered, some],
    ['of all entries', whole, [...entries.keys()]],
    ['of none', exportOf([], ['tool=none']), []],
  ])('%s: for ours and for the naive verifier', async (_name, text, places) => {
    expect(await check(text)).toMatchObject({ fault: null, origin, size, entries: places.length });
    expect(readNaively(text, verifierKey(signer))).toEqual(places.map((place) => entries[place]));
  });

  test('however it is cut into chunks', async () => {
    for (const length of [1, 7, 100_000]) expect((await check(filtered, length)).fault).toBeNull();
  });

  test('says which entries it holds', async () => {
    expect((await check(filtered)).filter).toEqual(['tool=refund']);
  });
});

const lineOf = (text: string, number: number): string => text.split('\n')[number - 1]!;
/** The same file with one line changed, or without it. */
const changed = (text: string, number: number, change: (line: string) => string[]): string =>
  text
    .split('\n')
    .flatMap((line, at) => (at === number - 1 ? change(line) : [line]))
    .join('\n');

describe('the first bad line is named', () => {
  test.each<[string, string, string]>([
    [
      'an entry says something else',
      changed(filtered, 4, (line) => [line.replace('Grüße', 'Gruß')]),
      'Line 4: The log has no',
    ],
    [
      'an entry says more',
      changed(filtered, 4, (line) => [line.replace('"rows":{}', '"rows":{},"x":1')]),
      'Line 4: The log',
    ],
    [
      'its place is another',
      changed(filtered, 4, (line) => [line.replace('"index":255', '"index":254')]),
      'Line 4: The log',
    ],
    [
      'a hash is another',
      changed(filtered, 4, (line) => [line.replace(/"proof":\["./, '"proof":["/')]),
      'Line 4: The log',
    ],
    [
      'a line holds more',
      changed(filtered, 4, (line) => [line.replace(/\}$/, ',"note":"ok"}')]),
      'Line 4: It is not a line',
    ],
    ['a line is no JSON', changed(filtered, 4, () => ['hello']), 'Line 4: It is not a line'],
    ['a line is empty', changed(filtered, 4, (line) => ['', line]), 'Line 4: It is not a line'],
    ['a line is longer than any entry', changed(filtered, 4, () => ['x'.repeat(300_000)]), 'Line 4: It is not a line'],
    [
      'an entry is nested too deep',
      changed(filtered, 4, () => [`{"index":3,"entry":${'['.repeat(60_000)}${']'.repeat(60_000)},"proof":[]}`]),
      'Line 4: The log',
    ],
    [
      'two lines are swapped',
      changed(
        changed(filtered, 4, () => [lineOf(filtered, 5)]),
        5,
        () => [lineOf(filtered, 4)],
      ),
      'Line 5: The entry stands',
    ],
    ['a line stands twice', changed(filtered, 4, (line) => [line, line]), 'Line 5: The entry stands'],
    ['a line of all entries is gone', changed(whole, 4, () => []), 'Line 4: The entry at place 2 was removed'],
    ['the first of all entries is gone', changed(whole, 2, () => []), 'Line 2: The entry at place 0 was removed'],
    ['a line of some entries is gone', changed(filtered, 4, () => []), 'Line 8: The signature does not fit'],
    ['the filter is another', filtered.replace('tool=refund', 'tool=deploy'), 'Line 9: The signature does not fit'],
    [
      'the end of another file stands there',
      changed(filtered, 9, () => [lineOf(exportOf(some, []), 9)]),
      'Line 9: The sign',
    ],
    ['someone else made the end', exportOf(some, ['tool=refund'], stranger), 'Line 9: The signature does not fit'],
    [
      'the checkpoint stands at the end',
      changed(filtered, 9, () => [JSON.stringify({ entries: 7, seal: checkpoint })]),
      'Line 9: The sign',
    ],
    ['a line stands after the end', `${filtered}${lineOf(filtered, 2)}\n`, 'Line 10: It stands after the end'],
    ['the end is gone', changed(filtered, 9, () => []), 'Line 9: The file was cut off here.'],
    ['there is nothing', '', 'Line 1: The file was cut off here.'],
    ['there is no first line', changed(filtered, 1, () => []), 'Line 1: It is not the first line'],
    [
      'it is the log of another name',
      filtered.replace('"origin":"assentry/test"', '"origin":"assentry/best"'),
      'Line 1: The checkpoint',
    ],
    [
      'the checkpoint is another',
      filtered.replace('assentry/test\\n700', 'assentry/test\\n701'),
      'Line 1: The checkpoint',
    ],
  ])('if %s', async (_name, text, sentence) => {
    expect((await check(text)).fault).toMatch(new RegExp(`^${sentence}`));
    expect(() => readNaively(text, verifierKey(signer))).toThrow();
  });

  test.each<[string, string, NoteSigner, string, RegExp]>([
    [
      'of another log',
      whole,
      noteSigner('assentry/best', Buffer.alloc(32, 2)),
      'not-ours',
      /^Line 1: It is of the log assentry\/test, of which/,
    ],
    [
      'whose head was changed',
      whole.replace('assentry/test\\n700', 'assentry/test\\n701'),
      signer,
      'altered',
      /changed after it was signed/,
    ],
    [
      'that was sent as text',
      whole.replaceAll('\n', '\r\n'),
      signer,
      'no-export',
      /^Line 1: Its end was changed, as when/,
    ],
    ['that is empty', '', signer, 'no-export', /cut off here/],
    ['of which the end is missing', whole.slice(0, -100), signer, 'altered', /cut off here|does not fit/],
  ])('says what is known of a file %s', async (_what, text, by, verdict, fault) => {
    const checked = await check(text, 4096, [by]);
    expect(checked.verdict).toBe(verdict);
    expect(checked.fault).toMatch(fault);
  });

  test.each([
    [
      'a key stands twice in a line',
      changed(filtered, 4, (line) => [line.replace('"entry":', '"entry":{"id":"aud_1"},"entry":')]),
      4,
    ],
    [
      'a number has digits that no reader keeps',
      changed(filtered, 4, (line) => [line.replace('"at":255', '"at":255.00000000000000001')]),
      4,
    ],
    [
      'a character is spelled in another way',
      changed(filtered, 4, (line) => [line.replace('Grüße', 'Gr\\u00fc\u00dfe')]),
      4,
    ],
    ['a line is indented', changed(filtered, 4, (line) => [` ${line}`]), 4],
    ['the first line says its log twice', filtered.replace('"origin":', '"origin":"assentry/best","origin":'), 1],
    ['the last line says its number twice', filtered.replace('{"entries":7', '{"entries":9,"entries":7'), 9],
  ])('if %s, which JSON allows', async (_name, text, line) => {
    expect((await check(text)).fault).toMatch(new RegExp(`^Line ${line}: It was written in another way`));
  });

  test('if it is sealed as all of the log and ends before the log does', async () => {
    const cut = exportOf([...entries.keys()].slice(0, 600), []);
    const checked = await check(cut);
    expect([checked.verdict, checked.fault]).toEqual([
      'altered',
      'Line 602: The entries from place 600 on were left out before it: the export is to hold all 700.',
    ]);
    expect(() => readNaively(cut, verifierKey(signer))).toThrow('left out');
  });

  test('if another installation made all of it', async () => {
    const checked = await check(whole, 4096, [stranger]);
    expect([checked.verdict, checked.fault]).toEqual([
      'unknown-key',
      'Line 1: The checkpoint of the log assentry/test is signed by none of these keys.',
    ]);
    expect(() => readNaively(whole, verifierKey(stranger))).toThrow();
  });
});
