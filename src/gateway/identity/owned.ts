import type { TaskNames } from '../frames/mcp-words.ts';
import { randomHex } from '#sdk/client/digest';
import { equalBytes } from '#platform/crypto/random';
import { hashBoundNonce } from '#platform/crypto/bound-nonce';

/** Limits on kept values: of all owners, and of each. */
interface Limits {
  all: number;
  each: number;
}

/**
 * Values kept for each owner. An owner with too much loses their own, the longest unused first; if all together have too much,
 * the owner absent for longest does.
 */
export class OwnerCache<Value> {
  readonly #limits: Limits;
  readonly #owners = new Map<string, Map<string, Value>>();
  #size = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  has(owner: string, key: string): boolean {
    return this.#owners.get(owner)?.has(key) === true;
  }

  /** The value of this key, made if missing; it counts as used. */
  getOrCreate(owner: string, key: string, make: () => Value): Value {
    const own = this.#owners.get(owner) ?? new Map<string, Value>();
    const value = own.get(key) ?? make();
    this.#remove(owner, own, key);
    own.set(key, value);
    this.#owners.delete(owner);
    this.#owners.set(owner, own);
    this.#size += 1;
    if (own.size > this.#limits.each) this.#removeOldest(owner, own);
    const [eldest] = this.#owners;
    if (eldest && this.#size > this.#limits.all) this.#removeOldest(...eldest);
    return value;
  }

  #removeOldest(owner: string, own: Map<string, Value>): void {
    const [key] = own.keys();
    if (key !== undefined) this.#remove(owner, own, key);
  }

  #remove(owner: string, own: Map<string, Value>, key: string): void {
    if (own.delete(key)) this.#size -= 1;
    if (own.size === 0) this.#owners.delete(owner);
  }
}

/**
 * Owners of one upstream's tasks. A name proves the owner at every node; only this node remembers which tasks an owner has,
 * from when one of them was made or requested here.
 */
export class OwnTasks {
  readonly #names: OwnedNames;
  readonly #remembered = new OwnerCache<true>({ all: 100_000, each: 1_000 });

  constructor(names: OwnedNames) {
    this.#names = names;
  }

  of(owner: string): TaskNames {
    const remember = (task: string): true => this.#remembered.getOrCreate(owner, task, () => true);
    return {
      give: (task) => remember(task) && this.#names.give(task, owner),
      take: (name) => {
        const task = this.#names.take(name, owner);
        return task !== null && remember(task) ? task : null;
      },
      isOwn: (task) => this.#remembered.has(owner, task),
    };
  }
}

/** Clients' names for things of an upstream, which work only for their owner. */
export interface OwnedNames {
  /** The name for this owner. */
  give(own: string, owner: string): string;
  /** The upstream's name for it; null for anyone but its owner. */
  take(name: string, caller: string): string | null;
}

/** Without verified people a session is known by its id alone. */
export const plainNames: OwnedNames = { give: (own) => own, take: (name) => name };

/**
 * Names with a proof of their owner at this upstream, by a secret that all nodes of the gateway share. Without one the process
 * makes its own, and its names work at no other.
 */
export function provenNames(kind: 'session' | 'task', upstream: string, secret = randomHex(32)): OwnedNames {
  const give = (own: string, owner: string): string =>
    `${hashBoundNonce(secret, `assentry/gateway-${kind}/v1`, upstream, owner, own)
      .toString('base64url')
      .slice(0, proofLength)}.${own}`;
  return {
    give,
    take: (name, caller) => {
      const own = name.slice(proofLength + 1);
      return equalBytes(Buffer.from(name), Buffer.from(give(own, caller))) ? own : null;
    },
  };
}

/** Length of a proof in characters: 132 bits. */
const proofLength = 22;
