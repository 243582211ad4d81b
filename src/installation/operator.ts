import { addPerson, invitePerson, makeSetUpLink, type NewPersonRequest } from '../engine/people/add-person.ts';
import { applyPolicies, exportPolicies, type Applied, type Exported } from '../engine/policies/apply-policies.ts';
import type { ChangingEngine } from '../engine/elicitation/change.ts';
import { changePerson, type PersonChanges } from '../engine/people/change-person.ts';
import { addTeam, changeMembers, setOwner } from '../engine/people/change-team.ts';
import type { Engine } from '../engine/engine.ts';
import { exportLog, type WriteFile } from '../engine/log/export-log.ts';
import { showLogKeys } from '../engine/log/log-keys.ts';
import { createServerKey, revokeKey } from '../engine/people/server-key.ts';
import { makePasswordLink, type PasswordLink } from '../engine/people/password-link.ts';
import { showDirectory } from '../engine/people/show-directory.ts';
import { makeSignInLink } from '../engine/people/sign-in.ts';
import { simulatePolicies, type Simulated, type SimulationEngine } from '../engine/policies/simulate-policy.ts';
import { verifyLog, type LogReport, type VerifyLogRequest } from '../engine/log/verify-log.ts';
import type { UserId } from '../model/id.ts';
import type { Person } from '../model/person.ts';
import { Problem } from '../model/problem.ts';
import type { StoredKey } from '../store/people/servers.ts';

type Directory = Awaited<ReturnType<typeof showDirectory>>;

/** What an operator does, with or without a running server. People and teams go by their addresses and names. */
export interface Operator {
  addPerson(request: NewPersonRequest & { password: string }): Promise<Person>;
  /** Adds a person who sets a password of their own with the link. */
  invitePerson(request: NewPersonRequest): Promise<{ person: Person; link: PasswordLink }>;
  /** A new link for somebody who has no password yet or lost it: earlier ones are void, and they are signed out. */
  makePasswordLink(email: string): Promise<PasswordLink>;
  /** Everybody, with their teams; all teams, with their members. */
  directory(): Promise<Directory>;
  /** `manager` is an address, or null for nobody. */
  changePerson(
    email: string,
    changes: Omit<PersonChanges, 'managerId'> & { manager?: string | null },
  ): Promise<Directory['people'][number]>;
  createTeam(name: string, description?: string): Promise<Directory['teams'][number]>;
  changeMembers(team: string, change: { add?: string[]; remove?: string[] }): Promise<Directory['teams'][number]>;
  /** Says who answers for the server of this name; null for nobody. */
  setOwner(server: string, email: string | null): Promise<Directory['servers'][number]>;
  /** Publishes documents as the operator; an equal one makes no version. */
  applyPolicies(documents: string[]): Promise<Applied[]>;
  /** Every published document, by name, with what is wrong in it by now. */
  exportPolicies(): Promise<Exported[]>;
  /** What the documents would have made of the latest requests. */
  simulatePolicies(documents: string[], last: number): Promise<Simulated>;
  /** Makes the whole log anew from its entries and says what is wrong first. */
  verifyLog(request: VerifyLogRequest): Promise<LogReport>;
  /** Gives out the whole log as files that public tools read. */
  exportLog(write: WriteFile): Promise<{ origin: string; size: number }>;
  /** What verifies what this installation signs: one key for each of its secrets, the active one first. */
  logKeys(): Promise<{ origin: string; keys: { kid: string; key: string }[] }>;
  /** The new key of the MCP server of this name: shown once, kept nowhere. */
  createServerKey(name: string): Promise<string>;
  /** Every key there ever was, without what is secret of it. */
  listKeys(): Promise<StoredKey[]>;
  /** Ends a key at once and for good; what it asked stays. */
  revokeKey(kid: string): Promise<StoredKey>;
  /** The address where the first administrator is made; null where there is one. */
  setUpAddress(): Promise<string | null>;
  /** An address that signs this person in once, within ten minutes, and leads to `next`. */
  signInAddress(person: Person, next?: string): Promise<string>;
}

export type OperatorEngine = SimulationEngine &
  ChangingEngine &
  Pick<Engine, 'people' | 'directory' | 'servers' | 'publicUrl' | 'merkleLog' | 'readLog'>;

/** The operator's verbs over an engine that may or may not be serving. */
export const createOperator = (engine: OperatorEngine): Operator => ({
  ...createPeopleOperator(engine),
  addPerson: (request) => addPerson(engine, request),
  invitePerson: (request) => invitePerson(engine, 'operator', request),
  createServerKey: async (name) => (await createServerKey(engine, name)).key,
  listKeys: () => engine.servers.keys(),
  revokeKey: (kid) => revokeKey(engine, 'operator', kid),
  applyPolicies: (documents) => applyPolicies(engine, documents),
  exportPolicies: () => exportPolicies(engine),
  simulatePolicies: (documents, last) => simulatePolicies(engine, 'operator', { documents, last }),
  verifyLog: (request) => verifyLog(engine, request),
  exportLog: (write) => exportLog(engine, write),
  logKeys: () => showLogKeys(engine),
  async setUpAddress() {
    const secret = await makeSetUpLink(engine);
    return secret && `${engine.publicUrl()}/setup#link=${secret}`;
  },
  async signInAddress(person, next = '/inbox') {
    const secret = await makeSignInLink(engine, person.id);
    return `${engine.publicUrl()}/signin#link=${secret}&next=${encodeURIComponent(next)}`;
  },
});

type PeopleOperator = Pick<
  Operator,
  'directory' | 'changePerson' | 'makePasswordLink' | 'createTeam' | 'changeMembers' | 'setOwner'
>;

function createPeopleOperator(engine: OperatorEngine): PeopleOperator {
  const people = async () => (await engine.directory.read()).people;
  const personId = async (email: string): Promise<UserId> =>
    found(await people(), (one) => one.email === email.toLowerCase(), `There is nobody with the address ${email}.`).id;
  const shownTeam = async (name: string) => {
    const { teams } = await showDirectory(engine);
    return found(teams, (one) => one.name === name, `There is no group called ${name}.`);
  };
  const shownServer = async (name: string) => {
    const { servers } = await showDirectory(engine);
    return found(servers, (one) => one.name === name, `There is no server called ${name}.`);
  };
  return {
    directory: () => showDirectory(engine),
    async changePerson(email, { manager, ...changes }) {
      const id = await personId(email);
      const managerId = typeof manager === 'string' ? await personId(manager) : manager;
      await changePerson(engine, 'operator', id, { ...changes, managerId });
      return found((await showDirectory(engine)).people, (one) => one.id === id, 'The person is gone.');
    },
    makePasswordLink: async (email) => makePasswordLink(engine, 'operator', await personId(email)),
    async createTeam(name, description) {
      await addTeam(engine, 'operator', { name, description });
      return shownTeam(name);
    },
    async changeMembers(name, { add = [], remove = [] }) {
      const { id } = await shownTeam(name);
      const [adding, removing] = await Promise.all([add, remove].map((all) => Promise.all(all.map(personId))));
      await changeMembers(engine, 'operator', id, { add: adding, remove: removing });
      return shownTeam(name);
    },
    async setOwner(name, email) {
      const { id } = await shownServer(name);
      await setOwner(engine, 'operator', id, email === null ? null : await personId(email));
      return shownServer(name);
    },
  };
}

function found<T>(list: T[], isIt: (one: T) => boolean, detail: string): T {
  const one = list.find(isIt);
  if (!one) throw new Problem('not-found', { detail });
  return one;
}
