// Moves and joins source files by a plan, `{ "new path": ["old path", …] }`, and rewrites every import:
// `node scripts/house/fold.mjs . plan.json [--write]`. Declarations that are read while a file loads come before their readers.
import { parse } from './parse.mjs';
import { bindings, reconcile, rename } from './rename.mjs';
import { execSync } from 'node:child_process';
import { readFileSync, writeFileSync, mkdirSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
const [root, planFile] = process.argv.slice(2);
const plan = JSON.parse(readFileSync(planFile, 'utf8'));
const list = (args) =>
  execSync(`git ls-files ${args}`, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }).trim().split('\n').filter(Boolean);
const code = list('src web/src test scripts examples prisma.config.ts web').filter(
  (f) => /\.(?:tsx?|mjs|cjs|js)$/.test(f) && !f.includes('/generated/'),
);
const all = new Set(list(''));
const newOf = new Map();
for (const [to, froms] of Object.entries(plan))
  for (const from of froms) {
    if (!all.has(from)) throw new Error('no such file: ' + from);
    newOf.set(from, to);
  }
const where = (f) => newOf.get(f) ?? f;
const house = (f) => /^src\/([^/]+)\//.exec(f)?.[1];
function target(from, spec) {
  // old path a specifier leads to
  if (spec.startsWith('#')) {
    const p = `src/${spec.slice(1)}.ts`;
    return all.has(p) ? p : spec.startsWith('#server/generated') ? null : null;
  }
  if (!spec.startsWith('.')) return null;
  const p = path.posix.join(path.posix.dirname(from), spec);
  if (all.has(p)) return p;
  for (const e of ['.ts', '.tsx', '.mjs', '/index.ts']) if (all.has(p + e)) return p + e;
  const ts = p.replace(/\.js$/, '.ts');
  if (all.has(ts)) return ts;
  return null;
}
function spell(fromNew, toNew) {
  const inSrc = house(fromNew);
  const toHouse = house(toNew);
  if (toHouse && inSrc !== toHouse) return `#${toNew.slice(4).replace(/\.ts$/, '')}`;
  let rel = path.posix.relative(path.posix.dirname(fromNew), toNew);
  if (!rel.startsWith('.')) rel = './' + rel;
  return rel;
}
/** Text of a file with every path that it imports rewritten for its new place; static imports are left out if they are folded. */
const specPattern = /((?:\bfrom\s*|\bimport\s*\(?\s*|\bimport\s+)(['"]))([^'"\n]+)\2/g;
const generated = /^(?:#server\/generated|(?:\.\.?\/)+generated\/)/;
function respell(text, from, to) {
  return text.replace(specPattern, (m, head, quote, spec) => {
    const t = target(from, spec);
    if (t === null) {
      if (spec.startsWith('.') && generated.test(spec)) return m; // by hand
      if (spec.startsWith('.') && from !== to) {
        // assets
        const p = path.posix.join(path.posix.dirname(from), spec.split('?')[0]);
        if (all.has(p) || existsSync(`${root}/${p}`)) {
          let rel = path.posix.relative(path.posix.dirname(to), where(p));
          if (!rel.startsWith('.')) rel = './' + rel;
          return `${head}${rel}${spec.includes('?') ? spec.slice(spec.indexOf('?')) : ''}${quote}`;
        }
      }
      return m;
    }
    if (where(t) === t && from === to) return m;
    return `${head}${spell(to, where(t))}${quote}`;
  });
}
const problems = [];
const renamed = [];
const reexported = new Map();
const outputs = new Map();
for (const [to, froms] of Object.entries(plan)) {
  if (!/\.tsx?$/.test(to)) {
    outputs.set(to, readFileSync(`${root}/${froms[0]}`));
    if (froms.length > 1) problems.push(`${to}: joins files that are no code`);
    continue;
  }
  if (froms.length === 1) {
    outputs.set(to, respell(readFileSync(`${root}/${froms[0]}`, 'utf8'), froms[0], to));
    continue;
  }
  outputs.set(to, join(to, froms));
}
/** What a file exports of another: by name, from which file. */
function reexports(file) {
  if (!reexported.has(file)) {
    const map = new Map();
    for (const { node } of parse(`${root}/${file}`).items)
      if (node.type === 'ExportNamedDeclaration' && node.source)
        for (const s of node.specifiers) map.set((s.exported ?? s.orig).value, target(file, node.source.value));
    reexported.set(file, map);
  }
  return reexported.get(file);
}
/** Identifiers that are read when the file is loaded, and by what each declaration names. */
function reads(file, text) {
  const { items } = parse(file, text);
  const eager = new Set(),
    uses = new Map(),
    imports = new Set();
  const walk = (n, into, lazy) => {
    if (!n || typeof n !== 'object') return;
    if (Array.isArray(n)) {
      for (const x of n) walk(x, into, lazy);
      return;
    }
    if (/^Ts(Type|Interface|TypeAlias)/.test(n.type ?? '') && !/Expression|Assertion/.test(n.type)) return;
    if (
      !lazy &&
      /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|MethodProperty|ClassMethod|Constructor|PrivateMethod|GetterProperty|SetterProperty)$/.test(
        n.type ?? '',
      )
    )
      return;
    if (n.type === 'Identifier') into.add(n.value);
    if (n.type === 'MemberExpression') {
      walk(n.object, into, lazy);
      if (n.property.type === 'Computed') walk(n.property, into, lazy);
      return;
    }
    if (n.type === 'KeyValueProperty' || n.type === 'AssignmentProperty') {
      if (n.key.type === 'Computed') walk(n.key, into, lazy);
      walk(n.value, into, lazy);
      return;
    }
    for (const [k, v] of Object.entries(n))
      if (!['span', 'type', 'typeAnnotation', 'typeParams', 'typeArguments', 'returnType'].includes(k))
        walk(v, into, lazy);
  };
  for (const { node } of items) {
    if (node.type === 'ImportDeclaration') {
      const t = target(file, node.source.value);
      if (t) imports.add(t);
      continue;
    }
    const d = node.type === 'ExportDeclaration' ? node.declaration : node;
    const names = d.identifier
      ? [d.identifier.value]
      : d.type === 'VariableDeclaration'
        ? d.declarations.flatMap((v) => (v.id.type === 'Identifier' ? [v.id.value] : []))
        : [];
    const all = new Set();
    walk(d, all, true);
    for (const n of names) uses.set(n, all);
    walk(d, eager, false);
    if (d.type === 'ClassDeclaration') walk(d.superClass, eager, false);
  }
  return { eager, uses, imports };
}
function ordered(froms, textOf) {
  const info = new Map(froms.map((f) => [f, reads(f, textOf.get(f))]));
  const owner = new Map(froms.flatMap((f) => [...info.get(f).uses.keys()].map((n) => [n, f])));
  const before = new Map(froms.map((f) => [f, new Set()]));
  for (const f of froms) {
    const seen = new Set();
    const todo = [...info.get(f).eager];
    while (todo.length) {
      const n = todo.pop();
      if (seen.has(n)) continue;
      seen.add(n);
      const o = owner.get(n);
      if (!o) continue;
      if (o !== f) before.get(f).add(o);
      for (const m of info.get(o).uses.get(n) ?? []) if (owner.has(m)) todo.push(m);
    }
    before.get(f).delete(f);
  }
  // importers first
  const depth = new Map();
  const visit = (f) => {
    if (depth.has(f)) return depth.get(f);
    depth.set(f, 0);
    let d = 0;
    for (const g of froms) if (info.get(g).imports.has(f)) d = Math.max(d, visit(g) + 1);
    depth.set(f, d);
    return d;
  };
  for (const f of froms) visit(f);
  const wish = [...froms].sort((a, b) => depth.get(a) - depth.get(b) || froms.indexOf(a) - froms.indexOf(b));
  const out = [];
  const done = new Set();
  const open = new Set();
  const put = (f) => {
    if (done.has(f)) return;
    if (open.has(f)) {
      problems.push('eager cycle at ' + f);
      return;
    }
    open.add(f);
    for (const b of wish) if (before.get(f).has(b)) put(b);
    open.delete(f);
    done.add(f);
    out.push(f);
  };
  for (const f of wish) put(f);
  return out;
}
function join(to, froms) {
  const bound = new Map(froms.map((f) => [f, bindings(parse(`${root}/${f}`), (spec) => target(f, spec))]));
  const { renames, drops } = reconcile(froms, (f) => bound.get(f)) ?? { renames: new Map(), drops: new Map() };
  for (const [f, names] of renames) for (const [a, b] of names) renamed.push(`${to}: ${f} ${a} -> ${b}`);
  for (const [f, names] of drops) for (const a of names) renamed.push(`${to}: ${f} ${a} dropped`);
  const textOf = new Map(
    froms.map((f) => {
      const source = readFileSync(`${root}/${f}`, 'utf8');
      return [f, renames.get(f)?.size ? rename(source, f, renames.get(f)) : source];
    }),
  );
  froms = ordered(froms, textOf);
  const imports = new Map(); // key source -> {source, isSide, def, ns:[], named: Map(local -> {imported,type}), }
  const locals = new Map(); // local -> identity
  const bodies = [];
  const declared = new Map();
  for (const from of froms) {
    const { text, items } = parse(from, textOf.get(from));
    let body = '',
      at = 0;
    for (const { node, start, end } of items) {
      if (node.type === 'ImportDeclaration') {
        body += text.slice(at, start);
        at = end;
        if (text[at] === '\n') at += 1;
        const t = target(from, node.source.value);
        const dest = t === null ? null : where(t);
        const inside = dest === to;
        for (const s of node.specifiers) {
          const local = s.local.value;
          const imported =
            s.type === 'ImportNamespaceSpecifier'
              ? '*'
              : s.type === 'ImportDefaultSpecifier'
                ? 'default'
                : (s.imported?.value ?? local);
          let real = dest;
          if (inside) {
            if (imported !== local) problems.push(`${to}: ${from} imports ${imported} as ${local} from ${t}`);
            const again = reexports(t).get(imported);
            if (!again || where(again) === to) continue;
            real = where(again);
          }
          const source = dest ? spell(to, real) : respell(`from '${node.source.value}'`, from, to).slice(6, -1);
          const identity = `${source}:${imported}`;
          if (locals.has(local) && locals.get(local).identity !== identity)
            problems.push(`${to}: ${local} is ${locals.get(local).identity} and ${identity} (${from})`);
          const isType = node.typeOnly || s.isTypeOnly === true;
          const known = locals.get(local);
          if (known) known.isType &&= isType;
          else locals.set(local, { identity, source, imported, local, isType });
        }
        if (node.specifiers.length === 0)
          imports.set(node.source.value, { side: respell(`'${node.source.value}'`, from, to) });
      } else if (node.type === 'ExportNamedDeclaration' && node.source) {
        const t = target(from, node.source.value);
        if (t && where(t) === to) {
          body += text.slice(at, start);
          at = end;
          if (text[at] === '\n') at += 1;
          for (const s of node.specifiers)
            if (s.exported && s.exported.value !== s.orig.value)
              problems.push(`${to}: ${from} re-exports under another name`);
        }
      } else {
        const d = node.type === 'ExportDeclaration' ? node.declaration : node;
        const own = d.identifier
          ? [d.identifier.value]
          : d.id?.value
            ? [d.id.value]
            : d.type === 'VariableDeclaration'
              ? d.declarations.flatMap((v) => (v.id.type === 'Identifier' ? [v.id.value] : []))
              : [];
        if (own.some((n) => drops.get(from)?.has(n))) {
          body += text.slice(at, start).replace(/(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/|(?:\/\/[^\n]*\n\s*)+)\s*$/, '');
          at = end;
          continue;
        }
        for (const n of own) {
          if (declared.has(n) && declared.get(n) !== from)
            problems.push(`${to}: ${n} in ${declared.get(n)} and ${from}`);
          declared.set(n, from);
        }
      }
    }
    body += text.slice(at);
    bodies.push({
      from,
      text: respell(body, from, to)
        .replace(/^\s*\n/, '')
        .trimEnd(),
    });
  }
  for (const [local, { identity }] of locals)
    if (declared.has(local))
      problems.push(`${to}: ${local} is imported (${identity}) and declared in ${declared.get(local)}`);
  const bySource = new Map();
  for (const i of locals.values()) {
    if (!bySource.has(i.source)) bySource.set(i.source, []);
    bySource.get(i.source).push(i);
  }
  const head = [];
  for (const { side } of imports.values()) head.push(`import ${side};`);
  for (const [source, specs] of bySource) {
    const ns = specs.filter((s) => s.imported === '*');
    const def = specs.filter((s) => s.imported === 'default');
    const named = specs.filter((s) => !['*', 'default'].includes(s.imported));
    for (const n of ns) head.push(`import ${n.isType ? 'type ' : ''}* as ${n.local} from '${source}';`);
    for (const d of def) head.push(`import ${d.isType ? 'type ' : ''}${d.local} from '${source}';`);
    if (named.length === 0) continue;
    const allTypes = named.every((s) => s.isType);
    const one = (s) =>
      `${s.isType && !allTypes ? 'type ' : ''}${s.imported === s.local ? s.local : `${s.imported} as ${s.local}`}`;
    head.push(`import ${allTypes ? 'type ' : ''}{ ${named.map(one).join(', ')} } from '${source}';`);
  }
  return `${head.join('\n')}\n\n${bodies.map(({ text }) => text).join('\n\n')}\n`;
}
// files that stay: only their imports change
const rewritten = new Map();
for (const f of code) {
  if (newOf.has(f)) continue;
  const text = readFileSync(`${root}/${f}`, 'utf8');
  const next = respell(text, f, f);
  if (next !== text) rewritten.set(f, next);
}
for (const p of problems) console.log(p);
if (process.env.RENAMES) writeFileSync(process.env.RENAMES, renamed.join('\n') + '\n');
console.log(
  `${Object.keys(plan).length} new files of ${newOf.size}; ${rewritten.size} rewritten; ${problems.length} problems`,
);
if (process.argv.includes('--write')) {
  for (const from of newOf.keys()) rmSync(`${root}/${from}`);
  for (const [to, text] of outputs) {
    mkdirSync(path.dirname(`${root}/${to}`), { recursive: true });
    writeFileSync(`${root}/${to}`, text);
  }
  for (const [f, text] of rewritten) writeFileSync(`${root}/${f}`, text);
}
