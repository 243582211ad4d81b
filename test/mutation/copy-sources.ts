import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Fault } from './fault.ts';

/**
 * Everything but history and packages, which are lent, in a new directory. What is compiled comes with its times, so
 * that it stays valid.
 */
export function copySources(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'mutation-'));
  const isLeft = new Set(['.git', 'node_modules', 'dist', 'test-results'].map((name) => path.resolve(name)));
  const filter = (source: string): boolean => !isLeft.has(path.resolve(source));
  cpSync('.', root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, filter });
  symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'));
  return root;
}

/** Puts the fault into this copy; returns what takes it out again. */
export function putFault(root: string, { file, text, becomes }: Omit<Fault, 'tests'>): () => void {
  const place = path.join(root, file);
  const clean = readFileSync(place, 'utf8');
  writeFileSync(
    place,
    clean.replace(text, () => becomes),
  );
  return () => writeFileSync(place, clean);
}
