import { readClientEnv } from '#sdk/client/env';
import { shareEnvironment } from '#platform/config/env';
import { openOwnFiles, secretsIn, type OwnFiles, type OwnFilesOptions } from '#gateway/own-files/own-files';

/** What keeps calls away from this data directory, and its secrets and those of the environment out of results. */
export function findOwnFiles(
  directory: string,
  {
    keys = [],
    ...options
  }: Partial<Pick<OwnFilesOptions, 'words' | 'cwd' | 'variables'>> & { keys?: readonly string[] } = {},
): OwnFiles {
  const { own, theirs } = shareEnvironment();
  const named = [
    ['ASSENTRY_API_KEY', readClientEnv().apiKey],
    ['ASSENTRY_SECRET', own.ASSENTRY_SECRET],
    ['ASSENTRY_SECRETS', own.ASSENTRY_SECRETS],
    ...keys.map((key) => ['a key', key] as const),
  ] as const;
  const secrets = named.flatMap(([name, text]) => secretsIn(name, text ?? ''));
  return openOwnFiles(directory, { variables: theirs, ...options, secrets });
}
