import type { PairAnswer } from '#people/accounts/contract/account-pair';
import type { Assurance, SecondFactor, SignInMethod } from '#access/sign-in/contract/authentication';
import type { DeviceId, GroupId, PasskeyId, SessionId, TotpId, UserId } from '#platform/model/id';
import type { Role } from '#people/directory/contract/permission';

/** What happened to a person, and to the browsers in which they are told. */
export type UserEvent =
  /** `linkUntil` is the time until which the link can set a password. */
  | { type: 'user.added'; user: UserId; role: string; manager?: UserId; groups?: GroupId[]; linkUntil?: number }
  | { type: 'user.link-made'; user: UserId; linkUntil: number; resetsFactors?: true }
  | { type: 'user.password-set'; user: UserId }
  | { type: 'user.signed-out'; user: UserId }
  /** `provider` is the issuer of the identity provider at which they proved who they are. */
  | {
      type: 'user.confirmed';
      user: UserId;
      with?: SignInMethod | SecondFactor;
      assurance?: Assurance;
      passkey?: PasskeyId;
      totp?: TotpId;
      provider?: string;
    }
  | {
      type: 'user.signed-in';
      user: UserId;
      with: SignInMethod;
      assurance?: Assurance;
      passkey?: PasskeyId;
      provider?: string;
    }
  /** `identity` stands for issuer and subject: a keyed hash. */
  | { type: 'user.provider-removed'; user: UserId; provider: string; identity: string }
  /** `countsFor` is the administrator who issued the sign-in under which it was connected. */
  | { type: 'user.provider-connected'; user: UserId; provider: string; identity: string; countsFor?: UserId }
  | { type: 'user.changed'; user: UserId; changed: UserChange }
  /** Whether these two accounts are of one natural person; null if that is undecided again. */
  | { type: 'user.pair-decided'; user: UserId; other: UserId; answer: PairAnswer | null }
  /** The actor, an identity provider, provisions them from now on, calls them by another name, or has deleted them. */
  | { type: 'user.provisioned'; user: UserId; isDeleted: boolean }
  | { type: 'user.password-changed'; user: UserId }
  | { type: 'user.sessions-ended'; user: UserId; sessions: SessionId[] }
  /**
   * Everything that a reader needs to check what this passkey signs from then on. The key is COSE, in base64url.
   * `countsFor` is the administrator whose link made the sign-in under which it was added.
   */
  | {
      type: 'user.passkey-added';
      user: UserId;
      passkey: PasskeyId;
      credential: string;
      publicKey: string;
      site: string;
      origin: string;
      isBackedUp: boolean;
      isSyncable?: boolean;
      countsFor?: UserId;
    }
  /** Its authenticator says that it is kept elsewhere, too, such as in a password manager; or no longer. */
  | { type: 'user.passkey-backup-changed'; user: UserId; passkey: PasskeyId; isBackedUp: boolean }
  | { type: 'user.passkey-removed'; user: UserId; passkey: PasskeyId; credential: string }
  /**
   * An authenticator app: it makes codes, or does no longer. `countsFor` is the administrator whose link made the sign-in
   * under which it was added.
   */
  | { type: 'user.totp-added'; user: UserId; totp: TotpId; countsFor?: UserId }
  | { type: 'user.totp-removed' | 'user.recovery-codes-renewed'; user: UserId; totp: TotpId }
  /** `host` is the push service of the browser in which this person is told. */
  | { type: 'device.added' | 'device.removed'; device: DeviceId; user: UserId; host: string };

/** Changes of power are logged in full; of names only that they changed. */
export interface UserChange {
  role?: Role;
  manager?: UserId | null;
  mayBreakGlass?: boolean;
  /** The member of a chat whose clicks are theirs; null for no one's. */
  chat?: string | null;
  disabled?: boolean;
  name?: true;
  address?: true;
  /** An identity provider has verified another address of theirs. */
  verifiedAddress?: true;
  /** The provider may speak for the domain of that address, so that it counts. */
  vouchedAddress?: true;
  subjects?: true;
}
