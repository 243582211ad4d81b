import { expect, test } from '@jest/globals';
import { createHash, createPublicKey, verify } from 'node:crypto';
import {
  cosign,
  cosignaturesOn,
  cosigner,
  cosignerKey,
  parseCosignerKey,
  noteSigner,
  parseVerifierKey,
  verifierKey,
} from '#audit/tree/rules/notes';
import { signCheckpoint, judgeOffer, readOffer, writeOffer } from '#audit/tree/rules/checkpoint';
import { flipped } from './trees.ts';

/** A checkpoint of a public log as public witnesses, which other people wrote and run, have cosigned it. */
const published = `arche2025h1.staging.ct.transparency.dev
1432088532
U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=

— arche2025h1.staging.ct.transparency.dev zTM8sQAAAZ5W0WdjBAMARjBEAiBjW5IQf9pvsYLfQFX6hoGREPMHbdQ3urbllzalApkptQIgIpwtEroeW2BXaHAI4kJXFbon5Ch9MNL5zRNZ55lvGt0=
— arche2025h1.staging.ct.transparency.dev ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=
— transparency.dev/DEV:witness-little-garden 2AQqhwAAAABqEiEgzgFIqqhbUoDwjMWE6UP8nd8/KYTzwZ2rhIgcqoXHAwVkjZr4AscylP3v7sEodkRAErumC2q44vdgJY096st5BQ==
— witness1.smartit.nu/witness1 pIyCDwAAAABqEiEghIp82KWebrw7/oHQwlTAm3g2RKS4+eebl8eO0WH+/iEcxZ75W3u5hNI7TOQtmJbqmNWVuE0tgh0XwzdZsDsUAQ==
— remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==
— witness.stagemole.eu Z/euoAAAAABqEiEgw0i+7g2ENfDAWHmtRzCfKTHSDwYDJA2NmKeGi9Y8FtEyOUvVr+AJmIY/2TUFucgKi7lI7cUiOvKFYe/TmN9DAg==
`;
const publicKeys = [
  'remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2',
  'witness.stagemole.eu+67f7aea0+BEqSG3yu9YrmcM3BHvQYTxwFj3uSWakQepafafpUqklv',
  'transparency.dev/DEV:witness-little-garden+d8042a87+BCtusOxINQNUTN5Oj8HObRkh2yHf/MwYaGX4CPdiVEPM',
];

test('cosignatures of public witnesses are read with their published keys, and of no one else', () => {
  const witnesses = publicKeys.map(parseCosignerKey);
  expect(witnesses.map(cosignerKey)).toEqual(publicKeys);
  const cosignatures = cosignaturesOn(published, witnesses);
  expect(new Set(cosignatures?.map(({ witness }) => witness.name))).toEqual(new Set(witnesses.map(({ name }) => name)));
  expect(cosignatures?.map(({ at }) => at)).toEqual([1779573024000, 1779573024000, 1779573024000]);
  for (const { line } of cosignatures ?? []) expect(published).toContain(line);
  expect(cosignaturesOn(published.replace('1432088532', '1432088533'), witnesses)).toBeNull();
  expect(cosignaturesOn(published, [])).toEqual([]);
});

const log = noteSigner('assentry/test', Buffer.alloc(32, 1));
const witness = cosigner('witness.example.com/w1', Buffer.alloc(32, 2));
const head = { origin: 'assentry/test', size: 3, root: Buffer.alloc(32, 7) };
const note = signCheckpoint(head, [log]);
const text = note.slice(0, note.indexOf('\n\n') + 1);
const at = Date.parse('2026-08-03T08:00:00.500Z');

/** A second reading of the format, which shares no line with ours. */
function naiveVerify(line: string, key: string, body: string): number {
  const [name = '', id = '', encoded = ''] = key
    .split('+')
    .map((part, at, all) => (at < 2 ? part : all.slice(2).join('+')));
  const material = Buffer.from(encoded, 'base64');
  const digest = createHash('sha256')
    .update(Buffer.concat([Buffer.from(`${name}\n`), material]))
    .digest('hex');
  expect([material[0], digest.slice(0, 8)]).toEqual([4, id]);
  const [dash, lineName, payload = ''] = line.trimEnd().split(' ');
  expect([dash, lineName]).toEqual(['—', name]);
  const bytes = Buffer.from(payload, 'base64');
  expect(bytes.toString('hex', 0, 4)).toBe(id);
  const seconds = Number.parseInt(bytes.toString('hex', 4, 12), 16);
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), material.subarray(1)]);
  const message = Buffer.from(['cosignature/v1', `time ${seconds}`, body].join('\n'));
  expect(verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), bytes.subarray(12))).toBe(
    true,
  );
  return seconds;
}

test('ours are read by a second implementation, and so are theirs', () => {
  expect(naiveVerify(cosign(text, witness, at), cosignerKey(witness), text)).toBe(Math.floor(at / 1000));
  const lines = published.split('\n').filter((line) => line.startsWith('— '));
  const body = published.slice(0, published.indexOf('\n\n') + 1);
  for (const key of publicKeys) {
    const line = lines.find((candidate) => candidate.startsWith(`— ${key.split('+')[0]} `)) ?? '';
    expect(naiveVerify(line, key, body)).toBe(1779573024);
  }
});

test('no bit of a cosignature can be another, and its time counts', () => {
  const line = cosign(text, witness, at);
  expect(cosignaturesOn(note + line, [witness])).toMatchObject([{ at: Math.floor(at / 1000) * 1000, line }]);
  const payload = Buffer.from(line.trimEnd().split(' ')[2] ?? '', 'base64');
  const forged = [...flipped(payload)].map((bytes) => `${note}— ${witness.name} ${bytes.toString('base64')}\n`);
  expect(forged.filter((candidate) => cosignaturesOn(candidate, [witness])?.length)).toEqual([]);
  const never = `${note}${cosign(text, witness, 0)}`;
  expect(cosignaturesOn(never, [witness])).toBeNull();
});

test('a key of a log is none of a witness, and the other way round', () => {
  expect(() => parseCosignerKey(verifierKey(log))).toThrow(/Check the request|witness/);
  expect(() => parseVerifierKey(cosignerKey(witness))).toThrow();
  expect(cosignaturesOn(note, [{ ...witness, name: log.name, id: log.id }])).toBeNull();
});

/** From the page of the protocol. */
const exampleOffer = `old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=
`;

test('the example of the protocol is an offer, and is written as it was read', () => {
  const offer = readOffer(exampleOffer);
  expect([offer?.oldSize, offer?.proof.length]).toEqual([20852014, 4]);
  expect(offer && writeOffer(offer)).toBe(exampleOffer);
});

test.each([
  '',
  'old 1\n',
  exampleOffer.replace('old ', 'new '),
  exampleOffer.replace('old 2', 'old 02'),
  exampleOffer.replace('PlRN', 'PlR'),
  `old 1\n${'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n'.repeat(64)}\n${note}`,
  'old 0\n\nno checkpoint\n',
])('%j is no offer', (body) => {
  expect(judgeOffer(readOffer(body), [log], () => null)).toEqual({ status: 400 });
});
