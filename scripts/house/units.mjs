// Groups the files of each subject and role into files of at most LIMIT lines, where no cycle and no clash of names arises:
// `node scripts/house/units.mjs src|web > units.json`.
import { place as placeSource, placeWeb } from './areas.mjs';
import { parse } from './parse.mjs';
import { bindings, reconcile } from './rename.mjs';
import { execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
const root = '.';
const isWeb = process.argv[2] === 'web';
const place = isWeb ? placeWeb : placeSource;
const MOST = 6; // renames in a file
const LIMIT = Number(process.env.LIMIT ?? 500);
const files = execSync(`git ls-files ${isWeb ? 'web/src' : 'src'}`, { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((f) => /\.tsx?$/.test(f));
const set = new Set(files);
const info = new Map();
const lazy = new Map();
const resolve = (f, s) => {
  const p = s.startsWith('#') ? `src/${s.slice(1)}.ts` : path.posix.join(path.posix.dirname(f), s);
  return set.has(p) ? p : null;
};
for (const f of files) {
  const { text, items } = parse(`${root}/${f}`);
  const out = new Set(),
    stars = new Set();
  let importLines = 0;
  const names = new Set();
  const locals = new Map();
  for (const { node, start, end } of items) {
    if (node.type === 'ImportDeclaration') {
      importLines += text.slice(start, end).split('\n').length;
      for (const s of node.specifiers) {
        const r = resolve(f, node.source.value);
        const imported =
          s.type === 'ImportNamespaceSpecifier'
            ? '*'
            : s.type === 'ImportDefaultSpecifier'
              ? 'default'
              : (s.imported?.value ?? s.local.value);
        locals.set(s.local.value, { from: r ?? node.source.value, imported });
        if (r && imported !== s.local.value) stars.add(r);
      }
    }
    if (node.source) {
      const p = resolve(f, node.source.value);
      if (p) out.add(p);
    }
    const d = node.type === 'ExportDeclaration' ? node.declaration : node;
    if (/^(FunctionDeclaration|ClassDeclaration)$/.test(d.type)) names.add(d.identifier.value);
    else if (/^Ts(Interface|TypeAlias|Enum)Declaration$/.test(d.type)) names.add(d.id.value);
    else if (d.type === 'VariableDeclaration')
      for (const v of d.declarations) if (v.id.type === 'Identifier') names.add(v.id.value);
  }
  for (const [, spec] of text.matchAll(/\bimport\(\s*'([^']+)'/g)) {
    const p = resolve(f, spec);
    if (p) lazy.set(p, [...(lazy.get(p) ?? []), f]);
  }
  info.set(f, { bound: bindings({ text, items }, (spec) => resolve(f, spec)), out, stars, names, locals, lines: text.split('\n').length - importLines });
}
// In the console: from which entries (the page's own and each lazily loaded module) a file is reached without waiting.
const everyFile = execSync('git ls-files web/src src', { encoding: 'utf8' }).trim().split('\n').filter((f) => /\.tsx?$/.test(f));
const everySet = new Set(everyFile);
const resolveAny = (f, x) => {
  const p = x.startsWith('#') ? `src/${x.slice(1)}.ts` : path.posix.join(path.posix.dirname(f), x);
  return everySet.has(p) ? p : null;
};
const valueEdges = new Map();
const lazyRoots = new Set(['web/src/main.tsx']);
for (const f of everyFile) {
  const { text, items } = parse(f);
  const edges = new Set();
  for (const { node } of items) {
    if (!node.source) continue;
    const p = resolveAny(f, node.source.value);
    const isType = node.typeOnly || (node.specifiers?.length > 0 && node.specifiers.every((x) => x.isTypeOnly));
    if (p && !isType) edges.add(p);
  }
  valueEdges.set(f, edges);
  if (f.startsWith('web/')) for (const [, x] of text.matchAll(/\bimport\(\s*'([^']+)'/g)) if (resolveAny(f, x)) lazyRoots.add(resolveAny(f, x));
}
const reachedFrom = new Map(everyFile.map((f) => [f, new Set()]));
for (const root of lazyRoots) {
  const todo = [root];
  while (todo.length) {
    const f = todo.pop();
    if (reachedFrom.get(f).has(root)) continue;
    reachedFrom.get(f).add(root);
    todo.push(...valueEdges.get(f));
  }
}
const chunkOf = (f) => {
  const r = reachedFrom.get(f);
  if (r.size === 0) return 'none';
  if (r.has('web/src/main.tsx')) return 'first';
  return isWeb ? [...r].sort().join() : r.has('web/src/signed-in.tsx') ? 'signed-in' : r.has('web/src/pages/request/RequestPage.tsx') ? 'request' : 'later';
};
const isReachedAlike = (a, b) => {
  const of = (u) => new Set(members.get(u).map(chunkOf).filter((c) => c !== 'none'));
  return new Set([...of(a), ...of(b)]).size <= 1;
};
// units: union-find
const unit = new Map(files.map((f) => [f, f]));
const members = new Map(files.map((f) => [f, [f]]));
const size = (u) => members.get(u).reduce((s, f) => s + info.get(f).lines, 0);
const outs = (u) =>
  new Set(
    members
      .get(u)
      .flatMap((f) => [...info.get(f).out].map((p) => unit.get(p)))
      .filter((x) => x !== u),
  );
function reaches(from, to) {
  // path from -> to of length >= 2 or via others
  const seen = new Set();
  const stack = [...outs(from)].filter((x) => x !== to);
  while (stack.length) {
    const u = stack.pop();
    if (u === to) return true;
    if (seen.has(u)) continue;
    seen.add(u);
    for (const v of outs(u)) stack.push(v);
  }
  return false;
}
function collides(a, b) {
  const way = reconcile([...members.get(a), ...members.get(b)], (f) => info.get(f).bound);
  return way === undefined ? ['exported twice'] : way.count > MOST ? [`${way.count} renames`] : [];
}
const alone = (f) =>
  /^web\/src\/[^/]+$/.test(f) ||
  /core\/policy\/terms\/require\/|config\/env|without-eval|known-tools\/|harness\/adapters\/(claude-code|codex|copilot-cli|cursor|gemini-cli|opencode|adapters)|src\/(cli\/main|server\/(server|listener)|sdk\/(client\/client|mcp\/assentry(-v2)?|host\/assentry-host|agents\/assentry-agents|testing\/assentry-testing))\.ts|^src\/messages|skeletons|\/(english|german|french)[^/]*\.ts$/.test(
    f,
  );
/** Are both loaded lazily, and by the same module? */
function lazyTogether(a, b) {
  const by = (u) => members.get(u).filter((f) => lazy.has(f)).map((f) => lazy.get(f));
  const [x, y] = [by(a), by(b)];
  const isLazy = (u) => members.get(u).every((f) => lazy.has(f) || [...importers.get(f)].every((i) => unit.get(i) === u));
  return x.length > 0 && y.length > 0 && isLazy(a) && isLazy(b) && x.flat().some((f) => y.flat().includes(f));
}
let refusedCycle = 0,
  refusedNames = 0;
function tryMerge(a, b, anySize = false) {
  // b into a
  a = unit.get(a);
  b = unit.get(b);
  if (a === b) return true;
  const isOnly = (x, y) =>
    members
      .get(y)
      .every((f) => !lazy.has(f) && [...importers.get(f)].every((i) => unit.get(i) === x || unit.get(i) === y));
  if (!lazyTogether(a, b) && (members.get(b).some((f) => lazy.has(f)) || (members.get(a).some((f) => lazy.has(f)) && !isOnly(a, b))))
    return false;
  if (!isReachedAlike(a, b)) return false;
  if (members.get(a).some(alone) || members.get(b).some(alone)) return false;
  if (!anySize && (size(a) + size(b) > LIMIT || (nounOf(a) && nounOf(b)))) return false;
  if (collides(a, b).length) {
    refusedNames++;
    return false;
  }
  if (reaches(a, b) || reaches(b, a)) {
    refusedCycle++;
    return false;
  }
  for (const f of members.get(b)) unit.set(f, a);
  members.set(a, [...members.get(a), ...members.get(b)]);
  members.delete(b);
  return true;
}
const importers = new Map(files.map((f) => [f, new Set()]));
for (const [f, { out }] of info) for (const p of out) importers.get(p).add(f);
const groups = new Map();
for (const f of files) {
  const { area, role } = place(f);
  const k = `${area}:${role}`;
  if (!groups.has(k)) groups.set(k, []);
  groups.get(k).push(f);
}
const mains = new Map(); // file -> noun of the unit that holds it
const nounOf = (u) => members.get(u).map((f) => mains.get(f)).find(Boolean);
for (const line of readFileSync(isWeb ? 'scripts/house/web-nouns.txt' : 'scripts/house/nouns.txt', 'utf8').trim().split('\n')) {
    const [head, tail] = line.split(' < ');
    const [group, noun] = head.split(' ');
    const listed = tail.split(' ').map((name) => {
      const hits = (groups.get(group) ?? []).filter((f) => f.replace(/\.tsx?$/, '').endsWith('/' + name));
      if (hits.length !== 1) console.error(`${group} ${noun}: ${name} is ${hits.length} files`);
      return hits[0];
    }).filter(Boolean);
    if (listed.length === 0) continue;
    for (let again = true; again;) {
      again = false;
      for (const a of listed) for (const b of listed) if (unit.get(a) !== unit.get(b) && tryMerge(a, b, true)) again = true;
    }
    const us = [...new Set(listed.map((f) => unit.get(f)))];
    if (us.length > 1) {
      console.error(`${group} ${noun}: ${us.map((u) => members_(u)).join(' | ')}`);
      for (const [i, a] of us.entries()) for (const b of us.slice(i + 1)) console.error('    ' + why(a, b));
    }
    us.sort((a, b) => size(b) - size(a));
    mains.set(us[0], noun);
  }
function members_(u) { return members.get(u).map((f) => path.basename(f).replace(/\.ts$/, '')).join(' '); }
function why(a, b) {
  const [n, m] = [path.basename(a), path.basename(b)];
  if (members.get(a).some(alone) || members.get(b).some(alone)) return `${n} ${m}: alone`;
  if (members.get(b).some((f) => lazy.has(f)) || members.get(a).some((f) => lazy.has(f))) return `${n} ${m}: lazy ${[...members.get(a), ...members.get(b)].filter((f) => lazy.has(f)).map((f) => f + ' from ' + lazy.get(f))}`;
  const c = collides(a, b);
  if (c.length) return `${n} ${m}: names ${c}`;
  return `${n} ${m}: cycle via ${between(a, b) ?? between(b, a)}`;
}
function between(from, to) {
  const seen = new Map();
  const stack = [...outs(from)].filter((x) => x !== to);
  for (const x of stack) seen.set(x, null);
  while (stack.length) {
    const u = stack.shift();
    for (const v of outs(u)) {
      if (v === to) { const way = [u]; for (let x = seen.get(u); x; x = seen.get(x)) way.unshift(x); return way.join(' > '); }
      if (!seen.has(v) && v !== from) { seen.set(v, u); stack.push(v); }
    }
  }
}
for (const all of groups.values()) {
  const fs = all;
  const inGroup = new Set(fs);
  // 1: only importer in the same group
  for (const f of fs) {
    const im = [...importers.get(f)];
    if (im.length === 1 && inGroup.has(im[0])) tryMerge(im[0], f);
  }
  // 2: all importers inside one unit
  for (let again = true; again;) {
    again = false;
    for (const f of fs) {
      const us = new Set([...importers.get(f)].map((x) => unit.get(x)));
      us.delete(unit.get(f));
      if (us.size === 1 && inGroup.has([...us][0]) && unit.get(f) === f) again = tryMerge([...us][0], f) || again;
    }
  }
  // 3: neighbours by size, largest affinity first
  for (let again = true; again;) {
    again = false;
    const units = [...new Set(fs.map((f) => unit.get(f)))].sort((a, b) => size(a) - size(b));
    outer: for (const a of units)
      for (const b of units)
        if (
          a !== b &&
          members.has(a) &&
          members.has(b) &&
          (outs(a).has(b) || outs(b).has(a) || (isWeb && size(a) + size(b) <= 250 && path.dirname(a) === path.dirname(b) && !/^(ui|client):/.test(place(a).area + ':'))) &&
          tryMerge(size(a) >= size(b) ? a : b, size(a) >= size(b) ? b : a)
        ) {
          again = true;
          break outer;
        }
  }
  // 4: what is left of a small part of a subject
  if (!isWeb && /^(?!platform|gateway|sdk|server|cli|words|policies\/terms)[^:]*\//.test(place(fs[0]).area))
    for (let again = true; again;) {
      again = false;
      const units = [...new Set(fs.map((f) => unit.get(f)))].filter((u) => !nounOf(u)).sort((a, b) => size(a) - size(b));
      outer: for (const a of units)
        for (const b of units)
          if (a !== b && size(a) + size(b) <= 350 && tryMerge(size(a) >= size(b) ? a : b, size(a) >= size(b) ? b : a)) {
            again = true;
            break outer;
          }
    }
}
console.error(
  `${files.length} files, ${members.size} after: ${refusedCycle} joins refused for a cycle, ${refusedNames} for names`,
);
console.log(JSON.stringify({ members: Object.fromEntries(members), nouns: Object.fromEntries([...members.keys()].flatMap((u) => (nounOf(u) ? [[u, nounOf(u)]] : []))) }, null, 1));
