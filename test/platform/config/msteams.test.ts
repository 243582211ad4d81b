import { expect, test } from '@jest/globals';
import type { Environment } from '#platform/config/env';
import { readTeams } from '#notify/chat/msteams/msteams';

const appId = '7c1b6f9e-0000-4000-8000-00000000000a';
const tenant = '7c1b6f9e-0000-4000-8000-000000000001';
const appSecret = 'Abc8Q~secret-of-the-app';
const all = { ASSENTRY_MSTEAMS_APP_ID: appId, ASSENTRY_MSTEAMS_APP_SECRET: appSecret, ASSENTRY_MSTEAMS_TENANT: tenant };

test('without an app there is none, and with all of it the addresses are those of Microsoft', () => {
  expect(readTeams({})).toBeNull();
  expect(readTeams({ ASSENTRY_MSTEAMS_SERVICE_URL: 'https://smba.trafficmanager.net/emea/' })).toBeNull();
  expect(readTeams(all)).toEqual({
    appId,
    appSecret,
    tenant,
    serviceUrl: 'https://smba.trafficmanager.net/teams/',
    loginUrl: 'https://login.microsoftonline.com/',
    keysUrl: 'https://login.botframework.com/v1/.well-known/keys',
  });
});

test('the connector may be at another address', () => {
  const environment = { ...all, ASSENTRY_MSTEAMS_SERVICE_URL: 'https://smba.infra.gov.teams.microsoft.us/gcch' };
  expect(readTeams(environment)).toMatchObject({ serviceUrl: 'https://smba.infra.gov.teams.microsoft.us/gcch/' });
});

test.each<[string, Environment]>([
  ['ASSENTRY_MSTEAMS_APP_ID', { ASSENTRY_MSTEAMS_TENANT: tenant, ASSENTRY_MSTEAMS_APP_SECRET: appSecret }],
  ['ASSENTRY_MSTEAMS_APP_ID', { ...all, ASSENTRY_MSTEAMS_APP_ID: 'my app' }],
  ['ASSENTRY_MSTEAMS_TENANT', { ...all, ASSENTRY_MSTEAMS_TENANT: 'contoso.example' }],
  ['ASSENTRY_MSTEAMS_APP_SECRET', { ASSENTRY_MSTEAMS_APP_ID: appId, ASSENTRY_MSTEAMS_TENANT: tenant }],
  ['ASSENTRY_MSTEAMS_APP_SECRET', { ...all, ASSENTRY_MSTEAMS_APP_SECRET: `${appSecret}\n` }],
  ['ASSENTRY_MSTEAMS_SERVICE_URL', { ...all, ASSENTRY_MSTEAMS_SERVICE_URL: 'http://smba.example.com/' }],
  ['ASSENTRY_MSTEAMS_SERVICE_URL', { ...all, ASSENTRY_MSTEAMS_SERVICE_URL: 'https://smba.example.com/?a' }],
])('%s is refused in %j, without repeating the secret', (name, environment) => {
  const read = () => readTeams(environment);
  expect(read).toThrowProblem('config-invalid');
  expect(read).toThrow(new RegExp(`^${name}: found `));
  expect(read).not.toThrow(appSecret);
});
