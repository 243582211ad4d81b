import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hasHiddenCharacters } from '#platform/text/hidden-characters';

/** The accounts that people connect are at providers; here they are people. */
const accounts = /\bapp_account\b|\baccount_?id\b|\buser accounts?\b|\b(?:an|their|the) account\b/i;
const ofProviders = /^src\/connect\//;

/** Words that another word has replaced: docs/architecture.md has the table. */
const retired = [
  /(?<!Microsoft |[/.])\bteams\b|\b(?:an?|the|this|their|your) team\b|\bteamId|[a-z]Team\b/i,
  accounts,
  /overrul|\bglass (?:is|was) broken|\bbroken glass|\bbreaks? the glass|\bemergencies\b/i,
];

/** Words that make a reader stop and read the sentence again. */
const puzzling = [
  /\b(?:whoever|whomever|anew|beside|nobody|somebody)\b/i,
  /\b(?:is|are|was) as good as absent\b|\bmay .{1,20} no more\b|\bwhat asks the same\b|\bpast the server\b/i,
];

/** Words of the code that people do not read: they read of people, requests and standing approvals. */
const ofCode = /\b(?:elicitations?|grants?|break-glass|users?)\b|(?<!Slack |service |\} )\baccounts?\b/i;

const list = (...paths: string[]): string[] =>
  execFileSync('git', ['ls-files', ...paths], { encoding: 'utf8' }).split('\n');

/** Without terms in quotation marks, such as the retired words of the table or the name of an operating system's user. */
const withoutTerms = (line: string): string => line.replaceAll(/(["'`])[\w-]+(?: \w+)?\1/g, '');

const lines = list('src', 'web/src', 'locales', 'docs', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md')
  .filter((file) => /\.(?:tsx?|css|md|json)$/.test(file))
  .flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line, index) => ({ place: `${file}:${index + 1}`, line: withoutTerms(line) })),
  );

test.each([...retired, ...puzzling])('%s is written nowhere', (word) => {
  const places = lines.filter(({ line }) => word.test(line)).map(({ place }) => place);
  expect(places.filter((place) => word !== accounts || !ofProviders.test(place))).toEqual([]);
});

test('no source holds a character that people would be shown as hidden', () => {
  const sources = lines.filter(({ place }) => /^(?:src|web|locales)\/.*\.(?:tsx?|json):/.test(place));
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.filter(({ line }) => hasHiddenCharacters(line)).map(({ place }) => place)).toEqual([]);
});

test('the catalogues for people have no words of the code', () => {
  const catalogues = list('locales').filter((file) =>
    /(?<!\/(?:chat|notify|forms|texts|refusals|policies-clauses|policies-asides|platform-warnings))\.en\.json$/.test(
      file,
    ),
  );
  const sentences = catalogues.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/"(?!@)[^"]+": "([^"\n]*)"/g)].map(([, text = '']) =>
      text.replaceAll(/\{\w+(?=[,}])|, (?:select|plural|number)\b/g, '').replaceAll(/[\w=]+ \{/g, ''),
    ),
  );
  expect(sentences.length).toBeGreaterThan(300);
  expect(sentences.filter((sentence) => sentence.includes(' ') && ofCode.test(sentence))).toEqual([]);
});
