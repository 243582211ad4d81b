/** The settings of the client library; on a runtime without a process all are absent. */
export function readClientEnv(): Record<
  'url' | 'apiKey' | 'adminToken' | 'nonInteractive' | 'proxy',
  string | undefined
> {
  const env: Record<string, string | undefined> = globalThis.process?.env ?? {};
  return {
    url: env['ASSENTRY_URL'],
    apiKey: env['ASSENTRY_API_KEY'],
    adminToken: env['ASSENTRY_TOKEN'],
    nonInteractive: env['ASSENTRY_NON_INTERACTIVE'],
    proxy: env['NODE_USE_ENV_PROXY'],
  };
}
