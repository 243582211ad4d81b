import { expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readLogStreams } from '#platform/config/outlets';
import { certificate } from '../../notify/certificate.ts';
import { newFolder } from '../../support/new-folder.ts';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

test('without settings the log is streamed to no one', () => {
  expect(readLogStreams({})).toEqual({ streams: [], secret: null, tls: {} });
});

test('streams have a name, a format and an address', () => {
  const text = 'siem cef syslog+tls://logs.example.com:7000, lake ocsf https://lake.example.com/in?token=1';
  const read = readLogStreams({ ASSENTRY_LOG_STREAMS: text, ASSENTRY_LOG_STREAMS_SECRET: secret });
  expect(read).toEqual({
    streams: [
      { name: 'siem', format: 'cef', url: 'syslog+tls://logs.example.com:7000' },
      { name: 'lake', format: 'ocsf', url: 'https://lake.example.com/in?token=1' },
    ],
    secret,
    tls: {},
  });
});

test.each([
  'siem syslog+tls://logs.example.com',
  'siem csv syslog+tls://logs.example.com',
  'siem jsonl syslog://logs.example.com',
  'siem jsonl syslog+tls://',
  'siem jsonl syslog+tls://logs.example.com/a-token',
  'siem jsonl http://a-token.example.com',
  'lake cef https://a-token.example.com',
  'lake jsonl https://user:a-token@lake.example.com',
  'two names jsonl https://a-token.example.com',
  'siem jsonl https://a-token.example.com,',
  'siem jsonl https://a-token.example.com, siem ocsf https://other.example.com',
])('%s is refused, and no address is repeated', (text) => {
  const read = (): unknown => readLogStreams({ ASSENTRY_LOG_STREAMS: text, ASSENTRY_LOG_STREAMS_SECRET: secret });
  expect(read).toThrowProblem('config-invalid');
  expect(read).not.toThrow(/a-token/);
});

test.each([undefined, 'whsec_short', Buffer.alloc(32).toString('base64')])('%s signs no webhook', (text) => {
  const ASSENTRY_LOG_STREAMS = 'lake jsonl https://lake.example.com';
  const settings = { ASSENTRY_LOG_STREAMS, ...(text !== undefined && { ASSENTRY_LOG_STREAMS_SECRET: text }) };
  expect(() => readLogStreams(settings)).toThrowProblem('config-invalid');
});

test('certificates are files in PEM; one without its key is refused', () => {
  const directory = newFolder('streams');
  const [cert, key, other] = ['cert.pem', 'key.pem', 'other'].map((name) => path.join(directory, name));
  writeFileSync(cert!, certificate.cert);
  writeFileSync(key!, certificate.key);
  writeFileSync(other!, 'other');
  const parts = { ASSENTRY_LOG_STREAMS_CERT: cert!, ASSENTRY_LOG_STREAMS_KEY: key! };
  expect(readLogStreams({ ...parts, ASSENTRY_LOG_STREAMS_CA: cert! }).tls).toEqual({
    ca: certificate.cert,
    ...certificate,
  });
  for (const wrong of [
    { ASSENTRY_LOG_STREAMS_CERT: cert! },
    { ASSENTRY_LOG_STREAMS_KEY: key! },
    { ASSENTRY_LOG_STREAMS_CA: other! },
    { ASSENTRY_LOG_STREAMS_CA: path.join(directory, 'missing') },
  ])
    expect(() => readLogStreams(wrong)).toThrowProblem('config-invalid');
});
