import type { TaskNames } from '../../frames/mcp-words/task-names.ts';
import { OwnerCache } from './owner-cache.ts';
import type { OwnedNames } from './owned-names.ts';

/**
 * Whose the tasks of one upstream are. A name proves it at every node; which ones an owner has is remembered here alone,
 * since one of them was made or asked for.
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
