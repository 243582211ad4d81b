/** Name under which a console of Node's kind asks how to print an object. */
const inspecting = Symbol.for('nodejs.util.inspect.custom');

/** Freezes an object that holds what no log may have: it prints as its present id, also as JSON. */
export function printedAsId<T extends { readonly id: string }>(holder: T): T {
  const print = { value: () => holder.id };
  Object.defineProperties(holder, { toString: print, toJSON: print, [inspecting]: print });
  return Object.freeze(holder);
}
