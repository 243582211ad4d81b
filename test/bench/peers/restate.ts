import * as sdk from '@restatedev/restate-sdk';
import { connect } from '@restatedev/restate-sdk-clients';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http2';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { freePort } from '../../support/nodes/free-port.ts';
import { startProgram } from './program.ts';
import type { Peer } from './peer.ts';
import { resumptions } from './resumptions.ts';

interface Question {
  key: string;
  question: string;
}

const binary = `@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`;

// The SDK calls it, and Node 20 does not have it.
if (!('withResolvers' in Promise)) Object.assign(Promise, { withResolvers });

/** A handler that waits for an awakeable. Restate keeps a log of its own, which waits for the disk, and no PostgreSQL. */
export const restate: Peer = {
  async startServer() {
    const [node, ingress, admin] = [await freePort(), await freePort(), await freePort()];
    const program = createRequire(path.resolve('test/bench/peers/package.json')).resolve(binary);
    const server = await startProgram(program, (directory) => ({
      parameters: ['--no-logo', '--listen-mode', 'tcp', '--bind-address', `127.0.0.1:${node}`],
      env: {
        RESTATE_BASE_DIR: directory,
        RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
        RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      },
      ready: async () => (await fetch(`http://127.0.0.1:${admin}/health`)).ok,
    }));
    const addresses = { ingress: `http://127.0.0.1:${ingress}`, admin: `http://127.0.0.1:${admin}` };
    return { ...server, addresses };
  },
  async startAsker({ addresses: { ingress = '', admin = '' } }) {
    const asking = new Map<string, (reference: string) => void>();
    const { wait, resume } = resumptions();
    const asker = sdk.service({
      name: 'asker',
      handlers: {
        ask: async (context: sdk.Context, { key }: Question) => {
          const { id, promise } = context.awakeable<string>();
          asking.get(key)?.(id);
          asking.delete(key);
          if ((await promise) === 'accept') resume(key);
        },
      },
    });
    await deploy(asker, admin);
    const client = connect({ url: ingress }).serviceSendClient(asker);
    return {
      async ask(question) {
        const key = randomUUID();
        const reference = new Promise<string>((resolve) => asking.set(key, resolve));
        const resumed = wait(key);
        await client.ask({ key, question });
        return { reference: await reference, resumed };
      },
    };
  },
  startAnswerer({ addresses: { ingress = '' } }) {
    const client = connect({ url: ingress });
    return Promise.resolve({ answer: (reference) => client.resolveAwakeable(reference, 'accept') });
  },
};

async function deploy(service: sdk.Service, admin: string): Promise<void> {
  const server = createServer(sdk.createEndpointHandler({ services: [service], logger: () => {} })).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`${admin}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: `http://127.0.0.1:${port}` }),
  });
  if (!response.ok) throw new TypeError(`Restate takes no deployment: ${response.status} ${await response.text()}`);
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
