import type { ProviderInput } from './provider.ts';

/** OAuth apps get a token without an end; GitHub Apps one of eight hours, and a refresh token that is exchanged at each use. */
export const github: ProviderInput = {
  label: 'GitHub',
  pageHosts: ['github.com'],
  apiHosts: ['api.github.com', 'uploads.github.com', 'api.githubcopilot.com'],
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
    permits: {
      repo: ['repo:status', 'repo_deployment', 'public_repo', 'repo:invite', 'security_events'],
      user: ['read:user', 'user:email', 'user:follow'],
      'admin:org': ['write:org', 'read:org'],
      'write:org': ['read:org'],
      'admin:public_key': ['write:public_key', 'read:public_key'],
      'write:public_key': ['read:public_key'],
      'admin:repo_hook': ['write:repo_hook', 'read:repo_hook'],
      'write:repo_hook': ['read:repo_hook'],
      'admin:gpg_key': ['write:gpg_key', 'read:gpg_key'],
      'write:gpg_key': ['read:gpg_key'],
      'write:packages': ['read:packages'],
      project: ['read:project'],
      'write:discussion': ['read:discussion'],
    },
    refresh: 'rotates',
    withdrawn: ['bad_refresh_token'],
    unknownClient: ['incorrect_client_credentials'],
    iss: 'https://github.com/login/oauth',
    account: { url: 'https://api.github.com/user', id: '/id', label: '/login' },
  },
};
