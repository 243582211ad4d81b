import { expect, test } from '@jest/globals';
import { auditEntry, entryBody, type AuditEvent } from '#audit/entries/rules/entry';
import type { ExportedEntry } from '#audit/exports/rules/file';
import { syslogFrame } from '#audit/exports/rules/syslog';
import type { UserId } from '#platform/model/id';
import { streamFormats, type StreamFormat } from '#audit/streams/contract';
import { readMessage, type SyslogMessage } from './syslog-receiver.ts';

const ada = 'usr_ada' as UserId;
const at = Date.parse('2026-11-22T08:00:00.007Z');
/** A name of a person may hold anything. */
const name = 'Ada Ünal 審査\n<13>1 - - - - - -\0\u{1F600}';

function entryOf(type: string, more: object = {}): ExportedEntry {
  const event = { type, elicitation: 'eli_1', said: name, what: name, about: [name], ...more } as unknown as AuditEvent;
  const body = entryBody(auditEntry('aud_1', at, { kind: 'user', id: ada }, event), {});
  return { index: 7, body, proof: [], server: 'payments', tool: 'refund', names: new Map([[ada, name]]) };
}

/** The message behind its length. */
function messageOf(format: StreamFormat, entry: ExportedEntry): SyslogMessage {
  const frame = syslogFrame(format, { origin: 'assentry/1', host: 'approvals.example.com' }, entry);
  const space = frame.indexOf(' ');
  expect(frame.subarray(0, space).toString()).toBe(String(frame.length - space - 1));
  const message = readMessage(frame.subarray(space + 1));
  if (typeof message === 'string') throw new TypeError(message);
  return message;
}

test.each(streamFormats)('whatever people are called, an entry is one message of syslog as %s', (format) => {
  expect(messageOf(format, entryOf('access.looked'))).toMatchObject({
    facility: 13,
    severity: 6,
    at,
    host: 'approvals.example.com',
    app: 'assentry',
    type: 'access.looked',
    text: expect.stringContaining('7'),
  });
});

test('as lines of JSON it is the entry, to the letter, with its place and the name of the log', () => {
  const entry = entryOf('access.looked');
  const { text } = messageOf('jsonl', entry);
  expect(text).toMatch(/^[ -~]+$/);
  expect(JSON.parse(text)).toEqual({
    log: 'assentry/1',
    index: 7,
    entry: JSON.parse(Buffer.from(entry.body).toString('utf8')),
  });
});

test('as CEF it keeps its names, marked as UTF-8, on one line', () => {
  const { text } = messageOf('cef', entryOf('access.looked'));
  expect(text).toContain('Ünal 審査\\n<13>1');
  expect(text).toMatch(/^CEF:0\|Assentry\|[^\n]*$/);
});

test.each([
  ['elicitation.break-glass', 4],
  ['access.refused', 5],
  ['stop.made', 5],
  ['elicitation.voted', 6],
])('%s has the severity %i', (type, severity) => {
  expect(messageOf('ocsf', entryOf(type))).toMatchObject({ severity });
});
