import type { OwnedNames } from './owned-names.ts';
import type { TaskNames } from '../frames/task-names.ts';

/** Owners and tasks of each that are remembered; the longest unused are forgotten. */
const [maxOwners, maxTasks] = [10_000, 1_000];

/**
 * Whose the tasks of one upstream are. A name proves it at every node; which ones an owner has is remembered here alone,
 * since one of them was made or asked for.
 */
export class OwnTasks {
  readonly #names: OwnedNames;
  readonly #known = new Map<string, Set<string>>();

  constructor(names: OwnedNames) {
    this.#names = names;
  }

  of(owner: string): TaskNames {
    return {
      give: (task) => this.#names.give(this.#remember(task, owner), owner),
      take: (name) => {
        const task = this.#names.take(name, owner);
        return task === null ? null : this.#remember(task, owner);
      },
      isOwn: (task) => this.#known.get(owner)?.has(task) === true,
    };
  }

  #remember(task: string, owner: string): string {
    const tasks = this.#known.get(owner) ?? new Set();
    touch(this.#known, owner, () => this.#known.set(owner, tasks), maxOwners);
    touch(tasks, task, () => tasks.add(task), maxTasks);
    return task;
  }
}

/** Puts it at the end, and leaves out the first if there are too many. */
function touch(kept: Map<string, unknown> | Set<string>, key: string, add: () => void, most: number): void {
  kept.delete(key);
  add();
  const [oldest = ''] = kept.keys();
  if (kept.size > most) kept.delete(oldest);
}
