import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { refusalSentences } from '#requests/inbox/contract/refusal';
import { filesOf, measureConsole } from '../bench/console-size.ts';

const built = path.resolve('dist/web');

/** Bytes as they travel, compressed by Brotli. What is behind the sign-in loads while someone signs in. */
const most = { signIn: 120_000, inbox: 180_000 };

/** Words that only one language has, of the first page and of what comes after it. */
const languages = [
  { language: 'en', page: 'index.html', own: 'Your session ended.', other: 'Ihre Sitzung ist beendet.' },
  { language: 'de', page: 'index.de.html', own: 'Ihre Sitzung ist beendet.', other: 'Your session ended.' },
  { language: 'fr', page: 'index.fr.html', own: 'Votre session est terminée.', other: 'Ihre Sitzung ist beendet.' },
];

describe.each(languages)('the console in $language', ({ language, page, own, other }) => {
  test('is light: the first page and the inbox stay within what they may load', () => {
    const { signIn, inbox } = measureConsole(built, page);
    expect(signIn.brotli).toBeLessThan(most.signIn);
    expect(inbox.brotli).toBeLessThan(most.inbox);
    expect(inbox.brotli).toBeGreaterThan(signIn.brotli);
  });

  test('holds the words of its own language only', () => {
    const code = filesOf(built, page)
      .map((file) => readFileSync(path.join(built, file), 'utf8'))
      .join('');
    expect([code.includes(own), code.includes(other)]).toEqual([true, false]);
    const refusals = Object.values(refusalSentences).filter((sentence) => code.includes(sentence));
    expect(refusals.length).toBe(language === 'en' ? Object.keys(refusalSentences).length : 0);
  });
});

test('no file of the console holds two languages', () => {
  const words = [
    ['Next request', 'Your session ended.'],
    ['Nächste Anfrage', 'Ihre Sitzung ist beendet.'],
    ['Demande suivante', 'Votre session est terminée.'],
  ];
  const assets = path.join(built, 'assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  const mixed = scripts.filter((name) => {
    const code = readFileSync(path.join(assets, name), 'utf8');
    return words.filter((own) => own.some((sentence) => code.includes(sentence))).length > 1;
  });
  expect(mixed).toEqual([]);
});

test('what the contract says of its schemas for the OpenAPI document travels to no browser', () => {
  const assets = path.join(built, 'assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  const described = scripts.filter((name) => /\.meta\(\{/.test(readFileSync(path.join(assets, name), 'utf8')));
  expect(described).toEqual([]);
});

test('in French no line begins with high punctuation, where a sentence has no value from outside', () => {
  const assets = path.join(built, 'assets');
  const code = readdirSync(assets)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(path.join(assets, name), 'utf8'))
    .join('');
  const [plain, spaced] = ['Quelqu’un a-t-il voté sur sa propre demande ?', 'sont dans « À traiter », les autres'];
  expect([code.includes(plain), code.includes(plain.replace(' ?', '\u202f?'))]).toEqual([false, true]);
  expect([code.includes(spaced), code.includes(spaced.replace('« À traiter »', '«\u202fÀ traiter\u202f»'))]).toEqual([
    false,
    true,
  ]);
});
