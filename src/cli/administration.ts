import { createAdministration, type Administration } from '#sdk/client/administration';
import { readClientEnv } from '#sdk/client/env';
import { Problem } from '#platform/model/problem';
import { refusalSentences } from '#requests/inbox/contract/refusal';
import { printProgress, assertOption, readText } from './output.ts';

/** The options of commands that work over HTTP with an administrative token. */
export interface RemoteOptions {
  url?: string;
  tokenFile?: string;
  wait?: boolean;
}

export const urlOption = ['--url <url>', 'where Assentry answers (default: ASSENTRY_URL)'] as const;
export const tokenFileOption = [
  '--token-file <file>',
  'a file with the administrative token (default: the token in ASSENTRY_TOKEN)',
] as const;
export const waitOption = [
  '--wait',
  'wait until a second administrator has decided; exits with 1 unless it is made',
] as const;

export function openAdministration({ url, tokenFile }: RemoteOptions): Administration {
  const env = readClientEnv();
  const address = url ?? env.url ?? '';
  assertOption('--url', address !== '', 'Give the address of Assentry, or set ASSENTRY_URL.');
  assertOption(
    '--token-file',
    tokenFile !== undefined || Boolean(env.adminToken),
    'Give a file, or set ASSENTRY_TOKEN.',
  );
  return createAdministration({
    url: address,
    readToken: async () => (tokenFile === undefined ? (env.adminToken ?? '') : (await readText(tokenFile)).trim()),
  });
}

/** How a change ended that was sent: at once, or by a second administrator, whom `--wait` waits for. */
export async function awaitChange(
  administration: Administration,
  request: string | undefined,
  { wait = false }: RemoteOptions,
): Promise<'made' | 'waiting'> {
  if (request === undefined) return 'made';
  if (!wait) return 'waiting';
  printProgress(`Waiting until a second administrator has decided on ${request}.`);
  for (;;) {
    const { state, because } = await administration.showChange(request);
    if (state === 'made') return 'made';
    if (state === 'refused')
      throw new Problem('not-now', { detail: 'It was declined or withdrawn, or its time is over.' });
    if (state === 'not-made')
      throw new Problem('not-now', { detail: `It was not made: ${refusalSentences[because ?? 'change-outdated']}` });
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

const pollMs = 2_000;
