import type { Epoch } from '#platform/database/epochs';
import type { StopRecord } from '#requests/stops/store';
import type { ServerId, SpaceId, UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { DirectoryRecord } from '#people/directory/store/directory-record';
import { policyPin } from '../../contract/policy.ts';
import { type Directory, votersOf } from '../../document/rules/directory.ts';
import { commandFaults } from '../../language/rules/faults.ts';
import { parsePolicy, type PolicyError } from '../../language/rules/parse.ts';
import { compileBook, type PolicyBook, type PublishedPolicy } from '../rules/book.ts';
import type { DelegationRecord } from '#people/delegations/store';
import type { PolicyInForce } from '../../store/in-force.ts';
import type { Store } from '#platform/database/store';
import { directoryOf } from '#people/directory/verbs/directory-of';

/** The people, policies and stops that one attempt to change a row is judged by, as of when the row was read. */
export function createDecisionBasis({ epoch, ...snapshot }: RulesSnapshot) {
  let read: Partial<Epoch> = {};
  return {
    users(): Promise<Users> {
      read = { ...read, users: epoch.users };
      return snapshot.users();
    },
    rules(): Promise<Rules> {
      read = { ...read, users: epoch.users, policies: epoch.policies };
      return snapshot.rules();
    },
    stops(): Promise<StopRecord[]> {
      read = { ...read, stops: epoch.stops };
      return snapshot.stops();
    },
    /** The epochs of what was read; the statement that stores the change checks them. */
    epoch: (): Partial<Epoch> => read,
  };
}

export type DecisionBasis = ReturnType<typeof createDecisionBasis>;

/** The published policies and the people at one moment. */
export interface Rules extends Users {
  book: PolicyBook;
  published: PublishedPolicy[];
  shadows: Shadow[];
}

export interface Users {
  directory: Directory;
  /** All voters. */
  voters: ReadonlySet<string>;
  /** Everyone's name, also of those who are disabled. */
  names: ReadonlyMap<string, string>;
  /** The owner of each server that has one. */
  owners: ReadonlyMap<ServerId, UserId>;
  /** Everyone’s role in each space, and the space of each server that has one. */
  spaces: DirectoryRecord['spaces'];
  spaceOf: ReadonlyMap<ServerId, SpaceId>;
  /** People who may use the emergency override. */
  overriders: ReadonlySet<string>;
  /** Unrevoked delegations, also for later, by who received them. */
  delegations: ReadonlyMap<UserId, DelegationRecord[]>;
}

/** The policies with one version in place of the published one. */
interface Shadow {
  policy: string;
  book: PolicyBook;
}

export interface RulesSnapshot {
  epoch: Epoch;
  rules(): Promise<Rules>;
  users(): Promise<Users>;
  /** Stops in force. */
  stops(): Promise<StopRecord[]>;
}

/** A version in force whose document does not parse, for example after an upgrade that is stricter. */
export interface UnreadablePolicy {
  policy: string;
  /** An unreadable version in shadow mode is only skipped. */
  isShadow: boolean;
  errors: PolicyError[];
}

type RuleStore = Pick<Store, 'epochs' | 'policies' | 'directory' | 'delegations' | 'stops'>;

/** Reports at each reading of the policies: each unreadable version, and versions that allow commands by a part of them. */
interface Told {
  onUnreadable(policy: UnreadablePolicy): void;
  onCommandsByPart(policies: string[]): void;
}

export function createRules(
  { epochs, policies, directory, delegations, stops }: RuleStore,
  environment: string | undefined,
  { onUnreadable, onCommandsByPart }: Told,
) {
  const books = hold(async () => {
    const { unreadable, ...rules } = readBooks(await policies.inForce());
    unreadable.forEach(onUnreadable);
    const loose = rules.published.filter(({ document }) => commandFaults(document).length > 0);
    onCommandsByPart(loose.map(({ document, version }) => policyPin(document.policy, version)).sort());
    return { ...rules, unreadable: unreadable.find(({ isShadow }) => !isShadow) };
  });
  const users = hold(async () => {
    const [record, delegated] = await Promise.all([directory.read(), delegations.unrevoked()]);
    return readUsers(record, delegated, environment);
  });
  const stopped = hold(() => stops.inForce());
  const at = (epoch: Epoch): RulesSnapshot => ({
    epoch,
    stops: () => stopped(epoch.stops),
    users: () => users(epoch.users),
    async rules() {
      const [{ unreadable, ...rules }, people] = await Promise.all([books(epoch.policies), users(epoch.users)]);
      if (unreadable) throw unreadableProblem(unreadable);
      return { ...rules, ...people };
    },
  });
  let last: Epoch | undefined;
  const snapshot = async (): Promise<RulesSnapshot> => at((last = await epochs.read()));
  const latest = async (): Promise<RulesSnapshot> => (last ? at(last) : snapshot());
  return {
    /** The snapshot as of epochs that another statement has brought. */
    at,
    /** Both, as of one read of the epochs, which a writing statement then checks. */
    snapshot,
    /** Both as of the last look, however old: only for a writing statement that checks the epochs. */
    latest,
    /**
     * The rules as last committed. They are held in memory and read again when their epoch has changed, so that a change
     * at any node counts for the next question at every other. Problem `policy-unreadable` if a published document cannot
     * be read, because it could be the one that denies.
     */
    current: async (): Promise<Rules> => (await snapshot()).rules(),
    /** The people alone, even if a policy cannot be read. */
    users: async (): Promise<Users> => (await snapshot()).users(),
  };
}

export type RulesCache = ReturnType<typeof createRules>;

/** Callers learn which policy it is; its fault is only logged. */
function unreadableProblem({ policy, errors }: UnreadablePolicy): Problem {
  const detail = `Ask an administrator to publish another version of ${policy}: it cannot be read, and no request can open until then.`;
  return new Problem('policy-unreadable', {
    detail,
    cause: new Problem('policy-invalid', { detail: formatErrors(errors) }),
  });
}

export const formatErrors = (errors: PolicyError[]): string =>
  errors.map(({ line, column, message }) => `Line ${line}, column ${column}: ${message}`).join(' ');

/** Reads again for a higher epoch. What is read is at least as new as the epoch that was read before it. */
function hold<T>(load: () => Promise<T>): (epoch: bigint) => Promise<T> {
  let current: { epoch: bigint; value: Promise<T> } | undefined;
  return (epoch) => {
    if (current && current.epoch >= epoch) return current.value;
    const mine = { epoch, value: load() };
    current = mine;
    mine.value.catch(() => {
      if (current === mine) current = undefined; // the next one tries again
    });
    return mine.value;
  };
}

type Books = Pick<Rules, 'book' | 'published' | 'shadows'> & { unreadable: UnreadablePolicy[] };

function readBooks(inForce: PolicyInForce[]): Books {
  const parsed = inForce.map((policy) => ({
    ...policy,
    parsed: policy.isProven ? parsePolicy(policy.document) : notOurs,
  }));
  const read = parsed.flatMap((file) => (file.parsed.ok ? [{ ...file, document: file.parsed.policy }] : []));
  const published = read.filter(({ isShadow }) => !isShadow);
  const shadows = read.filter(({ isShadow }) => isShadow);
  return {
    unreadable: parsed.flatMap(({ name, version, isShadow, parsed: result }) =>
      result.ok ? [] : [{ policy: policyPin(name, version), isShadow, errors: result.errors }],
    ),
    book: compileBook(published),
    published,
    shadows: shadows.map((shadow) => ({
      policy: policyPin(shadow.name, shadow.version),
      book: compileBook(replacing(published, shadow)),
    })),
  };
}

/** A document that was changed without review decides nothing. */
const notOurs = {
  ok: false,
  errors: [
    {
      path: [],
      message:
        'Publish this policy again and run "assentry audit verify": the stored text is not the one that was published.',
      line: 1,
      column: 1,
    },
  ],
} as const satisfies ReturnType<typeof parsePolicy> | { ok: false; errors: readonly PolicyError[] };

/** The published policies with this one in place of its namesake. */
export const replacing = (published: PublishedPolicy[], replacement: PublishedPolicy): PublishedPolicy[] => [
  ...published.filter(({ document }) => document.policy !== replacement.document.policy),
  replacement,
];

function readUsers(record: DirectoryRecord, delegations: DelegationRecord[], environment: string | undefined): Users {
  const directory = directoryOf(record, environment);
  return {
    directory,
    voters: votersOf(directory).ids,
    names: new Map(record.users.map(({ id, name }) => [id, name])),
    owners: new Map(record.servers.flatMap(({ id, ownerId }) => (ownerId ? [[id, ownerId]] : []))),
    spaces: record.spaces,
    spaceOf: new Map(record.servers.flatMap(({ id, spaceId }) => (spaceId ? [[id, spaceId]] : []))),
    overriders: new Set(directory.users.filter(({ mayBreakGlass }) => mayBreakGlass).map(({ id }) => id)),
    delegations: receivedBy(delegations),
  };
}

function receivedBy(delegations: DelegationRecord[]): Map<UserId, DelegationRecord[]> {
  const received = new Map<UserId, DelegationRecord[]>();
  for (const record of delegations) received.set(record.toId, [...(received.get(record.toId) ?? []), record]);
  return received;
}
