import type { SpaceRole } from '#people/roles/contract';
import type {
  GroupId,
  RoleId,
  SpaceId,
  UserId,
  ServerId,
  DeviceId,
  PasskeyId,
  SessionId,
  TotpId,
  ElicitationId,
  NotificationId,
  CredentialId,
} from '#platform/model/id';
import type { WorkloadTerms } from '#access/workloads/contract';
import type { PairAnswer } from '#people/accounts/contract';
import type { Assurance, SecondFactor, SignInMethod } from '#access/sign-in/contract/authentication';
import type { Role } from '#people/directory/contract/permission';
import type { DeliveryChannel, NotificationKind } from '#notify/contract/notification';

/** Events of groups and their members, of spaces, and of the roles that the installation has made. */
export type DirectoryEvent =
  | { type: 'group.added' | 'group.deleted'; group: GroupId }
  | { type: 'group.changed'; group: GroupId; changed: ('name' | 'description')[] }
  /** The actor, an identity provider, has made this group, or calls it by another name. */
  | { type: 'group.provisioned'; group: GroupId }
  /** An administrator has adopted the group that a provider made, so that it counts in policies; or it counts for nothing again. */
  | { type: 'group.adopted' | 'group.adoption-ended'; group: GroupId }
  | { type: 'group.members-changed'; group: GroupId; added: UserId[]; removed: UserId[] }
  /** Its members are to be confirmed every so many days, by these people first; null: not any more. */
  | { type: 'group.confirmation-set'; group: GroupId; days: number | null; owners: UserId[] }
  /** The owners are warned: so many members leave at this time unless someone confirms them. */
  | { type: 'group.confirmation-due'; group: GroupId; members: number; lapsesAt: number }
  /** The actor has confirmed these members; `digest` is that of the list that was shown. */
  | { type: 'group.confirmed'; group: GroupId; members: UserId[]; digest: string }
  /** No one confirmed them in time; the entries of the members who left are before this one. */
  | { type: 'group.lapsed'; group: GroupId; members: number }
  | { type: 'space.added'; space: SpaceId; name: string }
  /** Null: they have no role there any more. */
  | { type: 'space.member-changed'; space: SpaceId; user: UserId; role: SpaceRole | null }
  /** Null is global. */
  | { type: 'group.moved'; group: GroupId; space: SpaceId | null }
  /** `permissions` are those from then on. */
  | { type: 'role.added'; role: RoleId; name: string; permissions: readonly string[] }
  | { type: 'role.changed'; role: RoleId; name: string; before: readonly string[]; permissions: readonly string[] }
  | { type: 'role.removed'; role: RoleId; name: string };

/** Events of an MCP server: its owner, its keys, and how it describes its tools. */
export type ServerEvent =
  | { type: 'server.added'; server: ServerId }
  | { type: 'server.owner-changed'; server: ServerId; owner: UserId | null }
  /** Null is global. */
  | { type: 'server.moved'; server: ServerId; space: SpaceId | null }
  | KeyCreated
  /** Another key follows this one, which ends at `endsAt`; the entry that made it stands in the same commit. */
  | { type: 'key.rotated'; server: string; kid: string; next: string; endsAt: number }
  | { type: 'key.revoked'; server: string; kid: string }
  /** Its networks from then on, and before; none is anywhere. */
  | { type: 'key.changed'; server: string; kid: string; before: readonly string[]; networks: readonly string[] }
  /** From then on tokens that fit these terms are taken as a key of the server. */
  | ({ type: 'workload.added'; server: string; workload: string } & WorkloadTerms)
  | { type: 'workload.removed'; server: string; workload: string }
  /** The gateway says that this server describes the tool in another way than was accepted: by these digests. */
  | { type: 'tool.changed'; server: ServerId; serverName: string; tool: string; accepted: string; changed: string }
  /** It says that people accepted this definition in place of the one it named before. */
  | { type: 'tool.accepted'; server: ServerId; serverName: string; tool: string; accepted: string; before: string };

interface KeyCreated {
  type: 'key.created';
  server: string;
  kid: string;
  /** Null if it does not expire. */
  expiresAt: number | null;
  /** The patterns of the tools it may ask about. */
  tools: readonly string[];
  /** Absent if it works from anywhere. */
  networks?: readonly string[];
  /** The key that it follows; absent if it follows none. */
  replaces?: string;
}

/** Events of a person, and of the browsers in which they are told. */
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

/** Events of the installation as a whole. */
export type InstallationEvent =
  /** The secret was activated, so that every node seals with it, or retired. */
  { type: 'secret.activated' | 'secret.retired'; kid: string } | DatabaseRestored | LogVerified | NodeConfigured;

/**
 * The database was put back to this moment, and what came after the first `size` entries is gone. `lost` is the longest
 * head that was known before, if the operator declared that the backup is older.
 */
export interface DatabaseRestored {
  type: 'database.restored';
  madeAt: number;
  size: number;
  lost?: { size: number; root: string };
}

/** The first `size` entries were verified; `isWhole` is false if they, or rows that follow from them, were changed. */
interface LogVerified {
  type: 'log.verified';
  size: number;
  isWhole: boolean;
}

/** A node started under other settings than the node that started before. */
export interface NodeConfigured {
  type: 'node.configured';
  version: string;
  settings: NodeSettings;
}

/** Settings that change who may decide, who is told, and what is kept. Secrets by their key ids, other sides by their names. */
export interface NodeSettings {
  environment: string;
  /** Defaults without a policy; times in milliseconds. */
  unknownTools: string;
  requester: string;
  readingTime: number;
  /** Absent in entries of earlier versions. */
  secondFactor?: string;
  sessions: { idle: number; longest: number };
  limits: { perServer: number; perRequester: number; perApprover: number };
  secrets: string[];
  /** Servers whose callers' access tokens are checked. */
  checkedServers: string[];
  /** Proxies whose word about a caller's address is taken. */
  trustedProxies: string[];
  publicUrl: string | null;
  mailServer: string | null;
  votesInChat: boolean;
  /** Networks that are not public and that webhooks may reach. */
  webhookNetworks: string[];
  witnesses: string[];
  /** The names of the streams of the log. */
  streams: string[];
  keepsHead: boolean;
  copiesHeads: boolean;
  /** The bucket of copies that no one can change for so many days. */
  lockedCopies: { bucket: string; days: number } | null;
}

/**
 * A notification of a request was sent or given up; without its text. The entry about a test names no request. One entry
 * covers everyone who was notified at the same time in the same way.
 */
export interface DeliveryEvent extends Partial<RequestFacts>, Delivered {
  type: 'notification.sent' | 'notification.given-up';
  elicitation: ElicitationId | null;
  channel: DeliveryChannel;
  kind: NotificationKind;
  /** All but the first; absent if there is only one. */
  others?: Delivered[];
}

/** One notification of one target. */
export interface Delivered {
  /** Null of a message in chat, which has no id. */
  notification: NotificationId | null;
  /** The person of a mail, the browser, the webhook, or the channel or member in chat. */
  target: string;
  /** The reader; null if it is no person. */
  user: UserId | null;
  /** How often it failed. */
  failures: number;
  /** The code of the last failure; null if there was none. */
  fault: string | null;
}

/**
 * Events of credentials that the gateway shows a server in the name of one person, and of connections, whose token a
 * server gets. The secret is in no entry.
 * `requester` stands for issuer and subject: a keyed hash, the same as in the entries of their requests.
 */
export type CredentialEvent = CredentialFacts &
  (
    | { type: 'credential.stored'; isReplacing: boolean }
    /** The gateway got it for the first time. */
    | { type: 'credential.used' }
    /** The gateway says that the server did not take it. */
    | { type: 'credential.refused' }
    | { type: 'credential.removed' }
  );

export interface CredentialFacts {
  credential: CredentialId;
  server: ServerId;
  serverName: string;
  /** Absent for a requester who is no user, on one's own machine. */
  user?: UserId;
  requester: string;
  /** The provider of a connection; absent for a secret that its person entered. */
  provider?: string;
}

/** Facts in every entry about a request, so that no reader needs another entry to know which one it is. */
export interface RequestFacts {
  server: ServerId;
  serverName: string;
  tool: string;
  /** name@version */
  policy: string;
  /** Stands for the requester: a keyed hash, the same for the same one at the same server. */
  requester: string;
}

/** Facts of a request that is under way, or whose call is. */
export interface RequestProgress extends RequestFacts {
  /** The stage that it was in, counted from 0. */
  stage: number;
  /** Milliseconds since it was asked. */
  waited: number;
}

interface StoredFacts extends Pick<RequestFacts, 'serverName' | 'tool' | 'policy'> {
  serverId: ServerId;
  requesterHash: Uint8Array | null;
}

interface StoredProgress extends StoredFacts {
  state: { context: { stage: number } };
  openedAt: number;
}

export const requestFacts = ({ serverId, serverName, tool, policy, requesterHash }: StoredFacts): RequestFacts => ({
  server: serverId,
  serverName,
  tool,
  policy,
  requester: Buffer.from(requesterHash ?? []).toString('hex'),
});

export const requestProgress = (row: StoredProgress, at: number): RequestProgress => ({
  ...requestFacts(row),
  stage: row.state.context.stage,
  waited: Math.max(0, at - row.openedAt),
});
