/** A server as both SDKs have it: the transport it is connected to, and how it closes. */
interface ConnectedServer {
  server: { transport?: object | undefined };
  close(): Promise<void>;
}

interface StdioStreams {
  _stdin?: { once(event: 'end' | 'close', listener: () => void): unknown };
}

const watched = new WeakSet<object>();

/**
 * Closes the server when its client ends standard input. The SDKs' stdio transports ignore that end, so a server whose
 * client was killed would continue to hold its calls and run their tools.
 */
export function watchStdin(mcp: ConnectedServer): void {
  const { transport } = mcp.server;
  const { _stdin: stdin } = (transport ?? {}) as StdioStreams;
  if (!transport || !stdin || watched.has(transport)) return;
  watched.add(transport);
  const close = (): void => void mcp.close().catch(() => {});
  stdin.once('end', close);
  stdin.once('close', close);
}
