import type { ProviderInput } from './provider.ts';

/** OAuth apps get a token without an end; GitHub Apps one of eight hours, and a refresh token that is exchanged at each use. */
export const github: ProviderInput = {
  label: 'GitHub',
  pageHosts: ['github.com'],
  apiHosts: ['api.github.com', 'uploads.github.com'],
  oauth: {
    authorize: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    // Only this token: another server may have one of the same person.
    revoke: {
      url: 'https://api.github.com/applications/{clientId}/token',
      method: 'DELETE',
      authentication: 'basic',
      member: 'access_token',
    },
    separator: ',',
    refresh: 'rotates',
    withdrawn: ['bad_refresh_token'],
    iss: 'https://github.com/login/oauth',
    account: { url: 'https://api.github.com/user', id: '/id', label: '/login' },
  },
};
