import { createServer } from 'node:net';

/** Ports that the operating system gives to no one who asks for any: theirs begin at 32,768. */
const first = 10_000;
const count = 20_000;
/** Each process of a run begins at ports of its own. */
let next = (process.pid * 20) % count;

/** A port of this machine that nothing listens at, nor at those that follow it, and that no one gets by chance until it is used. */
export async function freePort(inARow = 1): Promise<number> {
  for (let tries = 0; tries < count; tries += 1) {
    const ports = Array.from({ length: inARow }, (_, at) => first + ((next + at) % count));
    next += inARow;
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return ports[0]!;
  }
  throw new Error('No port is free.');
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
