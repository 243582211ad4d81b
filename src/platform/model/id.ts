/** Ids name their kind and carry 128 random bits: knowing one is never a permission, guessing one is not possible. */
export const idPrefixes = {
  elicitation: 'eli',
  toolCall: 'call',
  server: 'srv',
  user: 'usr',
  vote: 'vot',
  entry: 'aud',
  group: 'grp',
  delegation: 'del',
  policy: 'pol',
  remark: 'rem',
  grant: 'grt',
  stop: 'stp',
  notification: 'ntf',
  hold: 'hld',
  webhook: 'whk',
  device: 'dev',
  session: 'ses',
  credential: 'crd',
  savedView: 'svw',
  passkey: 'pky',
  totp: 'otp',
  space: 'spc',
  role: 'rol',
} as const;

export type IdKind = keyof typeof idPrefixes;
export type Id<K extends IdKind> = `${(typeof idPrefixes)[K]}_${string}`;

export type ElicitationId = Id<'elicitation'>;
export type ToolCallId = Id<'toolCall'>;
export type ServerId = Id<'server'>;
export type UserId = Id<'user'>;
export type GroupId = Id<'group'>;
export type SpaceId = Id<'space'>;
export type RoleId = Id<'role'>;
export type PolicyId = Id<'policy'>;
export type RemarkId = Id<'remark'>;
export type GrantId = Id<'grant'>;
export type StopId = Id<'stop'>;
export type NotificationId = Id<'notification'>;
export type HoldId = Id<'hold'>;
export type WebhookId = Id<'webhook'>;
export type DeviceId = Id<'device'>;
export type CredentialId = Id<'credential'>;
export type SavedViewId = Id<'savedView'>;
export type PasskeyId = Id<'passkey'>;
export type TotpId = Id<'totp'>;
export type SessionId = Id<'session'>;
export type DelegationId = Id<'delegation'>;

/** The text after the prefix: 16 bytes as base64url. */
const tail = '[A-Za-z0-9_-]{22}';

export const idPattern = (kind: IdKind): RegExp => new RegExp(`^${idPrefixes[kind]}_${tail}$`);

/** Is this an id of Assentry, of any kind? */
export const isAnyId = (text: string): boolean => anyPattern.test(text);

const anyPattern = new RegExp(`^(?:${Object.values(idPrefixes).join('|')})_${tail}$`);

export const isId = <K extends IdKind>(kind: K, text: string): text is Id<K> => idPattern(kind).test(text);
