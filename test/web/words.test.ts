import { expect, test } from '@jest/globals';
import * as pagesEnglish from '../../src/api/pages/words/english.ts';
import * as pagesGerman from '../../src/api/pages/words/german.ts';
import { refusalCodes } from '../../src/model/refusal.ts';
import { sentenceWords } from '../../src/model/words/sentence-words.ts';
import { textWords } from '../../src/model/words/text-words.ts';
import { sharedWords } from '../../src/model/words/shared-words.ts';
import * as libEnglish from '../../web/src/lib/language/english.ts';
import * as libGerman from '../../web/src/lib/language/german.ts';
import * as accountEnglish from '../../web/src/pages/account/words/english.ts';
import * as accountGerman from '../../web/src/pages/account/words/german.ts';
import * as ownProviderEnglish from '../../web/src/pages/account/words/english-provider.ts';
import * as ownProviderGerman from '../../web/src/pages/account/words/german-provider.ts';
import * as auditEnglish from '../../web/src/pages/audit/words/english.ts';
import * as auditGerman from '../../web/src/pages/audit/words/german.ts';
import * as logEnglish from '../../web/src/pages/audit/words/english-log.ts';
import * as logGerman from '../../web/src/pages/audit/words/german-log.ts';
import * as questionLineEnglish from '../../web/src/pages/audit/words/english-question.ts';
import * as questionLineGerman from '../../web/src/pages/audit/words/german-question.ts';
import * as recordEnglish from '../../web/src/pages/audit/words/english-record.ts';
import * as recordGerman from '../../web/src/pages/audit/words/german-record.ts';
import * as insightsEnglish from '../../web/src/pages/insights/words/english.ts';
import * as insightsGerman from '../../web/src/pages/insights/words/german.ts';
import * as inboxEnglish from '../../web/src/pages/inbox/words/english.ts';
import * as inboxGerman from '../../web/src/pages/inbox/words/german.ts';
import * as togetherEnglish from '../../web/src/pages/inbox/words/english-together.ts';
import * as togetherGerman from '../../web/src/pages/inbox/words/german-together.ts';
import * as viewsEnglish from '../../web/src/pages/inbox/words/english-views.ts';
import * as viewsGerman from '../../web/src/pages/inbox/words/german-views.ts';
import * as passwordEnglish from '../../web/src/pages/password/english.ts';
import * as passwordGerman from '../../web/src/pages/password/german.ts';
import * as lifeEnglish from '../../web/src/pages/policies/text/english-life.ts';
import * as policyEnglish from '../../web/src/pages/policies/text/english.ts';
import * as lifeGerman from '../../web/src/pages/policies/text/german-life.ts';
import * as policyGerman from '../../web/src/pages/policies/text/german.ts';
import * as alwaysEnglish from '../../web/src/pages/request/words/english-always.ts';
import * as decideEnglish from '../../web/src/pages/request/words/english-decide.ts';
import * as keepingEnglish from '../../web/src/pages/request/words/english-keeping.ts';
import * as stepsEnglish from '../../web/src/pages/request/words/english-steps.ts';
import * as timelineEnglish from '../../web/src/pages/request/words/english-timeline.ts';
import * as requestEnglish from '../../web/src/pages/request/words/english.ts';
import * as alwaysGerman from '../../web/src/pages/request/words/german-always.ts';
import * as decideGerman from '../../web/src/pages/request/words/german-decide.ts';
import * as keepingGerman from '../../web/src/pages/request/words/german-keeping.ts';
import * as stepsGerman from '../../web/src/pages/request/words/german-steps.ts';
import * as timelineGerman from '../../web/src/pages/request/words/german-timeline.ts';
import * as requestGerman from '../../web/src/pages/request/words/german.ts';
import * as secondFactorEnglish from '../../web/src/pages/second-factor/english.ts';
import * as secondFactorGerman from '../../web/src/pages/second-factor/german.ts';
import * as setUpEnglish from '../../web/src/pages/set-up/english.ts';
import * as setUpGerman from '../../web/src/pages/set-up/german.ts';
import * as signInEnglish from '../../web/src/pages/sign-in/english.ts';
import * as signInGerman from '../../web/src/pages/sign-in/german.ts';
import * as providerEnglish from '../../web/src/pages/sign-in/english-provider.ts';
import * as providerGerman from '../../web/src/pages/sign-in/german-provider.ts';
import * as startEnglish from '../../web/src/pages/start/words/english.ts';
import * as startGerman from '../../web/src/pages/start/words/german.ts';
import * as rolesEnglish from '../../web/src/pages/users/roles/english.ts';
import * as rolesGerman from '../../web/src/pages/users/roles/german.ts';
import * as spacesEnglish from '../../web/src/pages/users/spaces/english.ts';
import * as spacesGerman from '../../web/src/pages/users/spaces/german.ts';
import * as systemEnglish from '../../web/src/pages/users/words/english-system.ts';
import * as systemGerman from '../../web/src/pages/users/words/german-system.ts';
import * as tokensEnglish from '../../web/src/pages/users/words/english-tokens.ts';
import * as tokensGerman from '../../web/src/pages/users/words/german-tokens.ts';
import * as webhooksEnglish from '../../web/src/pages/users/words/english-webhooks.ts';
import * as webhooksGerman from '../../web/src/pages/users/words/german-webhooks.ts';
import * as toolsEnglish from '../../web/src/pages/users/words/english-tools.ts';
import * as toolsGerman from '../../web/src/pages/users/words/german-tools.ts';
import * as usersEnglish from '../../web/src/pages/users/words/english.ts';
import * as usersGerman from '../../web/src/pages/users/words/german.ts';
import * as uiEnglish from '../../web/src/ui/words/english.ts';
import * as galleryEnglish from '../../web/src/ui/words/english-gallery.ts';
import * as galleryGerman from '../../web/src/ui/words/german-gallery.ts';
import * as factorEnglish from '../../web/src/ui/words/english-factor.ts';
import * as factorGerman from '../../web/src/ui/words/german-factor.ts';
import * as passkeyEnglish from '../../web/src/ui/words/english-passkey.ts';
import * as passkeyGerman from '../../web/src/ui/words/german-passkey.ts';
import * as paletteEnglish from '../../web/src/ui/words/english-palette.ts';
import * as paletteGerman from '../../web/src/ui/words/german-palette.ts';
import * as uiGerman from '../../web/src/ui/words/german.ts';
import { readTree } from '../architecture/source-tree.ts';

const catalogues: [file: string, english: Words, german: Words][] = [
  ['lib/language/english.ts', libEnglish, libGerman],
  ['pages/account/words/english.ts', accountEnglish, accountGerman],
  ['pages/account/words/english-provider.ts', ownProviderEnglish, ownProviderGerman],
  ['pages/audit/words/english.ts', auditEnglish, auditGerman],
  ['pages/audit/words/english-log.ts', logEnglish, logGerman],
  ['pages/audit/words/english-question.ts', questionLineEnglish, questionLineGerman],
  ['pages/audit/words/english-record.ts', recordEnglish, recordGerman],
  ['pages/inbox/words/english.ts', inboxEnglish, inboxGerman],
  ['pages/inbox/words/english-together.ts', togetherEnglish, togetherGerman],
  ['pages/inbox/words/english-views.ts', viewsEnglish, viewsGerman],
  ['pages/insights/words/english.ts', insightsEnglish, insightsGerman],
  ['pages/password/english.ts', passwordEnglish, passwordGerman],
  ['pages/policies/text/english-life.ts', lifeEnglish, lifeGerman],
  ['pages/policies/text/english.ts', policyEnglish, policyGerman],
  ['pages/request/words/english-always.ts', alwaysEnglish, alwaysGerman],
  ['pages/request/words/english-decide.ts', decideEnglish, decideGerman],
  ['pages/request/words/english-keeping.ts', keepingEnglish, keepingGerman],
  ['pages/request/words/english-steps.ts', stepsEnglish, stepsGerman],
  ['pages/request/words/english-timeline.ts', timelineEnglish, timelineGerman],
  ['pages/request/words/english.ts', requestEnglish, requestGerman],
  ['pages/second-factor/english.ts', secondFactorEnglish, secondFactorGerman],
  ['pages/set-up/english.ts', setUpEnglish, setUpGerman],
  ['pages/sign-in/english.ts', signInEnglish, signInGerman],
  ['pages/sign-in/english-provider.ts', providerEnglish, providerGerman],
  ['pages/start/words/english.ts', startEnglish, startGerman],
  ['pages/users/roles/english.ts', rolesEnglish, rolesGerman],
  ['pages/users/spaces/english.ts', spacesEnglish, spacesGerman],
  ['pages/users/words/english-system.ts', systemEnglish, systemGerman],
  ['pages/users/words/english-tokens.ts', tokensEnglish, tokensGerman],
  ['pages/users/words/english-webhooks.ts', webhooksEnglish, webhooksGerman],
  ['pages/users/words/english-tools.ts', toolsEnglish, toolsGerman],
  ['pages/users/words/english.ts', usersEnglish, usersGerman],
  ['ui/words/english-factor.ts', factorEnglish, factorGerman],
  ['ui/words/english-gallery.ts', galleryEnglish, galleryGerman],
  ['ui/words/english-passkey.ts', passkeyEnglish, passkeyGerman],
  ['ui/words/english-palette.ts', paletteEnglish, paletteGerman],
  ['ui/words/english.ts', uiEnglish, uiGerman],
];

const isCatalogue = (name: string): boolean => /(^|\/)(english|german)[a-z-]*\.ts$/.test(name);

type Words = Record<string, unknown>;

/** Every word by its key, such as `decide.approve`; of a function the number of its parameters. */
const keysOf = (words: unknown, at = ''): [string, unknown][] => {
  if (typeof words === 'function') return [[at, words.length]];
  if (typeof words !== 'object' || words === null) return [[at, words]];
  return Object.entries(words).flatMap(([key, value]) => keysOf(value, at === '' ? key : `${at}.${key}`));
};

/** The same word in both languages, or a name. */
const alike = new Set([
  'Assentry', 'Claude', 'Code', 'Cursor', 'Deutsch', 'English', 'Live', 'MCP-Client', 'Name', 'Person', 'Server', 'Start', 'Status', 'Text',
  'Tool', 'Tools', 'Version', 'optional', 'in ', 'U+', 'Esc', 'Enter', 'Lisu',
  'Inspector', 'TypeScript', 'VS Code', 'curl', '⌘K', 'Format', 'Microsoft Teams', 'PagerDuty', 'Browser', 'Test', 'Webhook', 'Webhooks', 'server', 'person', 'agent', 'in', 'Passkey', 'Passkeys', 'System', 'Chat', 'Backups',
]); // prettier-ignore

/** Words that are the same in both languages, apart from those that may be. */
const untranslated = (english: Words, german: Words): string[] => {
  const other = new Map(keysOf(german));
  return keysOf(english)
    .filter(([key, value]) => typeof value === 'string' && value.length > 1 && other.get(key) === value)
    .filter(([, value]) => !alike.has(value as string))
    .map(([key, value]) => `${key}: ${String(value)}`);
};

test('every catalogue of the console is checked', () => {
  const files = readTree('web/src').map(({ name }) => name);
  const results = files.filter((name) => /(^|\/)english[a-z-]*\.ts$/.test(name));
  expect(results.toSorted()).toEqual(catalogues.map(([file]) => file).toSorted());
});

test.each([...catalogues, ['the hosted pages', pagesEnglish, pagesGerman] as const])(
  '%s has every key in German too, and German words for it',
  (_file, english, german) => {
    const shape = (words: Words) =>
      keysOf(words).map(([key, value]) => `${key} ${typeof value === 'string' ? 'text' : String(value)}`);
    expect(shape(german).toSorted()).toEqual(shape(english).toSorted());
    expect(untranslated(english, german)).toEqual([]);
    expect([...keysOf(english), ...keysOf(german)].filter(([, value]) => value === '')).toEqual([]);
  },
);

test('what several faces say is complete in German', () => {
  const en = { ...sharedWords.en, ...sentenceWords.en, ...textWords.en };
  const de = { ...sharedWords.de, ...sentenceWords.de, ...textWords.de };
  for (const key of ['problems', 'refusals', 'hiddenNames'] as const) {
    expect(Object.keys(de[key]).toSorted()).toEqual(Object.keys(en[key]).toSorted());
    expect(untranslated(en[key], de[key])).toEqual([]);
  }
  const valuesIn = (sentence: string) => [...sentence.matchAll(/\{\w+\}/g)].map(String).toSorted();
  for (const code of refusalCodes) expect(valuesIn(de.refusals[code])).toEqual(valuesIn(en.refusals[code]));
});

test('no text for people is outside the catalogues', () => {
  const files = readTree('web/src').filter(({ name }) => !isCatalogue(name) && !/(^|\/)words\.ts$/.test(name));
  const texts = files.flatMap(({ name, text }) => shownText(text).map((result) => `${name}: ${result}`));
  expect(texts).toEqual([]);
});

test('the pages without scripts take their words from the catalogues', () => {
  const files = readTree('src').filter(({ name }) => /^api\/pages\/[a-z-]+\.ts$/.test(name));
  const texts = files.flatMap(({ name, text }) =>
    [...text.matchAll(/>([A-Z][a-z]+ [^<>$`]*)</g)].map(([, result]) => `${name}: ${result ?? ''}`),
  );
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
