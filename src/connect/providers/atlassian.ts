import type { ProviderInput } from './provider.ts';

/** Jira and Confluence in the cloud. Atlassian has no address to revoke tokens: people withdraw them in their profile. */
export const atlassian: ProviderInput = {
  label: 'Atlassian',
  pageHosts: ['auth.atlassian.com'],
  apiHosts: ['api.atlassian.com'],
  oauth: {
    authorize: 'https://auth.atlassian.com/authorize',
    token: 'https://auth.atlassian.com/oauth/token',
    refresh: 'rotates',
    ownScopes: ['offline_access', 'read:me'],
    parameters: { audience: 'api.atlassian.com', prompt: 'consent' },
    account: { url: 'https://api.atlassian.com/me', id: '/account_id', label: '/email' },
  },
};
