import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Proxy {
  port: number;
  /** Ends every connection at once. */
  cut(): void;
  /** From here on each piece arrives so many milliseconds later; 0 ends it. */
  slow(ms: number): void;
  /** From here on nothing arrives and no connection ends, as if a cable were pulled. */
  freeze(): void;
  /** New connections work again. Those that were frozen stay so: what was sent is gone. */
  thaw(): void;
  /** From here on, new connections go to these addresses. */
  lead(targets: readonly NetConnectOpts[]): void;
  stop(): void;
}

/** Where a connection string of PostgreSQL leads: a port, or the socket in a directory. */
export function addressOf(url: string): NetConnectOpts {
  const { hostname, port, searchParams } = new URL(url);
  const directory = searchParams.get('host');
  return directory ? { path: `${directory}/.s.PGSQL.${port || 5432}` } : { host: hostname, port: Number(port || 5432) };
}

/** A network between two processes: a new connection goes to the first address that takes it. */
export async function startProxy(targets: readonly NetConnectOpts[]): Promise<Proxy> {
  let addresses = targets;
  const sockets = new Set<Socket>();
  let delay = 0;
  let freeze = new AbortController();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.setNoDelay(true).on('error', () => {});
    return socket.once('close', () => sockets.delete(socket));
  };
  const pass = (caller: Socket, [target, ...others]: readonly NetConnectOpts[]): void => {
    if (target === undefined) return void caller.destroy();
    const upstream = keep(connect({ ...target, allowHalfOpen: true }));
    const frozen = freeze.signal;
    let isThrough = false;
    upstream.once('connect', () => {
      isThrough = true;
      if (caller.destroyed) return void upstream.destroy();
      pipe(caller, upstream, frozen);
      pipe(upstream, caller, frozen);
    });
    upstream.once('close', () => (isThrough ? undefined : pass(caller, others)));
  };
  const pipe = (from: Socket, to: Socket, frozen: AbortSignal): void => {
    let last: Promise<unknown> = Promise.resolve();
    const after = (act: () => void): void => {
      const pause = delay;
      last = last.then(() => (pause > 0 ? sleep(pause) : undefined)).then(() => (frozen.aborted ? undefined : act()));
    };
    from.on('data', (chunk: Buffer) => after(() => void to.write(chunk)));
    from.once('end', () => after(() => void to.end()));
    from.once('close', () => after(() => void to.destroy()));
  };
  const server = createServer({ allowHalfOpen: true }, (caller) => pass(keep(caller), addresses)).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    slow: (ms) => void (delay = ms),
    freeze: () => freeze.abort(),
    thaw: () => void (freeze = new AbortController()),
    lead: (targets) => void (addresses = targets),
    stop() {
      server.close();
      cut();
    },
  };
}
