import { execFile, spawnSync } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const needs = 'apt-get install --no-install-recommends golang-go golang-golang-x-mod-dev';

/** Builds the verifier of examples/verify-log, which is Go's own library for logs and none of our code. */
export function buildForeignVerifier(directory: string): ForeignVerifier {
  const program = path.join(directory, 'verify-log');
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: path.join(directory, 'go') };
  const build = spawnSync('go', ['build', '-o', program, '.'], { cwd: 'examples/verify-log', env, encoding: 'utf8' });
  if (build.status !== 0)
    throw new TypeError(`Install Go and its library for logs: ${needs}\n${build.stderr ?? build.error?.message}`);
  return async (...words) => (await promisify(execFile)(program, words)).stdout;
}

/** What it prints; rejects if it found something wrong. */
export type ForeignVerifier = (...words: string[]) => Promise<string>;
