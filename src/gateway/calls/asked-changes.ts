import { doubtfulClaim } from '../tools/doubtful-claim.ts';
import type { Change } from '../tools/pins.ts';
import { isServerPin, reachIn } from '../tools/server-pin.ts';
import { askAboutChange } from './ask-about-change.ts';

type Asking = Parameters<typeof askAboutChange>[0];

/** The changed definitions that this process has asked approvers about: each is asked about once. */
export class AskedChanges {
  readonly #digests = new Set<string>();
  readonly #warn: (sentence: string) => void;

  constructor(warn: (sentence: string) => void) {
    this.#warn = warn;
  }

  /** Resolves when it is decided: true if the tool may be shown again. Never rejects. */
  async ask(asking: () => Promise<Asking>, change: Change, signal: AbortSignal): Promise<boolean> {
    if (this.#digests.has(change.digest)) return false;
    this.#digests.add(change.digest);
    this.#warn(blocked(change));
    try {
      const parts = await asking();
      await askAboutChange(parts, change, signal);
      return (await parts.pins.changeOf(change.definition)) === null && !signal.aborted;
    } catch {
      return false; // the tool stays blocked, and the operator has been told
    }
  }
}

function blocked({ accepted, definition }: Change): string {
  if (isServerPin(definition))
    return `It now runs with ${reachIn(definition)}, and was accepted as ${reachIn(accepted)}: until an approver accepts that in the console, or you with "assentry gateway pin", none of its tools is shown or called. If it is another server, give it a name of its own with --server.`;
  const verb = doubtfulClaim(definition);
  const why = verb === null ? 'has changed' : `says that the tool only reads, and “${verb}”`;
  return `The definition of ${JSON.stringify(definition.name)} ${why}, so it is kept from the client. An approver can accept it in the console, or you with "assentry gateway pin".`;
}
