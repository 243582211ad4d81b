import { describe, expect, test } from '@jest/globals';
import { faultOfSubject } from '#platform/model/identity';
import { identifyCaller, readPrincipal } from '#sdk/mcp/tools/principal';
import { disguises } from '../../../support/disguises.ts';

const issuer = 'https://idp.example.com';
const authInfo = (extra?: Record<string, unknown>) => ({ clientId: 'agent-7', ...(extra && { extra }) });

describe('MT-06 who calls', () => {
  test('is issuer and subject of the access token', () => {
    const caller = identifyCaller({ authInfo: authInfo({ sub: 'auth0|42', iss: issuer }), clientName: 'Claude' });
    expect(caller).toEqual({ subject: 'auth0|42', issuer, verified: true });
  });

  test.each([[undefined], [{}], [{ sub: '' }], [{ sub: 42 }], [{ iss: issuer }]])(
    'is no person if the token has the subject of none: %j',
    (extra) => {
      const caller = identifyCaller({ authInfo: authInfo(extra), clientName: 'Claude' });
      expect(caller).toEqual({ subject: 'client:agent-7', verified: false });
    },
  );

  test('without authorization is the client’s own name, which proves nothing', () => {
    expect(identifyCaller({ clientName: 'Claude Desktop' })).toEqual({
      subject: 'client:Claude Desktop',
      verified: false,
    });
    expect(identifyCaller({})).toEqual({ subject: 'client:unknown', verified: false });
  });

  test.each([
    ...disguises.map(({ text }) => text),
    ' a  b ',
    'ada@example.com',
    'Ada <a@b>',
    'Ж'.repeat(300),
    '\uD800',
  ])('is a plain subject, whatever a client calls itself: %j', (clientName) => {
    const { subject } = identifyCaller({ clientName });
    expect([subject.slice(0, 7), faultOfSubject(subject)]).toEqual(['client:', null]);
  });
});

test('of what an author’s function returns only who calls is passed on', () => {
  const existing = { subject: 'ada', issuer, verified: true, accessToken: 'secret' };
  expect(readPrincipal(existing)).toEqual({ subject: 'ada', issuer, verified: true });
  expect(readPrincipal('ada')).toEqual({ subject: 'ada', verified: false });
});
