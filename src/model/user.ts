import type { ServerId, UserId } from './id.ts';

/** Administrators may do everything approvers may; reviewers look and never decide. */
export const roles = ['admin', 'approver', 'reviewer'] as const;
export type Role = (typeof roles)[number];

/** A person signed in at the console. Only a person can make an approval. */
export interface User {
  kind: 'user';
  id: UserId;
  email: string;
  name: string;
  role: Role;
}

/** As they are signed in now. */
export interface SignedInUser extends User {
  /** When they last proved their password here, in milliseconds; 0 where a link let them in. */
  authenticatedAt: number;
}

/** An MCP server, known by its API key. It asks and relays; it never decides. */
export interface ServerCaller {
  kind: 'server';
  id: ServerId;
  name: string;
}

/** The person in front of the MCP client, as that client's server describes them. */
export interface Requester {
  /** The subject of the MCP authorization, or whatever the server knows them by. */
  subject: string;
  /** True only where the server took the subject from a validated access token. */
  verified: boolean;
  client?: { name: string; version?: string | undefined } | undefined;
}

/** The id of a member of Slack. */
export const slackMember = /^[UW][A-Z0-9]{4,20}$/;

export const mayVote = (role: Role): boolean => role === 'admin' || role === 'approver';
