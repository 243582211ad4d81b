import type { ProviderInput } from './provider.ts';

/** Tokens of a person, not of an app's bot. The first answer nests them; an answer to a refresh does not. */
export const slack: ProviderInput = {
  label: 'Slack',
  pageHosts: ['slack.com'],
  apiHosts: ['slack.com', 'files.slack.com'],
  oauth: {
    authorize: 'https://slack.com/oauth/v2_user/authorize',
    token: 'https://slack.com/api/oauth.v2.user.access',
    revoke: { url: 'https://slack.com/api/auth.revoke', method: 'POST', authentication: 'bearer' },
    separator: ',',
    refresh: 'rotates',
    withdrawn: ['invalid_refresh_token', 'token_expired', 'token_revoked'],
    unknownClient: ['invalid_client_id', 'bad_client_secret'],
    tokens: '/authed_user',
    account: { url: 'https://slack.com/api/auth.test', id: '/user_id', label: '/user' },
  },
};
