// Groups the files of each subject and role into files of at most LIMIT lines, where no cycle and no clash of names arises:
// `node scripts/house/units.mjs src|web > units.json`.
import { place as placeSource, placeWeb } from './areas.mjs';
import { parse } from './parse.mjs';
import { execSync } from 'node:child_process';
import path from 'node:path';
const root = '.';
const isWeb = process.argv[2] === 'web';
const place = isWeb ? placeWeb : placeSource;
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
  info.set(f, { out, stars, names, locals, lines: text.split('\n').length - importLines });
}
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
  const na = members.get(a).flatMap((f) => [...info.get(f).names]);
  const nb = new Set(members.get(b).flatMap((f) => [...info.get(f).names]));
  const bad = na.filter((n) => nb.has(n));
  const [ma, mb] = [members.get(a), members.get(b)];
  for (const [x, y] of [
    [ma, mb],
    [mb, ma],
  ]) {
    const declared = new Map(y.flatMap((f) => [...info.get(f).names].map((n) => [n, f])));
    const inY = new Map(y.flatMap((f) => [...info.get(f).locals]));
    for (const f of x) {
      for (const [local, { from, imported }] of info.get(f).locals) {
        if (declared.has(local) && !(from === declared.get(local) && imported === local)) bad.push(local);
        if (y.includes(from) && imported !== local) bad.push(local);
        const other = inY.get(local);
        if (other && (other.from !== from || other.imported !== imported)) bad.push(local);
      }
    }
  }
  return bad;
}
const alone = (f) =>
  /^web\/src\/[^/]+$/.test(f) ||
  /core\/policy\/terms\/require\/|known-tools\/|harness\/adapters\/|channels\/(slack|msteams|pagerduty|standard|email|push)\/|src\/(cli\/main|server\/(server|listener)|sdk\/(client\/client|mcp\/assentry(-v2)?|host\/assentry-host|agents\/assentry-agents|testing\/assentry-testing))\.ts|^src\/messages|skeletons|\/(english|german|french)[^/]*\.ts$/.test(
    f,
  );
let refusedCycle = 0,
  refusedNames = 0;
function tryMerge(a, b) {
  // b into a
  a = unit.get(a);
  b = unit.get(b);
  if (a === b) return true;
  const isOnly = (x, y) =>
    members
      .get(y)
      .every((f) => !lazy.has(f) && [...importers.get(f)].every((i) => unit.get(i) === x || unit.get(i) === y));
  if (members.get(b).some((f) => lazy.has(f)) || (members.get(a).some((f) => lazy.has(f)) && !isOnly(a, b)))
    return false;
  if (members.get(a).some(alone) || members.get(b).some(alone)) return false;
  if (size(a) + size(b) > LIMIT) return false;
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
for (const fs of groups.values()) {
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
          (outs(a).has(b) || outs(b).has(a) || path.dirname(a) === path.dirname(b)) &&
          tryMerge(size(a) >= size(b) ? a : b, size(a) >= size(b) ? b : a)
        ) {
          again = true;
          break outer;
        }
  }
}
console.error(
  `${files.length} files, ${members.size} after: ${refusedCycle} joins refused for a cycle, ${refusedNames} for names`,
);
console.log(JSON.stringify(Object.fromEntries(members), null, 1));
