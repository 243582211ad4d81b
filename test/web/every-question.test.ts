import { describe, expect, test } from '@jest/globals';
import type { ReportId } from '#audit/reports/contract/report';
import { readQuestion, type Reading } from '../../web/src/audit/log/AuditPage.tsx';
import { fieldsOf, isAboutMoment, type ReportDraft } from '../../web/src/audit/log/report-search.ts';
import * as english from '#locales/audit.en';
import * as englishQuestion from '#locales/audit-line.en';
import * as french from '#locales/audit.fr';
import * as frenchQuestion from '#locales/audit-line.fr';
import * as german from '#locales/audit.de';
import * as germanQuestion from '#locales/audit-line.de';

/** A Monday: last week ended yesterday. */
const now = Date.parse('2026-11-23T00:30:00Z');
const people = [{ id: 'usr_ada', name: 'Ada Lovelace', email: 'ada@example.com' }];
const readingOf = (question: typeof englishQuestion, words: typeof english): Reading => ({
  ...question,
  titles: words.questions,
  labels: words.words,
  people,
  now,
});
const languages: [string, Reading][] = [
  ['English', readingOf(englishQuestion, english)],
  ['German', readingOf(germanQuestion, german as unknown as typeof english)],
  ['French', readingOf(frenchQuestion, french as unknown as typeof english)],
];
const values: Partial<Record<keyof ReportDraft, string>> = {
  tool: 'pay_invoice',
  server: 'payments',
  policy: 'refunds',
  person: 'Ada Lovelace',
  client: 'claude',
  requester: 'nina',
  request: 'eli_abc',
};
const spans = {
  today: ['2026-11-23', '2026-11-23'],
  yesterday: ['2026-11-22', '2026-11-22'],
  thisWeek: ['2026-11-23', '2026-11-23'],
  lastWeek: ['2026-11-16', '2026-11-22'],
  thisMonth: ['2026-11-01', '2026-11-23'],
  lastMonth: ['2026-10-01', '2026-10-31'],
};

describe.each(languages)('each phrase of the grammar in %s', (_language, reading) => {
  const { questions, filters, periods, night, since, until, onDay } = reading.grammar;
  const ids = Object.keys(questions) as ReportId[];
  const read = (line: string) => readQuestion(line, reading);
  const keys = Object.keys(filters) as (keyof typeof filters)[];

  test('asks its own question, with every filter that it has, in either order', () => {
    for (const id of ids)
      for (const phrase of questions[id])
        for (const key of keys)
          for (const filter of filters[key]) {
            const value = key === 'person' ? 'usr_ada' : values[key];
            const parts = [phrase, `${filter} ${values[key]}`];
            for (const line of [parts.join(' '), parts.toReversed().join(' '), parts.join(' ').toUpperCase()]) {
              const isUpper = line !== line.toLowerCase() && line === line.toUpperCase();
              const draft = { [key]: isUpper && key !== 'person' ? value?.toUpperCase() : value };
              if (fieldsOf[id].includes(key)) expect([line, read(line)]).toMatchObject([line, { ok: true, id, draft }]);
              else expect([line, read(line).ok]).toEqual([line, false]);
            }
          }
  });

  test('is its own outcome, of requests', () => {
    for (const [outcome, phrases] of Object.entries(reading.grammar.outcomes))
      for (const line of phrases.flatMap((phrase) => [phrase, `${questions.requests[0]} ${phrase}`]))
        expect([line, read(line)]).toMatchObject([line, { ok: true, id: 'requests', draft: { outcome } }]);
  });

  test('is its own period, with every question about one', () => {
    for (const id of ids.filter((each) => !isAboutMoment(each)))
      for (const [key, [from, to]] of Object.entries(spans))
        for (const phrase of periods[key as keyof typeof spans]) {
          const line = `${questions[id][0]} ${phrase}`;
          expect([line, read(line)]).toMatchObject([line, { ok: true, id, draft: { from, to } }]);
        }
  });

  test('is its own day and its own hours', () => {
    const line = (phrase: string | undefined, more: string) => read(`${questions.overrides[0]} ${phrase} ${more}`);
    for (const phrase of since) expect(line(phrase, '2026-11-02')).toMatchObject({ draft: { from: '2026-11-02' } });
    for (const phrase of until) expect(line(phrase, '2026-11-02')).toMatchObject({ draft: { to: '2026-11-02' } });
    for (const phrase of onDay)
      expect(line(phrase, '2026-11-02')).toMatchObject({ draft: { from: '2026-11-02', to: '2026-11-02' } });
    for (const phrase of night) expect(line(phrase, '')).toMatchObject({ draft: { hours: '22-6' } });
  });

  test('of another language is a fault, not another question', () => {
    const own = new Set(ids.flatMap((id) => questions[id]));
    for (const [, other] of languages)
      for (const phrase of Object.values(other.grammar.questions).flat())
        if (!own.has(phrase)) expect([phrase, read(phrase).ok]).toEqual([phrase, false]);
  });
});
