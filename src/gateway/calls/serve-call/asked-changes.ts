import { doubtfulClaim } from '../../tools/definition/doubtful-claim.ts';
import type { Change, Pins, Proposed, Unaccepted } from '../../tools/pins/pins.ts';
import { isServerPin, reachIn } from '../../tools/pins/server-pin.ts';
import { askAboutChange } from './ask-about-change.ts';

type Asking = Parameters<typeof askAboutChange>[0];

/** The definitions that this process has asked approvers about: each is asked about once. */
export class AskedChanges {
  readonly #digests = new Set<string>();
  readonly #warn: (sentence: string) => void;

  constructor(warn: (sentence: string) => void) {
    this.#warn = warn;
  }

  /** Resolves when it is decided: true if what tools a client is shown, or how, is different now. Never rejects. */
  async ask(asking: () => Promise<Asking>, proposed: Proposed, signal: AbortSignal): Promise<boolean> {
    if (this.#digests.has(proposed.digest)) return false;
    this.#digests.add(proposed.digest);
    this.#warn('tools' in proposed ? unaccepted(proposed) : blocked(proposed));
    try {
      const parts = await asking();
      await askAboutChange(parts, proposed, signal);
      return !signal.aborted && (await isAccepted(parts.pins, proposed));
    } catch {
      return false; // the tool stays as it was, and the operator has been told
    }
  }
}

async function isAccepted(pins: Pins, proposed: Proposed): Promise<boolean> {
  if (!('tools' in proposed)) return (await pins.changeOf(proposed.definition)) === null;
  const standings = await Promise.all(proposed.tools.map(pins.standingOf));
  return standings.includes('accepted');
}

function blocked({ accepted, definition }: Change): string {
  if (isServerPin(definition))
    return `It now runs with ${reachIn(definition)}, and was accepted as ${reachIn(accepted)}: until an approver accepts that in the console, or you with "assentry gateway pin", none of its tools is shown or called. If it is another server, give it a name of its own with --server.`;
  const verb = doubtfulClaim(definition);
  const why = verb === null ? 'has changed' : `says that the tool only reads, and “${verb}”`;
  return `The definition of ${JSON.stringify(definition.name)} ${why}, so it is kept from the client. An approver can accept it in the console, or you with "assentry gateway pin".`;
}

const unaccepted = ({ tools }: Unaccepted): string =>
  `It says that ${tools.map(({ name }) => JSON.stringify(name)).join(', ')} only read. Until an approver accepts that in the console, or you with "assentry gateway pin", each call of them waits.`;
