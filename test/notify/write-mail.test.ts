import { describe, expect, test } from '@jest/globals';
import { languages } from '#platform/text/language';
import type { ShownNotice } from '#notify/verbs/notices';
import { writeMail } from '#notify/mail/channel/mail';

const url = 'https://approvals.example.com/requests/eli_1';
const request = {
  tool: 'transfer',
  server: 'payments',
  risk: 'high',
  status: 'open',
  deadlineAt: Date.UTC(2026, 10, 22, 9),
} as const;
const turn: ShownNotice = { kind: 'turn', request, subject: null, url, linkUntil: null };

describe.each(languages)('a mail in %s', (language) => {
  test('names tool, server, risk, deadline and link', () => {
    const { subject, text } = writeMail([turn], language);
    expect(subject).toContain('transfer');
    for (const part of ['payments', url, '2026']) expect(text).toContain(part);
  });

  test('describes so many notices, and counts the others', () => {
    const many = Array.from({ length: 1_063 }, () => turn);
    const { subject, text } = writeMail(many, language);
    expect(subject).toMatch(/1[.,\s]063/);
    expect(text.split(url)).toHaveLength(51);
    expect(text).toMatch(/1[.,\s]013/);
  });

  test('gives no deadline once the request has ended', () => {
    const ended = { ...turn, kind: 'outcome', request: { ...request, status: 'declined' } } as const;
    expect(writeMail([ended], language).text).not.toContain('2026');
  });

  test('brings the link for a password, with its time', () => {
    const link = {
      kind: 'link',
      request: null,
      subject: null,
      url: 'https://a.example/password#link=x',
      linkUntil: request.deadlineAt,
    };
    const { text } = writeMail([link as ShownNotice], language);
    for (const part of [link.url, '2026']) expect(text).toContain(part);
    expect(text).not.toMatch(/passkey|clés d’accès/i);
    expect(writeMail([{ ...link, resetsFactors: true } as ShownNotice], language).text).toMatch(
      /passkey|clés d’accès/i,
    );
  });

  test.each(['review', 'key', 'tool', 'members', 'report'] as const)('names what waits, and where: %s', (kind) => {
    const news = { kind, request: null, subject: 'transfers@3', url, linkUntil: null };
    const { subject, text } = writeMail([news], language);
    expect(subject).toContain('transfers@3');
    expect(text).toContain(url);
  });

  test('holds everything that is due together', () => {
    const { subject, text } = writeMail([turn, { ...turn, kind: 'reminder' }], language);
    expect(subject).toMatch(/^Assentry: 2 /);
    expect(text.split(url)).toHaveLength(3);
  });
});

test('people read it in their language', () => {
  expect(writeMail([turn], 'de')).toEqual({
    subject: 'Ihre Freigabe wird gebraucht: transfer',
    text: [
      'Ihre Freigabe wird gebraucht: transfer',
      'Server: payments',
      'Tool: transfer',
      'Risiko: hoch',
      'Bis: 22.11.2026, 09:00:00 UTC',
      `In Assentry öffnen: ${url}`,
      '',
      'Entscheiden können Sie nur in Assentry, nachdem Sie sich angemeldet haben. Diese E-Mail zeigt keinen Inhalt der Anfrage.',
      '',
    ].join('\n'),
  });
});
