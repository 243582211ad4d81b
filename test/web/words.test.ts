import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { languages, type Language } from '#platform/text/language';
import { refusalCodes } from '#requests/inbox/contract/refusal';
import { sentenceWords } from '#messages/sentence-words';
import { textWords } from '#messages/text-words';
import { sharedWords } from '#messages/shared-words';
import { codes } from '#locales/audit.en';
import { words as frenchAudit } from '#locales/audit.fr';
import { readTree } from '../architecture/source-tree.ts';
import { compiled } from '../support/compiled.ts';

type Words = Record<string, unknown>;

/** Every word by its key, such as `decide.approve`; of a function the number of its parameters. */
const keysOf = (words: unknown, at = ''): [string, unknown][] => {
  if (typeof words === 'function') return [[at, words.length]];
  if (typeof words !== 'object' || words === null) return [[at, words]];
  return Object.entries(words).flatMap(([key, value]) => keysOf(value, at === '' ? key : `${at}.${key}`));
};

/** The same word in two languages, or a name. */
const alike = new Set([
  'Assentry', 'Claude', 'Code', 'Cursor', 'Deutsch', 'English', 'Live', 'MCP-Client', 'Name', 'Person', 'Server', 'Start', 'Status', 'Text',
  'Tool', 'Tools', 'Version', 'optional', 'in ', 'U+', 'Esc', 'Enter', 'Lisu',
  'Inspector', 'TypeScript', 'VS Code', 'curl', '⌘K', 'Format', 'Microsoft Teams', 'PagerDuty', 'Browser', 'Test', 'Webhook', 'Webhooks', 'Workloads', 'server', 'person', 'agent', 'in', 'Passkey', 'Passkeys', 'System', 'Chat', 'Backups',
  'Français', 'min', 'Active', 'Vote', 'Votes', 'Agent', 'Confirmation', 'Discussion', 'Cause', 'Source', 'Notifications', 'Action', 'Actions', 'Versions', 'Note', 'Audit', 'Ctrl+K', 'Client', 'Question', 'Questions', 'Secret', 'Message', 'Arguments', '; ', 'Cherokee', 'version',
]); // prettier-ignore

/** Words that are the same in both languages, apart from those that may be. */
const untranslated = (english: Words, other: Words): string[] => {
  const translated = new Map(keysOf(other));
  return keysOf(english)
    .filter(([key, value]) => typeof value === 'string' && value.length > 1 && translated.get(key) === value)
    .filter(([, value]) => !alike.has(value as string))
    .map(([key, value]) => `${key}: ${String(value)}`);
};

const subjects = readdirSync('locales').flatMap((file) => /^(.+)\.en\.json$/.exec(file)?.[1] ?? []);

const others: Language[] = ['de', 'fr'];

test('what is shown with hidden characters spelled out has no place for a no-break space of French', () => {
  const sentences = ['from', 'to', 'person', 'digest'].map((filter) => frenchAudit.neverThere(filter, ''));
  expect(sentences.filter((sentence) => / [;:!?»%]|« /.test(sentence))).toEqual([]);
});

test('every language is checked', () => expect(['en', ...others]).toEqual([...languages]));

describe.each(others)('in %s', (language) => {
  const importWords = async (subject: string, of: Language) =>
    (await import(compiled(`src/locales/${subject}.${of}.ts`))) as Words;

  test.each(subjects)('%s has other words than English', async (subject) => {
    const [english, other] = [await importWords(subject, 'en'), await importWords(subject, language)];
    expect(untranslated(english, other)).toEqual([]);
    expect([...keysOf(english), ...keysOf(other)].filter(([, value]) => value === '')).toEqual([]);
  });

  test('what several faces say is complete', () => {
    const en = { ...sharedWords.en, ...sentenceWords.en, ...textWords.en };
    const other = { ...sharedWords[language], ...sentenceWords[language], ...textWords[language] };
    for (const key of ['problems', 'refusals', 'hiddenNames'] as const) {
      expect(Object.keys(other[key]).toSorted()).toEqual(Object.keys(en[key]).toSorted());
      expect(untranslated(en[key], other[key])).toEqual([]);
    }
    const valuesIn = (sentence: string) => [...sentence.matchAll(/\{\w+\}/g)].map(String).toSorted();
    for (const code of refusalCodes) expect(valuesIn(other.refusals[code])).toEqual(valuesIn(en.refusals[code]));
  });
});

test.each([
  [{ done: 'Fertig.' }, 'de.json: moved: is missing'],
  [{ done: 'Fertig.', moved: '{n, number} verschoben' }, 'de.json: moved: has no {to}'],
  [{ done: 'Fertig.', moved: '{n, number} nach {to} von {who}' }, 'de.json: moved: English has no {who}'],
  [{ done: 'Fertig.', moved: '{n, number} nach {to', more: '' }, 'de.json: moved: no ICU message'],
  [{ done: 'Fertig.', moved: '{n, plural, few {#} other {#}} nach {to}' }, 'de.json: moved: {n} has few'],
  [{ done: { now: 'Fertig.' }, moved: '{n, number} nach {to}' }, 'de.json: done: English has another kind'],
])('%j does not compile', (german, fault) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'locales-'));
  const english = { done: 'Done.', moved: '{n, number} moved to {to}' };
  for (const [language, words] of Object.entries({ en: english, de: german, fr: english }))
    writeFileSync(path.join(folder, `things.${language}.json`), JSON.stringify(words));
  const code = `import('./scripts/locales.mjs').then(({ compileLocales }) =>
    console.log(compileLocales('${folder}', '${folder}/out').join('\\n')))`;
  expect(execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' })).toContain(fault);
  expect(existsSync(path.join(folder, 'out'))).toBe(false);
});

test('reports have a word for everyone and everything that can end a request', () => {
  const [view = ''] =
    /(?<=decisions\.decided_by IS 'What ended it: )[^']*/.exec(
      readFileSync('prisma/migrations/20261122000000_init/migration.sql', 'utf8'),
    ) ?? [];
  const endings = view.replaceAll(/\(.*?\)|\./g, '').split(/,| or /).map((ending) => ending.trim()); // prettier-ignore
  expect(Object.keys(codes['decided_by'] ?? {}).toSorted()).toEqual(endings.toSorted());
});

test('German has one word for those who administer', () => {
  const texts = subjects.flatMap((subject) =>
    [...readFileSync(`locales/${subject}.de.json`, 'utf8').matchAll(/Administrator\w*/g)].map(([word]) => word),
  );
  expect(texts).toEqual([]);
});

test('no text for people is outside the catalogues', () => {
  const files = readTree('web/src').filter(({ name }) => !/(^|\/)words\.ts$/.test(name));
  const texts = files.flatMap(({ name, text }) => shownText(text).map((result) => `${name}: ${result}`));
  expect(texts).toEqual([]);
});

test('the pages without scripts take their words from the catalogues', () => {
  const files = readTree('src').filter(({ name }) =>
    /^requests\/pages\/routes\/(?!english|german|french)[a-z-]+\.ts$/.test(name),
  );
  const texts = files.flatMap(({ name, text }) =>
    [...text.matchAll(/>([A-Z][a-z]+ [^<>$`]*)</g)].map(([, result]) => `${name}: ${result ?? ''}`),
  );
  expect(files.length).toBeGreaterThan(0);
  expect(texts).toEqual([]);
});

/** Text between tags, words in attributes that people read or hear, and literals that read like a sentence. */
function shownText(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm, '');
  return [
    ...code.matchAll(/<[A-Za-z][^<>]*>\s*([A-Z]?[a-z]{2,}[^<>{}=;]*?)\s*<\//g),
    ...code.matchAll(/\b(?:aria-label|label|title|placeholder|alt|description)="([^"]*[a-z][^"]*)"/g),
    ...code.matchAll(/'([A-Z][a-z]+(?:,? [A-Za-z’']+)+[.?!…]?)'/g),
  ].map(([, text]) => text ?? '');
}
