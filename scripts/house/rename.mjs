// Renames what a file declares or imports for itself alone, wherever the file names it.
import { parseSync } from '@swc/core';
import path from 'node:path';

const keys = {
  KeyValueProperty: ['key'],
  MethodProperty: ['key'],
  GetterProperty: ['key'],
  SetterProperty: ['key'],
  AssignmentProperty: ['key'],
  KeyValuePatternProperty: ['key'],
  ClassProperty: ['key'],
  ClassMethod: ['key'],
  TsPropertySignature: ['key'],
  TsMethodSignature: ['key'],
  TsGetterSignature: ['key'],
  JSXAttribute: ['name'],
  JSXMemberExpression: ['property'],
  ImportSpecifier: ['imported'],
  TsQualifiedName: ['right'],
  TsEnumMember: ['id'],
  LabeledStatement: ['label'],
  TsTupleElement: ['label'],
};
/** Text of a file with some of its names replaced, `{ old: new }`. */
export function rename(text, file, names) {
  const ast = parseSync(text, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'es2024' });
  const bytes = Buffer.from(text);
  const lead = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/.exec(text)[0];
  const base = ast.body[0].span.start - Buffer.byteLength(lead);
  const edits = new Map();
  const put = (node, to) => edits.set(node.span.start - base, { end: node.span.end - base, old: node.value, to });
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    if (node.type === 'Identifier') {
      if (names.has(node.value)) put(node, names.get(node.value));
      visit(node.typeAnnotation);
      return;
    }
    if (node.type === 'ObjectExpression') {
      for (const p of node.properties)
        if (p.type === 'Identifier') {
          if (names.has(p.value)) put(p, `${p.value}: ${names.get(p.value)}`);
        } else visit(p);
      return;
    }
    if (node.type === 'AssignmentPatternProperty') {
      const key = node.key;
      if (names.has(key.value)) put(key, `${key.value}: ${names.get(key.value)}`);
      visit(node.value);
      return;
    }
    if (node.type === 'ImportSpecifier') {
      const to = names.get(node.local.value);
      if (to) put(node.local, node.imported ? to : `${node.local.value} as ${to}`);
      return;
    }
    if (/^JSX(Opening|Closing)Element$/.test(node.type) && node.name.type === 'Identifier' && /^[a-z]/.test(node.name.value)) {
      visit(node.attributes);
      return;
    }
    for (const [part, child] of Object.entries(node)) {
      if (part === 'span' || part === 'ctxt') continue;
      if (keys[node.type]?.includes(part) && child?.type === 'Identifier') continue;
      if (node.type === 'MemberExpression' && part === 'property' && child.type === 'Identifier') continue;
      if (node.type === 'SuperPropExpression' && part === 'property' && child.type === 'Identifier') continue;
      visit(child);
    }
  };
  visit(ast.body);
  let out = bytes;
  for (const [start, { end, old, to }] of [...edits].sort(([a], [b]) => b - a)) {
    const word = Buffer.from(old);
    if (!out.subarray(start, start + word.length).equals(word)) throw new Error(`${file}: ${old} is not at ${start}`);
    void end;
    out = Buffer.concat([out.subarray(0, start), Buffer.from(to), out.subarray(start + word.length)]);
  }
  return out.toString();
}
const pascal = (name) => name.replace(/(?:^|[-.])(\w)/g, (_, c) => c.toUpperCase());
const camel = (name) => pascal(name).replace(/^\w/, (c) => c.toLowerCase());
const names = {
  'export.ts VerifyOptions': 'ExportCheckOptions',
  'export.ts verify': 'verifyExport',
  'api-key.ts shape': 'keyShape',
  'shown-token.ts shape': 'tokenShape',
  'totp-code.ts openTotp': 'openTotpSecret',
  'asked-changes.ts Asking': 'ChangeAsking',
  'asking-rounds.ts Asking': 'RoundAsking',
  'gated-tool.ts describeTool': 'describeGatedTool',
  'ask-each.ts Part': 'AnswerPart',
  'ask-each.ts timeoutMs': 'eachTimeoutMs',
  'for-client.ts taskOf': 'clientTaskOf',
  'upstream-tokens.ts margin': 'tokenMargin',
  'show-facts.ts Placed': 'PlacedFact',
  'route-contract.ts Permission': 'RoutePermission',
  'tool.ts changed': 'changedTool',
  'custom-role.ts permissions': 'allPermissions',
  'lint-choices.ts misplacedSentence': 'misplacedChoice',
  'connection-fault.ts codeOf': 'faultCodeOf',
  'request-flow.ts OpenElicitation': 'RequestToOpen',
  'request-flow.ts at': 'atStep',
  'credential-pages.ts CredentialForm': 'CredentialFormBody',
  'slack-client.ts plain': 'plainText',
  'server-changes.ts Wanted': 'WantedOfServer',
  'erase-passed.ts Reason': 'PassedReason',
  'kept-by-holds.ts Reading': 'HoldReading',
  'answer-page.ts FormContent': 'AnsweredForm',
  'own-sessions.ts SessionEngine': 'OwnSessionEngine',
  'WhoAsks.tsx Fact': 'AskerFact',
  'shows-text.ts Shown': 'ShownTexts',
  'use-code.ts words': 'codeWords',
  'entry-facts.ts Entry': 'FactEntry',
  'PassedArguments.tsx Content': 'PassedContent',
  'AdminTokens.tsx Name': 'TokenName',
  'period-of.ts grammar': 'periodGrammar',
  'RecordEntries.tsx RequestRecord': 'RecordAnswer',
  'LogEntries.tsx LogPage': 'LogAnswer',
  'next-stage.ts Users': 'StageUsers',
  'assert-no-dead-end.ts Users': 'StageUsers',
};
/** Another name for what a file calls so. */
export function otherName(file, name) {
  const chosen = names[`${path.basename(file)} ${name}`];
  if (chosen) return chosen;
  const base = path.basename(file).replace(/\.tsx?$/, '');
  if (name === 'classes') return `${camel(base)}Classes`;
  if (/^[A-Z]/.test(name)) return `${pascal(base)}${name}`;
  return `${camel(base)}${pascal(name)}`;
}
/** What a file binds at its top: by name, whether it is exported, where an import comes from, and the text of a declaration. */
export function bindings({ text, items }, resolve) {
  const out = new Map();
  for (const { node, start, end } of items) {
    if (node.type === 'ImportDeclaration') {
      for (const s of node.specifiers) {
        const imported =
          s.type === 'ImportNamespaceSpecifier' ? '*' : s.type === 'ImportDefaultSpecifier' ? 'default' : (s.imported?.value ?? s.local.value);
        const from = resolve(node.source.value) ?? node.source.value;
        out.set(s.local.value, { kind: 'import', from, imported, identity: `${from}:${imported}`, exported: false });
      }
      continue;
    }
    const exported = node.type === 'ExportDeclaration' || node.type === 'ExportDefaultDeclaration';
    const d = node.type === 'ExportDeclaration' ? node.declaration : node;
    const names = /^(FunctionDeclaration|ClassDeclaration)$/.test(d.type)
      ? [d.identifier.value]
      : /^Ts(Interface|TypeAlias|Enum)Declaration$/.test(d.type)
        ? [d.id.value]
        : d.type === 'VariableDeclaration'
          ? d.declarations.flatMap((v) => (v.id.type === 'Identifier' ? [v.id.value] : patternNames(v.id)))
          : [];
    for (const n of names)
      out.set(n, { kind: 'decl', exported, text: text.slice(start, end).replace(/\s+/g, ' '), single: names.length === 1, start, end, identity: null });
  }
  return out;
}
function patternNames(p) {
  if (!p || typeof p !== 'object') return [];
  if (p.type === 'Identifier') return [p.value];
  if (p.type === 'ObjectPattern')
    return p.properties.flatMap((q) => (q.type === 'AssignmentPatternProperty' ? [q.key.value] : patternNames(q.value ?? q.argument)));
  if (p.type === 'ArrayPattern') return p.elements.flatMap(patternNames);
  return [];
}
/**
 * How files can share one: what to rename in each, and which declarations to drop because another says the same.
 * `order` lists the files, the one that keeps its names first. Undefined if two export the same name.
 */
export function reconcile(order, bindingsOf) {
  const renames = new Map(order.map((f) => [f, new Map()]));
  const drops = new Map(order.map((f) => [f, new Set()]));
  const byName = new Map();
  for (const f of order)
    for (const [name, b] of bindingsOf(f)) {
      if (b.kind === 'import' && order.includes(b.from)) {
        if (b.imported !== name) return undefined;
        continue; // will be the declaration itself
      }
      if (!byName.has(name)) byName.set(name, []);
      byName.get(name).push({ f, b });
    }
  const used = new Set(byName.keys());
  let count = 0;
  for (const [name, all] of byName) {
    if (all.length < 2) continue;
    const kinds = new Map(); // identity -> entries
    for (const e of all) {
      const twin = all.find((o) => o.b.kind === 'decl' && !o.b.exported && o.b.text === e.b.text);
      const isTwin = twin && twin !== e && meansTheSame(name, e, twin, bindingsOf);
      const id =
        e.b.kind === 'import' ? e.b.identity : e.b.exported ? `exported:${e.f}` : `local:${isTwin || twin === e ? '' : e.f}${e.b.text}`;
      if (!kinds.has(id)) kinds.set(id, []);
      kinds.get(id).push(e);
    }
    const exportedOnes = [...kinds.keys()].filter((id) => id.startsWith('exported:'));
    if (exportedOnes.length > 1) return undefined;
    for (const [id, es] of kinds)
      if (id.startsWith('local:')) {
        if (es.length > 1 && (!es[0].b.single || !/^(?:type|interface|const|function|async function)/.test(es[0].b.text))) return undefined;
        for (const e of es.slice(1)) drops.get(e.f).add(name);
      }
    const keep = exportedOnes[0] ?? [...kinds.keys()][0];
    for (const [id, es] of kinds) {
      if (id === keep) continue;
      const to = otherName(es[0].f, name);
      if (used.has(to)) return undefined;
      used.add(to);
      for (const e of es) renames.get(e.f).set(name, to);
      count += name === 'classes' ? 0 : 1;
    }
  }
  // a name that one file imports from another of the group, and that is renamed there, cannot be followed: only unexported ones are
  return { renames, drops, count };
}
/** Do two declarations of the same text name the same things? */
function meansTheSame(name, a, b, bindingsOf) {
  const [x, y] = [bindingsOf(a.f), bindingsOf(b.f)];
  return (a.b.text.match(/[A-Za-z_$][\w$]*/g) ?? []).every((word) => {
    if (word === name) return true;
    const [p, q] = [x.get(word), y.get(word)];
    if (!p && !q) return true;
    if (!p || !q) return false;
    if (p.kind === 'import' && q.kind === 'import') return p.identity === q.identity;
    if (p.kind === 'import') return p.from === b.f && p.imported === word;
    if (q.kind === 'import') return q.from === a.f && q.imported === word;
    return false;
  });
}
