import { tellAuthor } from '../../question/errors/tell-author.ts';
import type { AssentryClient } from '../../../client/client.ts';
import { Problem } from '#platform/model/problem';

/** Milliseconds. */
const timeoutMs = 5_000;

/**
 * Says on standard error, in one line, which server this process is to Assentry, or what its operator must mend:
 * at the start, and not at the first call. Never rejects.
 */
export async function reportIdentity(
  client: Pick<AssentryClient, 'identify'>,
  addresses: readonly string[],
): Promise<void> {
  const place = addresses.map(withoutPassword).join(', ');
  try {
    const { name, version } = await client.identify({ signal: AbortSignal.timeout(timeoutMs), retries: 2 });
    tellAuthor(`Assentry ${version} at ${place}, as ${name}`);
  } catch (error) {
    const fault = error instanceof Problem ? error.message : 'Check that Assentry runs: it does not answer.';
    tellAuthor(`${fault} (${place})`);
  }
}

const withoutPassword = (address: string): string =>
  URL.canParse(address) ? new URL(address).origin : 'no valid address';
