import { verification as english } from '#locales/texts.en';
import { signInMethods, type Authentication } from '#access/sign-in/contract/authentication';
import { chatChannels } from '#notify/chat/contract';
import type { ServerId, UserId } from '#platform/model/id';
import type { Identity } from '#platform/model/identity';
import type { RoleHolder } from './permission.ts';

/** A person signed in at the console. Only a person can make an approval. */
export interface User extends RoleHolder {
  kind: 'user';
  id: UserId;
  email: string;
  name: string;
  /** The administrator who issued the credential they signed in with; absent if it is a factor of their own. */
  credentialIssuer?: UserId | undefined;
}

/** Milliseconds until a session that is not used ends, and until any session ends. */
export interface SessionLimits {
  idle: number;
  longest: number;
}

export const defaultSessions: SessionLimits = { idle: 30 * 60_000, longest: 12 * 3_600_000 };

/** Why one administrator is enough for a change of who may decide. */
export const aloneReasons = ['trial', 'only-administrator'] as const;
export type Alone = (typeof aloneReasons)[number];

/** Ways in which people get the links to set passwords. */
export const linkWays = ['mail', 'terminal'] as const;
export type LinkWay = (typeof linkWays)[number];

/** Factors that identify a person at a vote. */
export const factors = [...signInMethods, ...chatChannels] as const;
export type Factor = (typeof factors)[number];

/** Lets a writing statement check that a session is still good, and its person the same. */
export interface SessionProof {
  hash: Uint8Array;
  /** The epochs of the people and the sessions when it was read. */
  users: bigint;
  sessions: bigint;
}

/** As they are signed in now. */
export interface SignedInUser extends User {
  /** Absent if they are not known by a session. */
  proof?: SessionProof | undefined;
  authentication: Authentication;
}

/** Scope of a key: the requests of its server whose tool fits a pattern. */
export interface KeyScope {
  id: ServerId;
  /** In a pattern `*` stands for any characters. */
  tools: readonly string[];
}

/** The patterns of a key without limits. */
export const everyTool: readonly string[] = ['*'];

/** Proof that a key is still good: the epochs of keys and people when it was read. */
export interface KeyProof {
  kid: string;
  keys: bigint;
  users: bigint;
  /** Null: it does not expire. */
  expiresAt: number | null;
  /** Is it a workload with a token of its issuer, instead of a key? */
  isWorkload?: true;
}

/** An MCP server, known by its API key or by the token of its workload. It asks and relays; it never decides. */
export interface ServerCaller extends KeyScope {
  kind: 'server';
  name: string;
  /** The administrator who made its key; absent if the operator did. */
  maker?: UserId | undefined;
  /** Absent if it is not known by a key. */
  proof?: KeyProof | undefined;
  /** Address of the caller, as far as it is known. */
  address?: string | undefined;
}

/** The person in front of the MCP client, as that client's server describes them. */
export interface Requester extends Identity {
  /** True only if the server says that it took issuer and subject from a validated access token. */
  verified: boolean;
  /** The issuer whose access token of this subject Assentry has checked itself. */
  verifiedBy?: string | null | undefined;
  client?: { name: string; version?: string | undefined } | undefined;
}

type Verification = Pick<Requester, 'verified' | 'verifiedBy'>;

/** Certainty of the requester's identity, in words to put after the subject. */
export const formatVerification = (
  { verified, verifiedBy }: Verification,
  verification: typeof english = english,
): string => verification(verifiedBy || null, verified);
