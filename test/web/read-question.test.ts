import { describe, expect, test } from '@jest/globals';
import { readQuestion, type Reading } from '../../web/src/audit/log/AuditPage.tsx';
import * as english from '#locales/audit.en';
import { grammar, line } from '#locales/audit-line.en';
import * as german from '#locales/audit.de';
import * as germanQuestion from '#locales/audit-line.de';
import * as french from '#locales/audit.fr';
import * as frenchQuestion from '#locales/audit-line.fr';

/** A Wednesday. */
const now = Date.parse('2026-11-25T10:00:00Z');
const people = [
  { id: 'usr_ada', name: 'Ada', email: 'ada@example.com' },
  { id: 'usr_kim', name: 'Alex Kim', email: 'alex@example.com' },
  { id: 'usr_other_kim', name: 'Alex Kim', email: 'kim@example.com' },
  { id: 'usr_lovelace', name: 'Ada Lovelace', email: 'lovelace@example.com' },
];
const inEnglish: Reading = { grammar, line, titles: english.questions, labels: english.words, people, now };
const inGerman: Reading = {
  grammar: germanQuestion.grammar,
  line: germanQuestion.line,
  titles: german.questions,
  labels: german.words,
  people,
  now,
};

const inFrench: Reading = {
  grammar: frenchQuestion.grammar,
  line: frenchQuestion.line,
  titles: french.questions,
  labels: french.words,
  people,
  now,
};
const read = (text: string, reading = inEnglish) => readQuestion(text, reading);

describe('a question in one line', () => {
  test.each<[string, string, object]>([
    [
      'approvals of pay_invoice last week under five seconds',
      'hasty',
      { tool: 'pay_invoice', from: '2026-11-16', to: '2026-11-22' },
    ],
    ['Approvals by Ada Lovelace on payments', 'approvals', { person: 'usr_lovelace', server: 'payments' }],
    ['approvals by ada today', 'approvals', { person: 'usr_ada', from: '2026-11-25', to: '2026-11-25' }],
    ['approvals by lovelace@example.com', 'approvals', { person: 'usr_lovelace' }],
    ['approvals by kim@example.com', 'approvals', { person: 'usr_other_kim' }],
    ['requests for ada@example.com between 22 and 6', 'requests', { requester: 'ada@example.com', hours: '22-6' }],
    ['all requests agent "Claude Code" at night', 'requests', { client: 'Claude Code', hours: '22-6' }],
    ['overrides last 10 days', 'overrides', { from: '2026-11-16', to: '2026-11-25' }],
    [
      'policy changes policy big-payments last month',
      'policy-changes',
      { policy: 'big-payments', from: '2026-10-01', to: '2026-10-31' },
    ],
    ['edited since 2026-11-01 until 2026-11-03', 'edited', { from: '2026-11-01', to: '2026-11-03' }],
    ['who could approve at 2026-11-01', 'could-approve', { to: '2026-11-01T00:00' }],
    ['who could approve on 2026-11-01', 'could-approve', { to: '2026-11-01T00:00' }],
    ['who could approve today', 'could-approve', { to: '2026-11-25T10:00' }],
    ['who could approve', 'could-approve', { to: '2026-11-25T10:00' }],
    ['approvals on 2026-11-20 on payments', 'approvals', { from: '2026-11-20', to: '2026-11-20', server: 'payments' }],
    ['approvals at 2026-11-20', 'approvals', { from: '2026-11-20', to: '2026-11-20' }],
    ['decisions by Ada Lovelace', 'requests', { person: 'usr_lovelace' }],
    ['who read request eli_abc', 'readers', { request: 'eli_abc' }],
    ['approvals by Lovelace today?', 'approvals', { person: 'usr_lovelace', from: '2026-11-25' }],
    ['what was approved by Ada?', 'approvals', { person: 'usr_ada' }],
    ['who approved tool pay_invoice', 'approvals', { tool: 'pay_invoice' }],
    ['what was asked by agent Codex', 'requests', { client: 'Codex' }],
    ['calls requested by tom', 'requests', { requester: 'tom' }],
    ['did anyone approve their own request?', 'own-approvals', {}],
    ['what ran without a person', 'automatic', {}],
    ['which policies were changed this month?', 'policy-changes', { from: '2026-11-01' }],
    ['what expired last week', 'requests', { outcome: 'expired', from: '2026-11-16' }],
    ['requests that were withdrawn by Ada Lovelace', 'requests', { outcome: 'cancelled', person: 'usr_lovelace' }],
    ['declined requests of pay_invoice', 'requests', { outcome: 'declined', tool: 'pay_invoice' }],
    ['approvals that lapsed', 'requests', { outcome: 'lapsed' }],
    ['which approvals were revoked today?', 'requests', { outcome: 'revoked', from: '2026-11-25' }],
    ['what was overridden', 'overrides', {}],
    ['who may approve now', 'could-approve', { to: '2026-11-25T10:00' }],
    ['decisions under five seconds last week', 'hasty', { from: '2026-11-16' }],
  ])('%s', (text, id, draft) => expect(read(text)).toMatchObject({ ok: true, id, draft }));

  test.each<[string, Reading, string, object]>([
    ['Was wurde durch Lovelace freigegeben?', inGerman, 'approvals', { person: 'usr_lovelace' }],
    ['Hat jemand eigene Anfragen freigegeben?', inGerman, 'own-approvals', {}],
    ['Welche Anfragen sind abgelaufen?', inGerman, 'requests', { outcome: 'expired' }],
    ['Verfallene Freigaben letzte Woche', inGerman, 'requests', { outcome: 'lapsed' }],
    ['Was wurde zurückgezogen?', inGerman, 'requests', { outcome: 'cancelled' }],
    ['Quelles demandes ont été retirées ?', inFrench, 'requests', { outcome: 'cancelled' }],
    ['approbations devenues caduques', inFrench, 'requests', { outcome: 'lapsed' }],
    ['demandes expirées hier', inFrench, 'requests', { outcome: 'expired' }],
    ['Wer darf jetzt freigeben?', inGerman, 'could-approve', { to: '2026-11-25T10:00' }],
    ['Qu’est-ce qui a été approuvé par Lovelace ?', inFrench, 'approvals', { person: 'usr_lovelace' }],
    ['Qui peut approuver maintenant ?', inFrench, 'could-approve', { to: '2026-11-25T10:00' }],
  ])('as one says it: %s', (text, reading, id, draft) =>
    expect(read(text, reading)).toMatchObject({ ok: true, id, draft }),
  );

  test('in German', () =>
    expect(
      read('Freigaben von pay_invoice durch Ada Lovelace letzte Woche unter fünf Sekunden', inGerman),
    ).toMatchObject({
      ok: true,
      id: 'hasty',
      draft: { tool: 'pay_invoice', person: 'usr_lovelace', from: '2026-11-16', to: '2026-11-22' },
    }));

  test.each([
    'Approbations de pay_invoice par Ada Lovelace la semaine dernière en moins de cinq secondes',
    'approbations de « pay_invoice » en moins de 5 secondes par ada lovelace la semaine dernière',
  ])('in French: %s', (text) =>
    expect(read(text, inFrench)).toMatchObject({
      ok: true,
      id: 'hasty',
      draft: { tool: 'pay_invoice', person: 'usr_lovelace', from: '2026-11-16', to: '2026-11-22' },
    }),
  );

  test('of one day, in German and in French', () => {
    const day = { ok: true, id: 'approvals', draft: { from: '2026-11-20', to: '2026-11-20' } };
    expect(read('Freigaben am 2026-11-20', inGerman)).toMatchObject(day);
    expect(read('approbations le 2026-11-20', inFrench)).toMatchObject(day);
    expect(read('approbations du 2026-11-01 au 2026-11-03', inFrench)).toMatchObject({
      draft: { from: '2026-11-01', to: '2026-11-03' },
    });
  });

  test('in French, however its apostrophes are typed', () =>
    expect(read("dérogations d'urgence aujourd'hui", inFrench)).toMatchObject({ ok: true, id: 'overrides' }));

  test.each([
    ['', line.noQuestion],
    ['last week', line.noQuestion],
    ['aprovals of pay', line.unknown('aprovals', 'approvals')],
    ['approvals pay_invoice', line.unknown('pay_invoice', null)],
    ['approvals of', line.noValue('of')],
    ['approvals by Adda', line.noPerson('Adda', 'Ada')],
    ['approvals by Alex Kim', line.namesakes('Alex Kim')],
    ['approvals since yesterday', line.noDate('since')],
    ['approvals since 2026-02-31', line.noDate('since')],
    ['approvals overrides', line.twoQuestions('approvals', 'overrides')],
    ['approvals that expired', line.notNarrowed(english.questions.approvals.title, '', 'what became of it')],
    ['requests declined and expired', line.again('expired')],
    ['overrides for ada', line.notNarrowed(english.questions.overrides.title, '', 'requester')],
    ['approvals between 22 and 30', line.wrongHours],
    ['approvals between 5 and 5', line.wrongHours],
    ['approvals by Alex', line.namesakes('Alex')],
    ['approvals by Lovelac', line.noPerson('Lovelac', 'Ada Lovelace')],
    ['approvals by Ada and by Ada Lovelace', line.again('by Ada Lovelace')],
    ['approvals of pay of refund', line.again('of refund')],
    ['approvals last week today', line.again('today')],
    ['approvals at night between 9 and 17', line.again('between 9 and 17')],
    ['overrides last 0 days', line.noDays],
    ['overrides since 2026-11-26', line.notYet('2026-11-26')],
    ['overrides on 2027-01-01', line.notYet('2027-01-01')],
    ['overrides since 2026-11-03 until 2026-11-01', line.endsBefore('2026-11-01', '2026-11-03')],
    ['approvals since 03/04', line.noDate('since')],
    ['freigaben letzte woche', line.unknown('freigaben', null)],
    ['who could approve last week', line.oneTime(english.questions['could-approve'].title)],
    ['who could approve since 2026-11-01', line.oneTime(english.questions['could-approve'].title)],
    ['who could approve at 2027-01-01', line.notYet('2027-01-01')],
  ])('with a fault says which: “%s”', (text, fault) => expect(read(text)).toEqual({ ok: false, fault }));

  test('passes over no word: what is left out changes the answer, or is a fault', () => {
    const text = 'approvals of pay_invoice by Ada Lovelace on payments last week between 22 and 6';
    const whole = JSON.stringify(read(text));
    for (const word of ['of', 'pay_invoice', 'Lovelace', 'payments', 'week', '22'])
      expect(JSON.stringify(read(text.replace(`${word}`, '')))).not.toBe(whole);
  });
});
