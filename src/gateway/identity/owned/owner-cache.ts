/** How much is kept: of all owners, and of each. */
interface Limits {
  all: number;
  each: number;
}

/**
 * What is kept of each owner. Who has too much loses their own, the longest unused first; if all together have too much,
 * the owner who has come back last the longest ago does.
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

  /** What is kept under this key, made if nothing is; it counts as used. */
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
