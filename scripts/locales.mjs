// Compiles `locales/<subject>.<language>.json`, ICU MessageFormat, into typed functions below `src/locales`. English says
// which keys, which parameters and which types there are; another language that differs in them is a fault.
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { emitModule } from './locales/emit.mjs';
import { readSignature, usesIn } from './locales/signature.mjs';

export const languages = ['en', 'de', 'fr'];

/** Writes the modules of all subjects; those that have not changed keep their time. Returns the faults. */
export function compileLocales(source = 'locales', target = 'src/locales') {
  const subjects = readdirSync(source).flatMap((file) => /^(.+)\.en\.json$/.exec(file)?.[1] ?? []);
  const compiled = subjects.map((subject) => compileSubject(source, subject));
  const faults = compiled.flatMap((subject) => subject.faults);
  if (faults.length > 0) return faults;
  const modules = new Map(compiled.flatMap((subject) => subject.modules));
  mkdirSync(target, { recursive: true });
  for (const file of readdirSync(target)) if (!modules.has(file)) rmSync(path.join(target, file), { recursive: true });
  for (const [file, text] of modules) writeIfChanged(path.join(target, file), text);
  return [];
}

function compileSubject(source, subject) {
  const faults = [];
  const entries = languages.map((language) => {
    const file = path.join(source, `${subject}.${language}.json`);
    const fault = (key, what) => faults.push(`${file}: ${key}: ${what}`);
    return { language, fault, words: readWords(file, faults) };
  });
  if (faults.length > 0) return { faults };
  const [english, ...others] = entries;
  english.tree = readGroup(english.words, '', english.fault);
  for (const other of others) other.tree = readGroup(other.words, '', other.fault, english.tree);
  for (const other of others) compare(english.tree, other.tree, other.fault);
  if (faults.length > 0) return { faults };
  const own = entries.map(({ language, tree }) => [
    `${subject}.${language}.ts`,
    emitModule(tree, english.tree, language),
  ]);
  return { faults, modules: [...own, [`${subject}.ts`, emitIndex(subject)]] };
}

function readWords(file, faults) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    faults.push(`${file}: ${error.message}`);
    return {};
  }
}

/**
 * A group of keys. English has notes: `"@key": "name, votes: number"` is the signature of a message, the type of a group, or
 * `text` for what is no message: its braces and quotation marks stand for themselves.
 */
function readGroup(words, at, fault, english, isText = false) {
  const keys = Object.keys(words).filter((key) => !key.startsWith('@'));
  for (const note of Object.keys(words).filter((key) => key.startsWith('@'))) {
    if (english) fault(`${at}${note}`, 'only English has notes');
    if (!keys.includes(note.slice(1))) fault(`${at}${note}`, 'belongs to no key');
  }
  const entries = keys.map((key) => {
    if (at === '' && !/^[a-z]\w*$/i.test(key)) fault(key, 'is no name of an export');
    const model = english?.entries?.get(key);
    const note = words[`@${key}`];
    return [key, readWord(words[key], note, `${at}${key}`, fault, model, isText || (model?.isText ?? note === 'text'))];
  });
  return { kind: 'group', entries: new Map(entries) };
}

function readWord(word, note, at, fault, model, isText) {
  if (typeof word === 'object' && !Array.isArray(word))
    return { ...readGroup(word, `${at}.`, fault, model, isText), isText, type: note === 'text' ? undefined : note };
  const parts = [word].flat().map((text) => (isText ? literal(text) : parseMessage(text, at, fault)));
  const names = isText ? [...String(word).matchAll(/(?<=\{)[a-z]\w*(?=\})/gi)].map(String) : [...usesIn(parts).keys()];
  const signature = isText ? { parameters: [] } : readSignature(note, parts, (what) => fault(at, what));
  return { kind: 'message', isList: Array.isArray(word), isText, parts, names, signature };
}

const literal = (value) => [{ type: TYPE.literal, value }];

function parseMessage(text, at, fault) {
  try {
    const nodes = parse(text, { ignoreTag: true, requiresOtherClause: true });
    for (const what of refuse(nodes)) fault(at, what);
    return nodes;
  } catch (error) {
    fault(at, `no ICU message: ${error.message}`);
    return [];
  }
}

const styles = new Set([undefined, null, 'duration']);

/** What ICU has and is not compiled. */
function refuse(nodes) {
  return nodes.flatMap((node) => {
    const options = Object.entries(node.options ?? {});
    const below = options.flatMap(([, { value }]) => refuse(value));
    if (node.type === TYPE.date || node.type === TYPE.time) return [`{${node.value}} is a moment: give it as text`];
    if (node.type === TYPE.number && !styles.has(node.style) && node.style.parsedOptions?.style !== 'percent')
      return [`{${node.value}} has no style that is compiled`];
    if (node.type !== TYPE.plural) return below;
    const unknown = options.map(([key]) => key).filter((key) => !/^(?:=\d+|one|other)$/.test(key));
    const isOrdinal = node.pluralType !== 'cardinal' || node.offset !== 0;
    return [...below, ...unknown.map((key) => `{${node.value}} has ${key}`), ...(isOrdinal ? ['has an ordinal'] : [])];
  });
}

function compare(english, other, fault, at = '') {
  for (const key of english.entries.keys()) if (!other.entries.has(key)) fault(`${at}${key}`, 'is missing');
  for (const [key, word] of other.entries) {
    const model = english.entries.get(key);
    if (!model) fault(`${at}${key}`, 'English has no such key');
    else if (model.kind !== word.kind || model.isList !== word.isList) fault(`${at}${key}`, 'English has another kind');
    else if (word.kind === 'group') compare(model, word, fault, `${at}${key}.`);
    else compareNames(model, word.names, (what) => fault(`${at}${key}`, what));
  }
}

function compareNames({ signature, names: own, isText }, names, fault) {
  const expected = isText ? own.map((name) => ({ name })) : signature.parameters;
  for (const { name, isOptional } of expected) if (!isOptional && !names.includes(name)) fault(`has no {${name}}`);
  for (const name of names)
    if (!expected.some((parameter) => parameter.name === name)) fault(`English has no {${name}}`);
}

/** All languages of a subject; a page of the console is built with its own in place of each. */
function emitIndex(subject) {
  const name = `${subject.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase())}Words`;
  return `${languages.map((language) => `import * as ${language} from './${subject}.${language}.ts';\n`).join('')}
export const ${name}: { ${languages.map((language) => `${language}: typeof en`).join('; ')} } = { ${languages.join(', ')} };
`;
}

function writeIfChanged(file, text) {
  const readOld = () => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return undefined;
    }
  };
  if (readOld() !== text) writeFileSync(file, text);
}
