import type { AssentryClient, OpenElicitation } from '#sdk/client/client';
import { withDeadline } from '#sdk/client/transport';
import { readingTools, refusalTool } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import { isObject } from '../frames/frame.ts';
import type { JudgedFrame } from '../frames/mcp-words.ts';
import type { OwnFiles } from '../own-files/own-files.ts';

/** A call refused because it leads into Assentry's own files. */
interface RefusedCall {
  server: string;
  tool: string;
  path: string;
  requester: OpenElicitation['requester'];
}

/** Subject of a call or a reading: the tool, as policies name it, and its arguments. */
function argumentsIn({ method, params }: JudgedFrame): { tool: string; args: Record<string, unknown> } {
  const {
    _meta: _,
    inputResponses: _answers,
    requestState: _state,
    name,
    arguments: args,
    ...reading
  } = params as {
    [member: string]: unknown;
  };
  if (method === 'tools/call') return { tool: String(name), args: isObject(args) ? args : {} };
  return { tool: readingTools[method as keyof typeof readingTools], args: { ...reading, name, arguments: args } };
}

/** Throws `forbidden` if the call leads into Assentry's own files; runs before any policy or person is asked. */
export function assertNotOwnPath(
  ownFiles: OwnFiles,
  frame: JudgedFrame,
  onRefused: (call: Pick<RefusedCall, 'tool' | 'path'>) => void,
): void {
  const { tool, args } = argumentsIn(frame);
  const path = ownFiles.findPath(tool, args);
  if (path === null) return;
  onRefused({ tool, path });
  throw new Problem('forbidden', { detail: refusalOf(path) });
}

/** Refusal for the model. */
export const refusalOf = (path: string): string =>
  `Leave out ${JSON.stringify(path)}: it leads into Assentry's own files, which no call may reach. Nothing was run.`;

/** Warning for the operator. */
export const warningOf = ({ tool, path }: Pick<RefusedCall, 'tool' | 'path'>): string =>
  `A call of ${tool} is refused: it leads into Assentry's own files by ${JSON.stringify(path)}.`;

/** Milliseconds Assentry has to take the record. */
const recordTime = 5_000;
/** Milliseconds for which the same refusal is recorded once. */
const againAfter = 60_000;
const maxRemembered = 1_000;

/** Records refused calls with Assentry, so that people and the log see them: as requests that are withdrawn at once. */
export class RefusedCalls {
  readonly #client: Promise<Pick<AssentryClient, 'open' | 'cancel'>>;
  readonly #now: () => number;
  readonly #recorded = new Map<string, number>();
  readonly #work = new Set<Promise<void>>();

  /** `now` never goes back. */
  constructor(client: Promise<Pick<AssentryClient, 'open' | 'cancel'>>, now = () => performance.now()) {
    this.#client = client;
    this.#now = now;
  }

  note(call: RefusedCall): void {
    const { server, tool, path } = call;
    const name = JSON.stringify([server, tool, path]);
    const last = this.#recorded.get(name);
    if (last !== undefined && this.#now() - last < againAfter) return;
    if (this.#recorded.size >= maxRemembered) this.#recorded.clear();
    this.#recorded.set(name, this.#now());
    const work = this.#record(call)
      .catch(() => {}) // the operator was warned
      .finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  /** Resolves when Assentry has recorded all refusals it accepts. */
  async flush(): Promise<void> {
    await Promise.all(this.#work);
  }

  async #record({ requester, ...args }: RefusedCall): Promise<void> {
    const client = await this.#client;
    await withDeadline(recordTime, undefined, async (signal) => {
      const message = `${args.tool} on ${args.server} was refused: it leads into Assentry's own files.`;
      const { id } = await client.open(
        { tool, arguments: { ...args }, message, requester, audience: 'approvers' },
        { signal },
      );
      await client.cancel(id, { cause: 'superseded' }, { signal });
    });
  }
}

/** High risk, so that no policy allows it; it runs nothing. */
const tool = {
  name: refusalTool,
  title: 'Refused call',
  description:
    "The call would have reached Assentry's own files. It was refused and nothing was run; there is nothing to decide.",
  annotations: { destructiveHint: true },
};
