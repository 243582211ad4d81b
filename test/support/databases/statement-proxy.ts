import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { addressOf } from '../../chaos/proxy.ts';

/** A place at a statement: before the database gets the nth one, or after it has answered and before the node knows. */
export interface Boundary {
  nth: number;
  side: 'before' | 'after';
  /** The statements that count, for a node sends others besides. */
  of: RegExp;
}

const nowhere: Boundary = { nth: 0, side: 'before', of: /^$/ };

/** A way to the database that ends at one boundary. */
export interface StatementProxy {
  /** The database, as a node reaches it by this way. */
  url: string;
  /** Counts from now on. Calls `reach` at the boundary, after which nothing passes any more. */
  stopAt(boundary: Boundary, reach: () => void): void;
  /** The counted statements since then. */
  count(): number;
  /** Ends all connections, and lets everything pass again. */
  reset(): void;
  stop(): void;
}

export async function startStatementProxy(databaseUrl: string): Promise<StatementProxy> {
  const sockets = new Set<Socket>();
  let boundary = nowhere;
  let reach = (): void => {};
  let [count, isStopped] = [0, false];
  const stopHere = (): void => {
    isStopped = true;
    reach();
  };
  const server = createServer((node) => {
    const database = connect(addressOf(databaseUrl));
    let isLast = false;
    const texts = new Map<string, string>();
    let text = '';
    const sent = messagesIn(true, (message) => {
      text = textOf(message, texts) ?? text;
      if (isStopped || isLast) return void (isLast && database.write(message.bytes));
      if (statementTypes.includes(message.type) && boundary.of.test(text)) {
        count += 1;
        if (count === boundary.nth && boundary.side === 'before') return stopHere();
        isLast = count === boundary.nth;
      }
      database.write(message.bytes);
    });
    const answered = messagesIn(false, (message) => {
      if (isLast && message.type === readyForQuery) stopHere();
      if (!isStopped && !isLast) node.write(message.bytes);
    });
    for (const socket of [node, database]) sockets.add(socket.on('error', () => {}));
    node.on('data', sent).once('close', () => database.destroy());
    database.on('data', answered).once('close', () => node.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const reset = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    [count, isStopped, boundary] = [0, false, nowhere];
  };
  return {
    url: url.href,
    stopAt(next, then) {
      [count, boundary, reach] = [0, next, then];
    },
    count: () => count,
    reset,
    stop() {
      server.close();
      reset();
    },
  };
}

interface Message {
  type: string;
  bytes: Buffer;
}

/** The statement that a message names, if it is of a kind that does: Query, Parse, or Bind of one that was parsed before. */
function textOf({ type, bytes }: Message, texts: Map<string, string>): string | undefined {
  const [first = '', second = ''] = bytes.subarray(5).toString('latin1').split('\0');
  if (type === 'Q') return first;
  if (type === 'B') return texts.get(second);
  if (type === 'P') texts.set(first, second);
  return undefined;
}

/** Query and Execute of PostgreSQL's protocol. */
const statementTypes = ['Q', 'E'];
const readyForQuery = 'Z';

/** Cuts a stream of the protocol into its messages. The first that a node sends has no type. */
function messagesIn(startsUntyped: boolean, take: (message: Message) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let isUntyped = startsUntyped;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const before = isUntyped ? 0 : 1;
      if (rest.length < before + 4) return;
      const length = before + rest.readUInt32BE(before);
      if (rest.length < length) return;
      const bytes = rest.subarray(0, length);
      rest = rest.subarray(length);
      take({ type: isUntyped ? '' : String.fromCharCode(bytes[0] ?? 0), bytes });
      isUntyped = false;
    }
  };
}
