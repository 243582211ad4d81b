import { testEvents } from '#connect/checks/verbs';
import { listAllCredentials, removeCredential } from '#connect/credentials/verbs';
import {
  addUser,
  inviteUser,
  makeSetUpLink,
  changeUser,
  type UserChanges,
  type NewUserRequest,
} from '#people/users/verbs';
import { applyPolicies, exportPolicies, type ApplyOptions } from '#policies/verbs/apply';
import type { ChangingEngine } from '#requests/state/verbs/change';
import type { PairAnswer } from '#people/accounts/contract';
import { decidePair, listPairs } from '#people/accounts/verbs/decide-pair';
import { confirmMembers, setConfirmation, adoptGroup, addGroup, changeMembers, setOwner } from '#people/groups/verbs';
import type { Engine } from '#platform/nodes/verbs/engine';
import { exportEntries, type ExportTarget, exportLog, type WriteFile } from '#audit/exports/verbs';
import { showLogKeys } from '#audit/tree/verbs';
import { listTokens, revokeToken } from '#access/tokens/verbs/admin-tokens';
import { nameIdentity } from '#access/oidc/verbs/identities';
import { makePasswordLink } from '#access/passwords/verbs';
import { groupNamed, serverOfName, spaceOfName, userIdsOf } from '#people/directory/verbs/directory';
import { showDirectory, showGroup, showServer, showUser } from '#people/directory/verbs/show-directory';
import {
  listNotifications,
  replayNotifications,
  testNotification,
  changeNotificationSettings,
} from '#notify/verbs/settings';
import { makeSignInLink } from '#access/sign-in/verbs/sessions';
import { listSecrets, retireSecret, rotateSecret, type SecretsEngine, rewrapSecrets } from '#keeping/secrets/verbs';
import { simulatePolicies, type SimulatedRequests, type SimulationEngine } from '#policies/verbs/simulate';
import { verifyAndRecord, type VerifyLogRequest } from '#audit/verify/verbs/verify-log';
import { liftStop, stopCalls, type StopEngine, listStops } from '#requests/stops/verbs';
import { eraseContent, type Erasure, type KeepingEngine } from '#keeping/content/verbs/erase';
import { placeHold, releaseHold, type HoldRequest } from '#keeping/content/verbs/place-hold';
import { listHolds } from '#keeping/content/verbs/holds';
import type { CredentialId, ElicitationId, HoldId, NotificationId, StopId, UserId } from '#platform/model/id';
import type { ExportFormat } from '#audit/exports/rules/file';
import type { LogFilter } from '#audit/exports/rules/filter';
import type { ChangeNotificationSettings } from '#notify/contract/settings';
import type { User } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem';
import { createKeysOperator } from '#access/keys/operator';
import { createRolesOperator } from '#people/roles/operator';
import { createSpacesOperator } from '#people/spaces/operator';
import { createScimOperator } from '#access/scim/operator';
import { createWorkloadsOperator } from '#access/workloads/operator';
import { createWebhooksOperator } from '#notify/webhooks/operator';
import type { MakeStop } from '#requests/stops/contract/stops';

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
    | 'connect'
    | 'connectChosen'
    | 'outcomes'
    | 'expectations'
    | 'notifications'
    | 'publicUrl'
    | 'merkleLog'
    | 'readLog'
    | 'accessLog'
    | 'askedNames'
    | 'streams'
  >;

/** The operator's commands, with or without a running server. People and groups are given by address and name. */
export const createOperator = (engine: OperatorEngine) => ({
  ...createUsersOperator(engine),
  ...createParts(engine),
  addUser: (request: NewUserRequest & { password: string }) => addUser(engine, request),
  /** Adds a person, who sets a password with the link. */
  inviteUser: (request: NewUserRequest) => inviteUser(engine, request),
  ...createKeysOperator(engine),
  /** Publishes documents as the operator; an equal one makes no version. `space` is a name; absent, they are global. */
  async applyPolicies(
    documents: string[],
    { space, ...options }: Omit<ApplyOptions, 'space'> & { space?: string | undefined } = {},
  ) {
    const of = space === undefined ? null : (await spaceOfName(engine, space)).id;
    return applyPolicies(engine, documents, { ...options, space: of });
  },
  /** Every published document, by name, with its current faults. */
  exportPolicies: () => exportPolicies(engine),
  /** What the documents would decide for the latest requests, or for calls that were never made. */
  simulatePolicies: (documents: string[], tried: SimulatedRequests) =>
    simulatePolicies(engine, 'operator', { documents, ...tried }),
  /** Stops a tool, a server or everything at once, as the operator. */
  stopCalls: (request: MakeStop) => stopCalls(engine, 'operator', request),
  /** Lifts a stop that someone made in the console. */
  liftStop: (id: StopId) => liftStop(engine, 'operator', id),
  /** All stops. */
  listStops: () => listStops(engine, 'operator'),
  /** Destroys the keys of content, as the operator. */
  eraseContent: (erasure: Erasure) => eraseContent(engine, 'operator', erasure),
  placeHold: (request: HoldRequest) => placeHold(engine, 'operator', request),
  releaseHold: (id: HoldId) => releaseHold(engine, 'operator', id),
  /** All legal holds. */
  listHolds: () => listHolds(engine),
  /** Rebuilds the whole log from its entries and reports the first fault; the run is an entry. */
  verifyLog: (request: VerifyLogRequest) => verifyAndRecord(engine, request),
  /** Writes the whole log as files that public tools read. */
  exportLog: (write: WriteFile) => exportLog(engine, write),
  /** Writes the entries that fit to a file. */
  async exportEntries({ person: email, ...filter }: OperatorFilter, format: ExportFormat, target: ExportTarget) {
    const person = email === undefined ? undefined : await userIdOf(engine, email);
    return exportEntries(engine, { filter: { ...filter, person }, format }, target);
  },
  /** The keys that verify this installation's signatures: one for each of its secrets, the active one first. */
  logKeys: () => showLogKeys(engine),
  /** How far the log was streamed to each receiver that was ever named. */
  listStreams: () => engine.streams.list(),
  /** Forgets how far a stream is: if nodes still have it, it begins with the first entry again. */
  async forgetStream(name: string) {
    if (!(await engine.streams.forget(name)))
      throw new Problem('not-found', { detail: `Check the name: there is no stream called ${name}.` });
  },
  /** The address to make the first administrator; null if there is one. */
  async setUpAddress(): Promise<string | null> {
    const secret = await makeSetUpLink(engine);
    return secret && `${engine.publicUrl()}/setup#link=${secret}`;
  },
  /** An address that signs this person in once, within ten minutes, and leads to `next`. */
  async signInAddress(user: User, next = '/inbox'): Promise<string> {
    const secret = await makeSignInLink(engine, user.id);
    return `${engine.publicUrl()}/signin#link=${secret}&next=${encodeURIComponent(next)}`;
  },
});

export type Operator = ReturnType<typeof createOperator>;

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
    /** Changes how a person is notified; returns all of it. */
    set: async (email: string, changes: ChangeNotificationSettings) =>
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
  /** Sends an event that a provider could have signed, and that changes nothing. */
  testEvents: (provider: string, request: ElicitationId | null) => testEvents(engine, provider, request),
  webhooks: createWebhooksOperator(engine),
  scim: createScimOperator(engine),
  spaces: createSpacesOperator(engine),
  roles: createRolesOperator(engine),
  workloads: createWorkloadsOperator(engine),
});

const createUsersOperator = (engine: OperatorEngine) => ({
  /** Everyone, with their groups; all groups, with their members. */
  directory: () => showDirectory(engine),
  /** `manager` is an address, or null for no one. */
  async changeUser(
    email: string,
    { manager, ...changes }: Omit<UserChanges, 'managerId'> & { manager?: string | null },
  ) {
    const isNamed = typeof manager === 'string';
    const [id, named] = (await userIdsOf(engine, [email, ...(isNamed ? [manager] : [])])) as [UserId, UserId?];
    await changeUser(engine, 'operator', id, { ...changes, managerId: isNamed ? named : manager });
    return showUser(engine, id);
  },
  /** Says whether the accounts with these addresses are of one person; null takes back what was said. */
  async decidePair(emails: [string, string], answer: PairAnswer | null) {
    const [user, other] = (await userIdsOf(engine, emails)) as [UserId, UserId];
    await decidePair(engine, 'operator', { user, other, answer });
  },
  listPairs: () => listPairs(engine),
  /** Lets a person sign in at an identity provider, as this subject of this issuer. */
  connectUser: async (email: string, identity: { issuer: string; subject: string }) =>
    nameIdentity(engine, 'operator', await userIdOf(engine, email), identity),
  /**
   * A new link for someone who has no password or lost it: earlier links become invalid, and they are signed out. One that
   * resets the second factors removes them when it is used.
   */
  makePasswordLink: async (email: string, options?: { resetsFactors?: boolean }) =>
    makePasswordLink(engine, await userIdOf(engine, email), options),
  createGroup: async (name: string, description?: string) =>
    showGroup(engine, await addGroup(engine, 'operator', { name, description })),
  async changeMembers(name: string, { add = [], remove = [] }: { add?: string[]; remove?: string[] }) {
    const { id } = await groupNamed(engine, name);
    const ids = await userIdsOf(engine, [...add, ...remove]);
    await changeMembers(engine, 'operator', id, { add: ids.slice(0, add.length), remove: ids.slice(add.length) });
    return showGroup(engine, id);
  },
  /** Has the members of a group confirmed every so many days; what is absent stays as it is. Owners are addresses. */
  async setConfirmation(name: string, { days, owners }: { days?: number | null; owners?: string[] }) {
    const group = await groupNamed(engine, name);
    await setConfirmation(engine, 'operator', {
      id: group.id,
      days: days === undefined ? (group.confirmation?.days ?? null) : days,
      owners: owners ? await userIdsOf(engine, owners) : group.owners,
    });
    return showGroup(engine, group.id);
  },
  /** Lets a group that a provider made count in policies, or no longer. */
  async adoptGroup(name: string, adopted: boolean) {
    const { id } = await groupNamed(engine, name);
    await adoptGroup(engine, 'operator', { id, adopted });
    return showGroup(engine, id);
  },
  /** Confirms the members of a group whose list has this digest. */
  async confirmMembers(name: string, digest: string) {
    const { id } = await groupNamed(engine, name);
    await confirmMembers(engine, 'operator', { id, digest });
    return showGroup(engine, id);
  },
  /** Sets the owner of the server of this name; null for no one. */
  async setOwner(name: string, email: string | null) {
    const { id } = await serverOfName(engine, name);
    await setOwner(engine, 'operator', id, email === null ? null : await userIdOf(engine, email));
    return showServer(engine, id);
  },
});

/** Notifications that the command shows at most. */
const maxListed = 500;

const userIdOf = async (engine: Pick<Engine, 'directory'>, email: string): Promise<UserId> =>
  (await userIdsOf(engine, [email]))[0] as UserId;
