import { listAllCredentials, removeCredential } from '../engine/credentials/manage-credentials.ts';
import { addUser, inviteUser, makeSetUpLink, type NewUserRequest } from '../engine/users/add-user.ts';
import {
  applyPolicies,
  exportPolicies,
  type Applied,
  type ApplyOptions,
  type Exported,
} from '../engine/policies/apply-policies.ts';
import type { ChangingEngine } from '../engine/elicitation/change.ts';
import { changeUser, type UserChanges } from '../engine/users/change-user.ts';
import { confirmMembers, setConfirmation } from '../engine/users/confirm-group.ts';
import { addGroup, changeMembers, setOwner } from '../engine/users/change-group.ts';
import type { Engine } from '../engine/engine.ts';
import { exportEntries, type ExportedEntries, type ExportTarget } from '../engine/log/export-entries.ts';
import { exportLog, type WriteFile } from '../engine/log/export-log.ts';
import { showLogKeys } from '../engine/log/log-keys.ts';
import { listTokens, revokeToken } from '../engine/users/admin-tokens.ts';
import { nameIdentity } from '../engine/users/federation/identities.ts';
import { makePasswordLink, type PasswordLink } from '../engine/users/password-link.ts';
import { groupNamed, serverOfName, spaceOfName, userIdsOf } from '../engine/users/in-directory.ts';
import { showDirectory, showGroup, showServer, showUser } from '../engine/users/show-directory.ts';
import {
  listNotifications,
  replayNotifications,
  testNotification,
} from '../engine/notifications/manage-notifications.ts';
import { changeNotificationSettings } from '../engine/notifications/personal-settings.ts';
import { makeSignInLink } from '../engine/users/sign-in/link/sign-in-link.ts';
import { listSecrets, retireSecret, rotateSecret, type SecretsEngine } from '../engine/secrets/manage-secrets.ts';
import { rewrapSecrets } from '../engine/secrets/rewrap-secrets.ts';
import {
  simulatePolicies,
  type Simulated,
  type SimulatedRequests,
  type SimulationEngine,
} from '../engine/policies/simulate-policy.ts';
import { verifyAndRecord, type LogReport, type VerifyLogRequest } from '../engine/log/verify-log.ts';
import { liftStop } from '../engine/stops/lift-stop.ts';
import { stopCalls, type StopEngine, type StopRequest } from '../engine/stops/make-stop.ts';
import { listStops, type ShownStop } from '../engine/stops/show-stops.ts';
import { eraseContent, type Erasure, type KeepingEngine } from '../engine/keeping/erase-content.ts';
import type { Erased } from '../engine/keeping/destroy-keys.ts';
import { placeHold, releaseHold, type HoldRequest } from '../engine/keeping/hold-content.ts';
import { listHolds, type ShownHold } from '../engine/keeping/show-holds.ts';
import type { CredentialId, HoldId, NotificationId, StopId, UserId } from '#protocol/model/id';
import type { ExportFormat } from '#core/audit/export/export-file';
import type { LogFilter } from '#core/audit/export/log-filter';
import type { StreamState } from '#protocol/model/notifications/log-stream';
import type { NotificationChanges } from '#protocol/model/notifications/notification-settings';
import type { User } from '#protocol/model/user';
import { Problem } from '#protocol/model/problem';
import { createKeysOperator } from './keys-operator.ts';
import { createRolesOperator } from './roles-operator.ts';
import { createSpacesOperator } from './spaces-operator.ts';
import { createScimOperator } from './scim-operator.ts';
import { createWorkloadsOperator } from './workloads-operator.ts';
import { createWebhooksOperator } from './webhooks-operator.ts';

type Directory = Awaited<ReturnType<typeof showDirectory>>;

/** The operator's commands, with or without a running server. People and groups are given by address and name. */
export interface Operator extends ReturnType<typeof createKeysOperator>, ReturnType<typeof createParts> {
  addUser(request: NewUserRequest & { password: string }): Promise<User>;
  /** Adds a person, who sets a password with the link. */
  inviteUser(request: NewUserRequest): Promise<{ user: User; link: PasswordLink }>;
  /**
   * A new link for someone who has no password or lost it: earlier links become invalid, and they are signed out. One that
   * resets the second factors removes them when it is used.
   */
  makePasswordLink(email: string, options?: { resetsFactors?: boolean }): Promise<PasswordLink>;
  /** Lets a person sign in at an identity provider, as this subject of this issuer. */
  connectUser(email: string, identity: { issuer: string; subject: string }): Promise<void>;
  /** Everyone, with their groups; all groups, with their members. */
  directory(): Promise<Directory>;
  /** `manager` is an address, or null for no one. */
  changeUser(
    email: string,
    changes: Omit<UserChanges, 'managerId'> & { manager?: string | null },
  ): Promise<Directory['users'][number]>;
  createGroup(name: string, description?: string): Promise<Directory['groups'][number]>;
  changeMembers(group: string, change: { add?: string[]; remove?: string[] }): Promise<Directory['groups'][number]>;
  /** Has the members of a group confirmed every so many days; what is absent stays as it is. Owners are addresses. */
  setConfirmation(
    group: string,
    rule: { days?: number | null; owners?: string[] },
  ): Promise<Directory['groups'][number]>;
  /** Confirms the members of a group whose list has this digest. */
  confirmMembers(group: string, digest: string): Promise<Directory['groups'][number]>;
  /** Sets the owner of the server of this name; null for no one. */
  setOwner(server: string, email: string | null): Promise<Directory['servers'][number]>;
  /** Publishes documents as the operator; an equal one makes no version. `space` is a name; absent, they are global. */
  applyPolicies(
    documents: string[],
    options?: Omit<ApplyOptions, 'space'> & { space?: string | undefined },
  ): Promise<Applied[]>;
  /** Every published document, by name, with its current faults. */
  exportPolicies(): Promise<Exported[]>;
  /** What the documents would decide for the latest requests, or for calls that were never made. */
  simulatePolicies(documents: string[], tried: SimulatedRequests): Promise<Simulated>;
  /** Stops a tool, a server or everything at once, as the operator. */
  stopCalls(request: StopRequest): Promise<ShownStop & { ended: number }>;
  /** Lifts a stop that someone made in the console. */
  liftStop(id: StopId): Promise<ShownStop>;
  /** All stops. */
  listStops(): Promise<ShownStop[]>;
  /** Destroys the keys of content, as the operator. */
  eraseContent(erasure: Erasure): Promise<Erased>;
  placeHold(request: HoldRequest): Promise<ShownHold>;
  releaseHold(id: HoldId): Promise<ShownHold>;
  /** All legal holds. */
  listHolds(): Promise<ShownHold[]>;
  /** Rebuilds the whole log from its entries and reports the first fault; the run is an entry. */
  verifyLog(request: VerifyLogRequest): Promise<LogReport>;
  /** Writes the whole log as files that public tools read. */
  exportLog(write: WriteFile): Promise<{ origin: string; size: number }>;
  /** Writes the entries that fit to a file. */
  exportEntries(filter: OperatorFilter, format: ExportFormat, target: ExportTarget): Promise<ExportedEntries>;
  /** The keys that verify this installation's signatures: one for each of its secrets, the active one first. */
  logKeys(): Promise<{ origin: string; keys: { kid: string; key: string }[] }>;
  /** How far the log was streamed to each receiver that was ever named. */
  listStreams(): Promise<StreamState[]>;
  /** Forgets how far a stream is: if nodes still have it, it begins with the first entry again. */
  forgetStream(name: string): Promise<void>;
  /** The address to make the first administrator; null if there is one. */
  setUpAddress(): Promise<string | null>;
  /** An address that signs this person in once, within ten minutes, and leads to `next`. */
  signInAddress(user: User, next?: string): Promise<string>;
}

/** People are given by address. */
export type OperatorFilter = Omit<LogFilter, 'person'> & { person?: string | undefined };

type OperatorEngine = SimulationEngine &
  ChangingEngine &
  StopEngine &
  KeepingEngine &
  SecretsEngine &
  Pick<
    Engine,
    | 'federation'
    | 'passkeys'
    | 'users'
    | 'directory'
    | 'servers'
    | 'scimTokens'
    | 'adminTokens'
    | 'workloads'
    | 'workloadIssuers'
    | 'providers'
    | 'notifications'
    | 'publicUrl'
    | 'merkleLog'
    | 'readLog'
    | 'accessLog'
    | 'askedNames'
    | 'streams'
  >;

/** The operator's verbs over an engine that may or may not be serving. */
export const createOperator = (engine: OperatorEngine): Operator => ({
  ...createUsersOperator(engine),
  ...createParts(engine),
  addUser: (request) => addUser(engine, request),
  inviteUser: (request) => inviteUser(engine, request),
  ...createKeysOperator(engine),
  async applyPolicies(documents, { space, ...options } = {}) {
    const of = space === undefined ? null : (await spaceOfName(engine, space)).id;
    return applyPolicies(engine, documents, { ...options, space: of });
  },
  exportPolicies: () => exportPolicies(engine),
  simulatePolicies: (documents, tried) => simulatePolicies(engine, 'operator', { documents, ...tried }),
  stopCalls: (request) => stopCalls(engine, 'operator', request),
  liftStop: (id) => liftStop(engine, 'operator', id),
  listStops: () => listStops(engine, 'operator'),
  eraseContent: (erasure) => eraseContent(engine, 'operator', erasure),
  placeHold: (request) => placeHold(engine, 'operator', request),
  releaseHold: (id) => releaseHold(engine, 'operator', id),
  listHolds: () => listHolds(engine),
  verifyLog: (request) => verifyAndRecord(engine, request),
  exportLog: (write) => exportLog(engine, write),
  async exportEntries({ person: email, ...filter }, format, target) {
    const person = email === undefined ? undefined : await userIdOf(engine, email);
    return exportEntries(engine, { filter: { ...filter, person }, format }, target);
  },
  logKeys: () => showLogKeys(engine),
  listStreams: () => engine.streams.list(),
  async forgetStream(name) {
    if (!(await engine.streams.forget(name)))
      throw new Problem('not-found', { detail: `Check the name: there is no stream called ${name}.` });
  },
  async setUpAddress() {
    const secret = await makeSetUpLink(engine);
    return secret && `${engine.publicUrl()}/setup#link=${secret}`;
  },
  async signInAddress(user, next = '/inbox') {
    const secret = await makeSignInLink(engine, user.id);
    return `${engine.publicUrl()}/signin#link=${secret}&next=${encodeURIComponent(next)}`;
  },
});

/** The operator's commands by subject. */
const createParts = (engine: OperatorEngine) => ({
  /** For the secrets of the installation. They never reveal a secret. */
  secrets: {
    list: (): ReturnType<typeof listSecrets> => listSecrets(engine),
    /** Makes every node seal with another secret; by default the new one. */
    rotate: (kid?: string) => rotateSecret(engine, kid),
    /** Seals what is stored under the active secret. */
    rewrap: (onProgress: (done: number) => void = () => {}) => rewrapSecrets(engine, onProgress),
    /** Retires a secret that nothing needs any more. */
    retire: (kid: string, options?: { endLinks?: boolean }) => retireSecret(engine, kid, options),
  },
  /** For what people are told, who are given by address. */
  notifications: {
    /** The latest ones, or those that failed. */
    list: ({ isFailed }: { isFailed: boolean }) =>
      listNotifications(engine, { ...(isFailed && { state: 'failed' }), limit: maxListed }),
    /** Sends failed ones again; returns how many. */
    replay: (ids: NotificationId[] | 'all') => replayNotifications(engine, ids),
    test: async (email: string) => testNotification(engine, 'email', await userIdOf(engine, email)),
    /** Changes how someone is told; returns all of it. */
    set: async (email: string, changes: NotificationChanges) =>
      changeNotificationSettings(engine, await userIdOf(engine, email), changes),
  },
  /** For the tokens by which programs administer. Administrators make them in the console. */
  tokens: {
    list: () => listTokens(engine, 'operator'),
    /** Revokes a token at once and permanently. */
    revoke: (kid: string) => revokeToken(engine, 'operator', kid),
  },
  /** For the credentials that people have entered for servers. They never reveal a secret. */
  credentials: {
    list: () => listAllCredentials(engine),
    remove: (id: CredentialId) => removeCredential(engine, 'operator', id),
  },
  webhooks: createWebhooksOperator(engine),
  scim: createScimOperator(engine),
  spaces: createSpacesOperator(engine),
  roles: createRolesOperator(engine),
  workloads: createWorkloadsOperator(engine),
});

type UsersOperator = Pick<
  Operator,
  | 'directory'
  | 'changeUser'
  | 'makePasswordLink'
  | 'connectUser'
  | 'createGroup'
  | 'changeMembers'
  | 'setConfirmation'
  | 'confirmMembers'
  | 'setOwner'
>;

function createUsersOperator(engine: OperatorEngine): UsersOperator {
  return {
    directory: () => showDirectory(engine),
    async changeUser(email, { manager, ...changes }) {
      const isNamed = typeof manager === 'string';
      const [id, named] = (await userIdsOf(engine, [email, ...(isNamed ? [manager] : [])])) as [UserId, UserId?];
      await changeUser(engine, 'operator', id, { ...changes, managerId: isNamed ? named : manager });
      return showUser(engine, id);
    },
    connectUser: async (email, identity) => nameIdentity(engine, 'operator', await userIdOf(engine, email), identity),
    makePasswordLink: async (email, options) => makePasswordLink(engine, await userIdOf(engine, email), options),
    createGroup: async (name, description) =>
      showGroup(engine, await addGroup(engine, 'operator', { name, description })),
    async changeMembers(name, { add = [], remove = [] }) {
      const { id } = await groupNamed(engine, name);
      const ids = await userIdsOf(engine, [...add, ...remove]);
      await changeMembers(engine, 'operator', id, { add: ids.slice(0, add.length), remove: ids.slice(add.length) });
      return showGroup(engine, id);
    },
    async setConfirmation(name, { days, owners }) {
      const group = await groupNamed(engine, name);
      await setConfirmation(engine, 'operator', {
        id: group.id,
        days: days === undefined ? (group.confirmation?.days ?? null) : days,
        owners: owners ? await userIdsOf(engine, owners) : group.owners,
      });
      return showGroup(engine, group.id);
    },
    async confirmMembers(name, digest) {
      const { id } = await groupNamed(engine, name);
      await confirmMembers(engine, 'operator', { id, digest });
      return showGroup(engine, id);
    },
    async setOwner(name, email) {
      const { id } = await serverOfName(engine, name);
      await setOwner(engine, 'operator', id, email === null ? null : await userIdOf(engine, email));
      return showServer(engine, id);
    },
  };
}

/** Notifications that the command shows at most. */
const maxListed = 500;

const userIdOf = async (engine: Pick<Engine, 'directory'>, email: string): Promise<UserId> =>
  (await userIdsOf(engine, [email]))[0] as UserId;
