// Compares the top-level declarations of two versions of the source, wherever they are: `node scripts/declarations.mjs HEAD~1`
// names each declaration that one has and the other has not. Imports, `export`, comments, line breaks and the order of
// declarations do not count, so that after files were only moved and joined nothing is printed. Without a second
// commit the other version is the working tree.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';

const folders = ['src', 'web/src'];
const [before, after] = process.argv.slice(2);
if (before === undefined) {
  console.error('Name a commit: node scripts/declarations.mjs COMMIT [COMMIT]');
  process.exit(2);
}
const [old, now] = [declarationsAt(before), declarationsAt(after)];
const [lost, added] = [differing(old, now), differing(now, old)];
for (const name of lost) console.log(`- ${name}`);
for (const name of added) console.log(`+ ${name}`);
console.log(`${count(old)} declarations before, ${count(now)} now: ${lost.length} lost, ${added.length} added`);
process.exitCode = lost.length + added.length === 0 ? 0 : 1;

/** By digest, the places of each declaration. */
function declarationsAt(commit) {
  const places = new Map();
  for (const file of filesAt(commit)) {
    const text = commit === undefined ? readFileSync(file, 'utf8') : git('show', `${commit}:${file}`);
    const { body } = parseSync(text, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'es2024' });
    for (const item of body) {
      if (/^(?:ImportDeclaration|ExportNamedDeclaration|ExportAllDeclaration)$/.test(item.type)) continue;
      const node = item.type === 'ExportDeclaration' ? item.declaration : item;
      const digest = createHash('sha256').update(JSON.stringify(node, withoutPlace)).digest('hex');
      places.set(digest, [...(places.get(digest) ?? []), `${nameOf(node)}  ${file}`]);
    }
  }
  return places;
}

function filesAt(commit) {
  const list =
    commit === undefined
      ? ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...folders]
      : ['ls-tree', '-r', '--name-only', commit, '--', ...folders];
  const isGone = new Set(commit === undefined ? git('ls-files', '--deleted').split('\n') : []);
  return git(...list)
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !isGone.has(file));
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
}

function withoutPlace(key, value) {
  return /^(?:span|start|end|ctxt|\w+Ctxt)$/.test(key) ? undefined : value;
}

function nameOf(node) {
  const { identifier, id, declarations = [] } = node;
  return identifier?.value ?? id?.value ?? (declarations.map((each) => each.id.value).join(', ') || node.type);
}

/** Names of what one has more often than the other. */
function differing(of, other) {
  return [...of].flatMap(([digest, names]) => names.slice(other.get(digest)?.length ?? 0)).sort();
}

function count(of) {
  return [...of.values()].flat().length;
}
