/** The first message of a client of 2025. */
export const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

/** The headers of a client that sends one message. */
export const rawHeaders = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** Sends one message without a client's library; a text goes as it is. */
export const post = (
  url: string,
  body: unknown,
  more: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    signal,
    headers: { ...rawHeaders, ...more },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
