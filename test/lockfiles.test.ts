import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

test.each(['package-lock.json', '.ci/node/package-lock.json', 'test/support/node22/package-lock.json'])(
  '%s names no address',
  (file) => {
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { resolved?: string }> };
    expect(Object.keys(packages).length).toBeGreaterThan(1);
    expect(Object.keys(packages).filter((name) => packages[name]?.resolved !== undefined)).toEqual([]);
  },
);

interface Locked {
  version: string;
  hasInstallScript?: boolean;
}
interface Listed {
  name: string;
  version: string;
  hashes: { alg: string }[];
}
const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;
const { packages } = read<{ packages: Record<string, Locked> }>('package-lock.json');
const nameOf = (place: string): string => place.replace(/^.*node_modules\//, '');

test('CF-02 no package runs a script when it is installed: each that has one is refused by name', () => {
  const { allowScripts } = read<{ allowScripts: Record<string, boolean> }>('package.json');
  const scripted = Object.keys(packages).filter((place) => packages[place]?.hasInstallScript);
  expect(Object.keys(allowScripts).toSorted()).toEqual([...new Set(scripted.map(nameOf))].toSorted());
  expect(Object.values(allowScripts).filter(Boolean)).toEqual([]);
  expect(readFileSync('.npmrc', 'utf8')).toContain('strict-allow-scripts=true');
});

test.each(['Dockerfile', '.ci/run', '.github/workflows/release.yml'])('CF-02 %s installs without scripts', (file) => {
  const installs = readFileSync(file, 'utf8').match(/npm (ci|install)\b.*/g) ?? [];
  expect(installs.filter((line) => !line.includes('--ignore-scripts') && !line.startsWith('npm ci runs'))).toEqual([]);
  expect(installs.length).toBeGreaterThan(0);
});

test('CF-02 the bill of materials lists what an installation brings along and nothing else, each with its digest', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'assentry-bill-'));
  const file = path.join(folder, 'bill.json');
  try {
    execFileSync(process.execPath, ['scripts/bill-of-materials.mjs', file], { stdio: 'ignore' });
    const bill = read<{ bomFormat: string; metadata: { component: { name: string } }; components: Listed[] }>(file);
    expect([bill.bomFormat, bill.metadata.component.name]).toEqual(['CycloneDX', 'assentry']);
    const listed = bill.components.map(({ name }) => name);
    const { dependencies, optionalDependencies } = read<Record<string, Record<string, string>>>('package.json');
    expect(listed).toEqual(expect.arrayContaining(Object.keys({ ...dependencies, ...optionalDependencies })));
    // What they need in turn, and nothing that only optional peers or the console's build bring.
    expect(listed).toEqual(expect.arrayContaining(['pg-pool', 'body-parser', 'postgres-array']));
    const others = ['typescript', 'react', 'react-dom', 'prisma', 'effect', 'mysql2', 'vite', 'jest'];
    expect(listed.filter((name) => others.includes(name))).toEqual([]);
    const locked = Object.entries(packages).map(([place, { version }]) => `${nameOf(place)}@${version}`);
    expect(bill.components.filter(({ name, version }) => !locked.includes(`${name}@${version}`))).toEqual([]);
    expect(listed.length).toBeGreaterThan(100);
    expect(bill.components.filter(({ hashes }) => hashes[0]?.alg !== 'SHA-512')).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('CF-02 a release is published with its provenance', () => {
  const publishes = readFileSync('.github/workflows/release.yml', 'utf8').match(/npm publish.*/g) ?? [];
  expect(publishes).toHaveLength(2);
  expect(publishes.filter((line) => !line.includes('--provenance'))).toEqual([]);
});
