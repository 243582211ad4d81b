import { describe, expect, test } from '@jest/globals';
import { readSettings } from '#cli/settings';
import { checkSettings } from '#platform/config/check';

const check = (variables: Record<string, string>) => checkSettings(readSettings, variables);

describe('the settings', () => {
  test('are listed as they are, without secrets and passwords', () => {
    const { set, faults } = check({
      DATABASE_URL: 'postgresql://node:hidden@db.example.com/assentry',
      ASSENTRY_DB_LISTEN: 'postgresql://node@db.example.com/assentry?password=hidden&sslpassword=hidden',
      ASSENTRY_SECRETS: 'k1:a-secret-of-more-than-32-characters-which-is-hidden',
      ASSENTRY_METRICS_TOKEN: 'a-hidden-token-of-more-than-32-characters',
      ASSENTRY_SMTP_URL: 'smtps://user:hidden@mail.example.com',
      ASSENTRY_SMTP_FROM: 'assentry@example.com',
      ASSENTRY_MAX_STREAMS: '50',
      ASSENTRY_PUBLIC_URL: 'https://approvals.example.com',
      HOME: '/home/ada',
    });
    expect(faults).toEqual([]);
    expect(JSON.stringify(set)).not.toMatch(/hidden|HOME/);
    expect(set.find(({ name }) => name === 'DATABASE_URL')?.value).toBe(
      'postgresql://node:***@db.example.com/assentry',
    );
    expect(set).toContainEqual({ name: 'ASSENTRY_MAX_STREAMS', value: '50' });
    expect(set).toContainEqual({ name: 'ASSENTRY_PUBLIC_URL', value: 'https://approvals.example.com' });
  });

  test('are all read, so that every wrong one is named, and none that is right', () => {
    const { faults } = check({ ASSENTRY_PORT: 'x', ASSENTRY_MAX_STREAMS: '0', ASSENTRY_HOST: '0.0.0.0' });
    expect(faults).toEqual([
      expect.stringContaining('ASSENTRY_PORT: found "x"'),
      expect.stringContaining('ASSENTRY_MAX_STREAMS: found "0"'),
    ]);
  });

  test('that nothing reads are named with the one that was meant, and those of the client library are not', () => {
    const { faults } = check({ ASSENTRY_PUBLIC_UR: 'https://a.example', ASSENTRY_XYZ_ABCDEF: '1', ASSENTRY_URL: 'x' });
    expect(faults).toEqual([
      'ASSENTRY_PUBLIC_UR: nothing reads it; did you mean ASSENTRY_PUBLIC_URL?',
      'ASSENTRY_XYZ_ABCDEF: nothing reads it; take it out',
    ]);
  });
});

test('what Kubernetes sets for Services called assentry is no setting and no fault', () => {
  const links = Object.fromEntries(
    ['ASSENTRY', 'ASSENTRY_DB', 'ASSENTRY_LOG_BUCKET'].flatMap((service) => [
      [`${service}_PORT`, 'tcp://10.96.7.21:80'],
      [`${service}_SERVICE_HOST`, '10.96.7.21'],
      [`${service}_SERVICE_PORT`, '80'],
      [`${service}_SERVICE_PORT_HTTP_API`, '80'],
      [`${service}_PORT_80_TCP`, 'tcp://10.96.7.21:80'],
      [`${service}_PORT_80_TCP_PROTO`, 'tcp'],
      [`${service}_PORT_80_TCP_PORT`, '80'],
      [`${service}_PORT_80_TCP_ADDR`, '10.96.7.21'],
      [`${service}_PORT_53_UDP`, 'udp://10.96.7.21:53'],
    ]),
  );
  expect(check(links)).toEqual({ set: [], faults: [] });
  expect(check({ ...links, ASSENTRY_PORT: '4700' })).toEqual({
    set: [{ name: 'ASSENTRY_PORT', value: '4700' }],
    faults: [],
  });
  expect(check({ ASSENTRY_PORT: 'tcp:4700' }).faults).toHaveLength(1);
  expect(check({ ASSENTRY_SERVICE_NAME: 'x' }).faults).toHaveLength(1);
});
