import type { ProviderInput } from './provider.ts';

/**
 * Work and school accounts of any organization. Its issuer is that of each tenant, so the addresses are written down; for one
 * tenant, describe a provider with its id in place of `organizations`.
 */
export const microsoft: ProviderInput = {
  label: 'Microsoft',
  pageHosts: ['login.microsoftonline.com'],
  apiHosts: ['graph.microsoft.com'],
  oauth: {
    authorize: 'https://login.microsoftonline.com/organizations/oauth2/v2.0/authorize',
    token: 'https://login.microsoftonline.com/organizations/oauth2/v2.0/token',
    refresh: 'rotates',
    ownScopes: ['offline_access', 'User.Read'],
    withdrawn: ['interaction_required', 'consent_required'],
    account: { url: 'https://graph.microsoft.com/v1.0/me', id: '/id', label: '/userPrincipalName' },
  },
};
