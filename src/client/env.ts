/** The two settings of the client library; on a runtime without a process both are absent. */
export function readClientEnv(): { url: string | undefined; apiKey: string | undefined } {
  const env: Record<string, string | undefined> = globalThis.process?.env ?? {};
  return { url: env['ASSENTRY_URL'], apiKey: env['ASSENTRY_API_KEY'] };
}
