import { policyPin } from '../model/policy.ts';
import { Problem } from '../model/problem.ts';
import { votersOf, type Directory } from '../policy/directory.ts';
import { parsePolicy } from '../policy/parse-policy.ts';
import { compileBook, type PolicyBook, type PublishedPolicy } from '../policy/policy-book.ts';
import type { DirectoryRecord } from '../store/directory.ts';
import type { PolicyInForce } from '../store/policies.ts';
import type { Store } from '../store/store.ts';
import { directoryOf } from './directory-of.ts';

/** What decides at one moment: the published policies, and the people. */
export interface Rules {
  book: PolicyBook;
  published: PublishedPolicy[];
  shadows: Shadow[];
  directory: Directory;
  /** Who may vote at all. */
  voters: ReadonlySet<string>;
  /** Everybody's name, also of those who are disabled. */
  names: ReadonlyMap<string, string>;
}

/** What the book would be with one version in place of the published one. */
export interface Shadow {
  policy: string;
  book: PolicyBook;
}

export interface RuleKeeper {
  /**
   * The rules as last committed. They are held in memory and read anew where their epoch has moved on, so that a
   * change at any node counts for the next question at every other.
   */
  current(): Promise<Rules>;
}

type RuleStore = Pick<Store, 'epochs' | 'policies' | 'directory'>;

export function createRules({ epochs, policies, directory }: RuleStore): RuleKeeper {
  const books = hold(async () => readBooks(await policies.inForce()));
  const people = hold(async () => readPeople(await directory.read()));
  return {
    async current() {
      const epoch = await epochs.read();
      const [found, known] = await Promise.all([books(epoch.policies), people(epoch.people)]);
      return { ...found, ...known };
    },
  };
}

/** Reads anew for a higher epoch. What is read is at least as new as the epoch that was read before it. */
function hold<T>(load: () => Promise<T>): (epoch: bigint) => Promise<T> {
  let held: { epoch: bigint; value: Promise<T> } | undefined;
  return (epoch) => {
    if (held && held.epoch >= epoch) return held.value;
    const mine = { epoch, value: load() };
    held = mine;
    mine.value.catch(() => {
      if (held === mine) held = undefined; // the next one tries again
    });
    return mine.value;
  };
}

function readBooks(inForce: PolicyInForce[]): Pick<Rules, 'book' | 'published' | 'shadows'> {
  const read = inForce.map((policy) => ({ ...policy, ...toPublished(policy) }));
  const published = read.filter(({ isShadow }) => !isShadow);
  const shadows = read.filter(({ isShadow }) => isShadow);
  return {
    book: compileBook(published),
    published,
    shadows: shadows.map((shadow) => ({
      policy: policyPin(shadow.name, shadow.version),
      book: compileBook(replacing(published, shadow)),
    })),
  };
}

/** The published policies with this one in place of its namesake. */
export const replacing = (published: PublishedPolicy[], one: PublishedPolicy): PublishedPolicy[] => [
  ...published.filter(({ document }) => document.policy !== one.document.policy),
  one,
];

/** A published document that cannot be read stops every decision: left out, it could be the one that denies. */
function toPublished({ name, version, document, authorId }: PolicyInForce): PublishedPolicy {
  const parsed = parsePolicy(document);
  if (!parsed.ok) throw new Problem('internal', { detail: `${policyPin(name, version)} cannot be read.` });
  return { document: parsed.policy, version, authorId };
}

function readPeople(record: DirectoryRecord): Pick<Rules, 'directory' | 'voters' | 'names'> {
  const directory = directoryOf(record);
  return {
    directory,
    voters: new Set(votersOf(directory).map(({ id }) => id)),
    names: new Map(record.people.map(({ id, name }) => [id, name])),
  };
}
