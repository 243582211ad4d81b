import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from './support/new-folder.ts';

const folder = newFolder('vex');
const bill = path.join(folder, 'bill.json');
/** What the registry answers to the question for advisories; null refuses it. */
let advisories: object | null = {};
const registry = createServer((request, response) => {
  request.resume();
  const isQuestion = request.url?.endsWith('/advisories/bulk') ?? false;
  const name = decodeURIComponent(request.url?.slice(1) ?? '');
  const manifest = { name, 'dist-tags': { latest: '9.0.0' }, versions: { '9.0.0': { name, version: '9.0.0' } } };
  response.writeHead(isQuestion && advisories === null ? 405 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isQuestion ? (advisories ?? {}) : manifest));
});
beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/bill-of-materials.mjs', bill], { stdio: 'ignore' });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
});
afterAll(() => void registry.close());

interface Statement {
  bomFormat: string;
  vulnerabilities: { id: string; analysis: { state: string }; affects: { ref: string }[] }[];
}

async function state(name: string): Promise<Statement> {
  const file = path.join(folder, name);
  const { port } = registry.address() as AddressInfo;
  await promisify(execFile)(process.execPath, ['scripts/vulnerabilities.mjs', file, bill], {
    env: {
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: path.join(folder, 'npm'),
    },
  });
  return JSON.parse(readFileSync(file, 'utf8')) as Statement;
}

const advisory = (title: string) => ({
  id: title.length,
  url: `https://advisories.example.com/${title}`,
  title,
  severity: 'moderate',
  vulnerable_versions: '<1000',
  cwe: [],
  cvss: { score: 5, vectorString: null },
});

test('CF-02 a release lists the advisories that name its packages, judges none, and lists none if there is none', async () => {
  advisories = {};
  expect(await state('none.json')).toMatchObject({ bomFormat: 'CycloneDX', vulnerabilities: [] });
  advisories = { pg: [advisory('GHSA-of-pg')], typescript: [advisory('GHSA-of-a-tool')] };
  const { vulnerabilities } = await state('some.json');
  expect(vulnerabilities).toEqual([
    expect.objectContaining({
      id: 'GHSA-of-pg',
      analysis: { state: 'in_triage' },
      affects: [{ ref: expect.stringMatching(/^urn:cdx:[0-9a-f-]{36}\/1#pg%40/) }],
    }),
  ]);
});

test('CF-02 if the registry does not answer, nothing is stated', async () => {
  advisories = null;
  await expect(state('refused.json')).rejects.toMatchObject({
    stderr: expect.stringContaining('The registry does not say'),
  });
  expect(existsSync(path.join(folder, 'refused.json'))).toBe(false);
});
