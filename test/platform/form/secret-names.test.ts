import { describe, expect, test } from '@jest/globals';
import { looksSecret } from '#platform/form/lint';
import { workOf } from '../../support/work.ts';

const secret = [
  ['password', 'Password', 'PASSWORD', 'userPassword', 'user_password', 'user-password', 'passwords', 'dbpassword'],
  ['PassWord', 'pass phrase', 'passphrase', 'passcode', 'Passwort', 'Mot de passe', 'contraseña', 'password2'],
  ['apiKey', 'api_key', 'API-KEY', 'APIKey', 'apikey', 'API keys', 'OpenAI API key', 'stripeApiKey', 'X-Api-Key'],
  ['secret', 'clientSecret', 'client_secret', 'clientsecret', 'Secrets', 'credential', 'awsCredentials'],
  ['accessToken', 'access_token', 'accesstoken', 'refreshToken', 'Bearer token', 'OAuthToken', 'oauth2 access token'],
  ['GitHub token', 'token', 'Your token', 'jwt', 'privateKey', 'PRIVATE_KEY', 'ssh key', 'AWS access key'],
  ['cardNumber', 'card_number', 'Credit card', 'credit-card number', 'cvv', 'CVC', 'cvv2', 'Security code'],
  ['ssn', 'SSN', 'Social Security Number', 'pin', 'PIN', 'Enter your PIN', 'pinCode', 'PIN code', '4-digit PIN'],
  ['otp', 'OTPCode', 'oneTimeCode', 'one-time code', 'One-time password', 'verificationCode', '2FA code', 'smsCode'],
  ['seed phrase', 'recovery code', 'ｐａｓｓｗｏｒｄ', 'pass\u200Bword', 'pass\u00ADword'],
].flat();

const harmless = [
  ['tokenizer', 'author', 'authority', 'authorName', 'passenger', 'passengerCount', 'cardinality', 'secretary'],
  ['pinned', 'pinToTop', 'pin_message', 'spinCode', 'tokenCount', 'maxTokens', 'max_tokens', 'tokens', 'compass'],
  ['code', 'countryCode', 'zip code', 'Confirmation code', 'couponCode', 'keyword', 'primaryKey', 'keyboard'],
  ['card', 'cardColour', 'businessCard', 'iban', 'passport', 'bypass', 'passing grade', 'session', 'discover'],
  ['name', 'email', 'amount', 'account', 'new', '', '   ', '…', '42', 'Grund der Freigabe', '批准', 'otpravka'],
].flat();

describe('labels that ask for secrets', () => {
  test.each(secret)('MT-08: %j asks for a secret', (label) => expect(looksSecret(label)).toBe(true));
  test.each(harmless)('%j asks for nothing secret', (label) => expect(looksSecret(label)).toBe(false));

  test('a long label is read in reasonable time', () => {
    for (const label of ['aB'.repeat(30_000), 'A'.repeat(60_000)])
      expect(workOf(() => expect(looksSecret(label)).toBe(false))).toBeLessThan(160);
  });
});
