import type { ProviderInput } from './provider.ts';

/** Google gives a refresh token only if it is asked for offline access, and after the first time only with a new consent. */
export const google: ProviderInput = {
  label: 'Google',
  pageHosts: ['accounts.google.com'],
  apiHosts: [
    'www.googleapis.com',
    'openidconnect.googleapis.com',
    'people.googleapis.com',
    'gmail.googleapis.com',
    'docs.googleapis.com',
    'sheets.googleapis.com',
    'slides.googleapis.com',
    'forms.googleapis.com',
    'tasks.googleapis.com',
    'chat.googleapis.com',
    'meet.googleapis.com',
  ],
  oauth: {
    issuer: 'https://accounts.google.com',
    refresh: 'keeps',
    ownScopes: ['openid', 'email'],
    permits: {
      'https://www.googleapis.com/auth/userinfo.email': ['email'],
      'https://www.googleapis.com/auth/userinfo.profile': ['profile'],
    },
    parameters: { access_type: 'offline', prompt: 'consent' },
  },
};
