import { describe, expect, test } from '@jest/globals';
import { auditEntry, entryBody, type Actor, type AuditEvent } from '#audit/entries/rules/entry';
import { createCefFile, createCsvFile } from '#audit/exports/rules/cef';
import { csvLine, type ExportedEntry, type ExportFile } from '#audit/exports/rules/file';
import { createOcsfFile } from '#audit/exports/rules/ocsf';
import { newId } from '#platform/crypto/random';
import type { UserId } from '#platform/model/id';

const ada = 'usr_ada' as UserId;
const at = Date.parse('2026-11-22T08:00:00Z');
/** A name of a person may hold anything. */
const name = '=cmd|"/c calc"\\a=b\r\nCEF:0|Ada';

let count = 0;
function entryOf(
  event: object,
  actor: Actor = { kind: 'user', id: ada },
  more: Partial<ExportedEntry> = {},
): ExportedEntry {
  const body = entryBody(auditEntry(`aud_${count}`, at, actor, event as AuditEvent), {});
  count += 1;
  return { index: count, body, proof: [], server: null, tool: null, names: new Map([[ada, name]]), ...more };
}

const vote = {
  type: 'elicitation.voted',
  elicitation: 'eli_1',
  action: 'accept',
  digest: 'a'.repeat(64),
  revision: 1,
  policy: 'refunds@3',
  from: 'open',
  to: 'accepted',
};
const refusal = { type: 'access.refused', what: 'forbidden', about: ['eli_1'], count: 1, since: at };
const all = [
  entryOf(vote, undefined, { server: 'payments', tool: '-refund=1|2' }),
  entryOf(refusal),
  entryOf(
    { type: 'access.sign-in-failed', what: 'wrong-password', about: [], count: 3, since: at },
    { kind: 'stranger' },
  ),
  entryOf({ type: 'user.signed-in', user: ada, with: 'password' }),
  entryOf({ type: 'user.added', user: ada, role: 'admin' }, { kind: 'operator' }),
  entryOf({ type: 'group.deleted', group: 'grp_1' }),
  entryOf({ type: 'policy.published', policy: 'refunds@4', digest: 'b'.repeat(64) }),
  entryOf({ ...vote, type: 'elicitation.break-glass' }),
  entryOf(
    { ...vote, type: 'elicitation.opened', serverName: 'infra', tool: 'deploy', to: 'open' },
    { kind: 'policy', policy: 'refunds@3' },
  ),
  entryOf({ type: 'user.signed-out', user: ada }),
];
const textOf = (file: ExportFile): string =>
  [file.begin(), ...all.map((entry) => file.entry(entry)), file.end()].join('');

/** RFC 4180, read letter by letter. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let [cell, isQuoted] = ['', false];
  for (let place = 0; place < text.length; place += 1) {
    const letter = text[place]!;
    if (isQuoted && letter === '"' && text[place + 1] === '"') [cell, place] = [`${cell}"`, place + 1];
    else if (letter === '"') isQuoted = !isQuoted;
    else if (!isQuoted && letter === ',') [cell] = [(rows.at(-1)!.push(cell), '')];
    else if (!isQuoted && text.startsWith('\r\n', place)) {
      rows.at(-1)!.push(cell);
      rows.push([]);
      [cell, place] = ['', place + 1];
    } else cell += letter;
  }
  return rows.slice(0, -1);
}

describe('as CSV', () => {
  const [head, ...rows] = readCsv(textOf(createCsvFile()));

  test('there is a row for each entry, with names, and with the whole entry at its end', () => {
    expect(rows.map((row) => row.at(-1))).toEqual(all.map(({ body }) => Buffer.from(body).toString()));
    const first = Object.fromEntries(head!.map((column, place) => [column, rows[0]![place]]));
    expect(first).toMatchObject({
      place: '1',
      at: '2026-11-22T08:00:00.000Z',
      type: 'elicitation.voted',
      actor: 'user',
      person: ada,
      request: 'eli_1',
      server: 'payments',
      policy: 'refunds@3',
      outcome: 'accepted',
    });
    expect(rows[8]!.slice(7, 9)).toEqual(['infra', 'deploy']);
  });

  test('no part of a cell is a formula to a spreadsheet that ends cells at semicolons, tabs and lines', () => {
    const parts = ['x', '=1+1', '+1', '-1', '@SUM(A1)', '＝1'];
    for (const separator of [';', '\t', '\n', '\r\n']) {
      const line = csvLine([parts.join(separator), parts.toReversed().join(separator)]);
      expect(line.split(/[;\t\r\n",]/).filter((part) => /^[=+\-@＝]/.test(part))).toEqual([]);
    }
    expect(csvLine(['a - b', 'c = d'])).toBe('a - b,c = d\r\n');
  });

  test('nothing is a formula', () => {
    expect(rows[0]![5]).toBe(`'${name}`);
    expect(rows[0]![8]).toBe("'-refund=1|2");
    expect(rows.flat().filter((cell) => /^[=+\-@\t\r\n]/.test(cell))).toEqual([]);
  });
});

/** The fields of a line, read as the Common Event Format says. */
function readCef(line: string): { head: string[]; fields: Record<string, string> } {
  const parts = line.split(/(?<!\\)(?:\\\\)*\|/);
  const extension = parts.slice(7).join('|');
  const plain = (text: string) =>
    text.replaceAll(/\\(.)/gs, (_all, letter: string) => ({ n: '\n', r: '\r' })[letter] ?? letter);
  const matches = [...extension.matchAll(/(\w+)=((?:\\.|[^\\=])*)(?= \w+=|$)/gs)];
  return { head: parts.slice(0, 7), fields: Object.fromEntries(matches.map(([, key, value]) => [key, plain(value!)])) };
}

describe('what an entry is about', () => {
  const eli = newId('elicitation');
  const bob = 'usr_bob' as UserId;
  const names = new Map([[bob, 'Bob']]);
  const facts = (event: object, server: string | null = null) =>
    readCef(createCefFile().entry(entryOf(event, undefined, { server, names }))).fields;

  test('is the request that someone read, exported or was refused, and the code', () => {
    const access = { about: [eli], count: 1, since: at };
    const read = { type: 'access.read', what: 'content', serverName: 'payments', ...access };
    expect(facts(read)).toMatchObject({ cs1Label: 'request', cs1: eli, cs2: 'payments', reason: 'content' });
    const refused = { type: 'access.refused', what: 'not-found', ...access };
    expect(facts(refused)).toMatchObject({ cs1: eli, outcome: 'refused', reason: 'not-found' });
    const listed = { type: 'access.listed', what: 'log', ...access, about: [`request=${eli}`] };
    expect(facts(listed)).not.toHaveProperty('cs1');
    const [head, row] = [createCsvFile().begin(), createCsvFile().entry(entryOf(read))].map(
      (line) => readCsv(line)[0]!,
    );
    expect(row![head!.indexOf('request')]).toBe(eli);
  });

  test('is the person whose role was changed, and the server of a key', () => {
    expect(facts({ type: 'user.changed', user: bob, changed: { role: 'admin' } })).toMatchObject({
      duid: bob,
      duser: 'Bob',
    });
    expect(facts({ type: 'key.created', server: 'payments', kid: '1' })).toMatchObject({ cs2: 'payments' });
  });

  test('has an outcome only if it is a request: who stands in for someone is none', () => {
    const times = { startsAt: at, endsAt: at, policies: [] };
    const delegation = { type: 'delegation.made', delegation: 'del_1', from: ada, to: bob, ...times };
    expect(facts(delegation)).not.toHaveProperty('outcome');
  });
});

describe('as CEF', () => {
  const lines = textOf(createCefFile()).split('\n');

  test('there is one line for each entry, whatever a name holds', () => {
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(all.length);
    const { head, fields } = readCef(lines[0]!);
    expect(head).toEqual(['CEF:0', 'Assentry', 'Assentry', '1', 'elicitation.voted', 'elicitation voted', '3']);
    expect(fields).toMatchObject({ rt: String(at), suid: ada, suser: name, outcome: 'accepted' });
    expect(fields).toMatchObject({ cs1Label: 'request', cs1: 'eli_1', cs3Label: 'tool', cs3: '-refund=1|2', cn1: '1' });
  });

  test('refusals and emergency overrides stand out', () => {
    const severities = lines.map((line) => readCef(line).head[6]);
    expect(severities).toEqual(['3', '6', '6', '3', '3', '3', '3', '8', '3', '3']);
    expect(readCef(lines[1]!).fields['outcome']).toBe('refused');
  });
});

/** What version 1.3.0 of the schema requires, and of which at least one must be there. */
const required: Record<number, string[][]> = {
  3002: [['user'], ['service', 'dst_endpoint']],
  3004: [['entity']],
  6003: [['actor'], ['api'], ['src_endpoint']],
};
const base = ['category_uid', 'class_uid', 'activity_id', 'type_uid', 'time', 'severity_id', 'metadata'];

describe('as OCSF', () => {
  const events = textOf(createOcsfFile('assentry/test'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, number>);

  test('each entry is an event of its class, complete', () => {
    expect(events.map(({ class_uid: kind }) => kind)).toEqual([
      6003, 6003, 3002, 3002, 3004, 3004, 3004, 6003, 6003, 3002,
    ]);
    for (const event of events) {
      const missing = [...base.map((key) => [key]), ...required[event['class_uid']!]!].filter(
        (keys) => !keys.some((key) => event[key] !== undefined),
      );
      expect(missing).toEqual([]);
      expect(event['type_uid']).toBe(event['class_uid']! * 100 + event['activity_id']!);
      expect(event['category_uid']).toBe(Math.floor(event['class_uid']! / 1000));
    }
  });

  test('says who, what and with which result, and holds the whole entry', () => {
    expect(events.map(({ status_id: status }) => status)).toEqual([1, 2, 2, 1, 1, 1, 1, 1, 1, 1]);
    expect(events[0]).toMatchObject({
      actor: { user: { uid: ada, name } },
      api: { operation: 'elicitation.voted', service: { name: 'payments' } },
      resources: [{ uid: 'eli_1' }, { name: '-refund=1|2' }, { name: 'refunds@3' }],
      metadata: { log_name: 'assentry/test', sequence: 1 },
      unmapped: vote,
    });
    expect(events[8]).toMatchObject({ actor: { app_name: 'policy', app_uid: 'refunds@3' }, activity_id: 1 });
    expect(events[5]).toMatchObject({ entity: { type: 'group', uid: 'grp_1' }, activity_id: 4 });
    expect(events[9]).toMatchObject({ user: { uid: ada }, activity_id: 2 });
  });
});
