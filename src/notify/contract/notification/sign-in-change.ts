/** What can change about how a person signs in. `address` is the one at which they get mails. */
export type SignInChange =
  | 'password'
  | 'passkey-added'
  | 'passkey-removed'
  | 'app-added'
  | 'app-removed'
  | 'recovery-codes'
  | 'provider-connected'
  | 'provider-removed'
  | 'address';
