import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AssentryClient } from '#sdk/client/client';
import { sha256 } from '#sdk/client/digest/digest';
import { canonicalText } from '#platform/model/hashed-text';
import type { Harness } from '../adapters/harness.ts';
import type { SessionCall } from '../adapters/hook-event.ts';
import { racedCallsIn } from '../adapters/adapter/raced-calls.ts';

/**
 * A call about which the agent asks its own person while a hook waits for Assentry: the first answer counts. The hook keeps
 * the id of its request in a file, by which the hook that runs after the call finds and withdraws it.
 */
export interface RacedCall {
  /** The same client, which notes the request that it opens. */
  noting(client: AssentryClient): AssentryClient;
  /** Was a request noted, and then withdrawn because the agent's own person was first? */
  isWithdrawn(): boolean;
  /** Withdraws the noted request, if there is one. */
  withdraw(client: Promise<AssentryClient>): Promise<void>;
  /** The request has its answer. */
  forget(): void;
}

/** Equal calls of one session are one. */
export async function openRacedCall(
  directory: string,
  harness: Harness,
  { session_id: session, tool_name: tool, tool_input: input }: SessionCall,
): Promise<RacedCall> {
  const folder = racedCallsIn(directory);
  const file = path.join(folder, await sha256(canonicalText({ harness, session, tool, input })));
  let hasNoted = false;
  const forget = (): void => rmSync(file, { force: true });
  return {
    noting: (client) => ({
      ...client,
      async open(question, options) {
        const opened = await client.open(question, options);
        if (opened.status === 'open') {
          mkdirSync(folder, { recursive: true, mode: 0o700 });
          writeFileSync(file, opened.id, { mode: 0o600 });
          hasNoted = true;
        }
        return opened;
      },
    }),
    isWithdrawn: () => hasNoted && readNoted(file) === null,
    async withdraw(client) {
      const id = readNoted(file);
      if (id === null) return;
      forget();
      await (await client).cancel(id, { cause: 'user' });
    },
    forget,
  };
}

function readNoted(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
