import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface TwoNodeProxy {
  url: string;
  /** Connections that each node was given, by its address. */
  given: Map<string, number>;
  stop(): void;
}

/** What stands before two nodes: a new connection goes to the first that takes it. */
export async function startTwoNodeProxy(...nodes: [string, string]): Promise<TwoNodeProxy> {
  const targets = new Map<string, number>();
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  };
  const pass = (caller: Socket, [node, ...others]: string[]): void => {
    if (node === undefined) return void caller.destroy();
    const { hostname, port } = new URL(node);
    const upstream = keep(connect(Number(port), hostname));
    let isThrough = false;
    upstream.once('connect', () => {
      isThrough = true;
      targets.set(node, (targets.get(node) ?? 0) + 1);
      upstream.pipe(caller).pipe(upstream);
      caller.once('close', () => upstream.destroy());
    });
    upstream.once('close', () => (isThrough ? caller.destroy() : pass(caller, others)));
  };
  const server = createServer((caller) => pass(keep(caller), nodes)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    given: targets,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
