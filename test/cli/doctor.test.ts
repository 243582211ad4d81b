import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { newFolder } from '../support/new-folder.ts';
import { killProcesses, runAssentry } from './assentry-process.ts';

afterAll(async () => {
  node.close();
  await killProcesses();
});

interface Answer {
  status: number;
  body: unknown;
}
let answer: Answer;
const node = createServer((_request, response) => {
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
});

/** On the machine of a node whose settings are those of its service. */
async function examine(port: number): Promise<{ code: number | null; stdout: string }> {
  const env = {
    HOME: newFolder('doctor-node'),
    ASSENTRY_DATA_DIR: newFolder('doctor-data'),
    DATABASE_URL: 'postgresql://assentry_node:x@127.0.0.1:9/assentry',
    ASSENTRY_HOST: '0.0.0.0',
    ASSENTRY_PORT: String(port),
  };
  return runAssentry(['doctor'], { env, cwd: newFolder('doctor-node-project') });
}

test('doctor asks the node of its settings, and says what it warns of, why it is not ready, or why it does not answer', async () => {
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
  const { port } = node.address() as AddressInfo;
  const about = `Assentry: at http://127.0.0.1:${port}: `;
  answer = { status: 200, body: { status: 'ready', warnings: [] } };
  expect(await examine(port)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`ok     Assentry: answers at http://127.0.0.1:${port}\n`),
  });
  const advice = ['The audit log does not grow. Read the log.', 'Nodes differ in: limits. Finish the upgrade.'];
  answer = { status: 200, body: { status: 'ready', warnings: [], advice } };
  const warned = await examine(port);
  expect(warned.code).toBe(1);
  for (const sentence of advice) expect(warned.stdout).toContain(`wrong  ${about}${sentence}\n`);
  answer = { status: 503, body: { title: 'Send it again.', detail: 'Look at PostgreSQL.' } };
  expect((await examine(port)).stdout).toContain(`wrong  ${about}Look at PostgreSQL.\n`);
  await new Promise((resolve) => node.close(resolve));
  expect((await examine(port)).stdout).toContain(
    `wrong  ${about}look whether it runs, what it logged if it ended, and what is in front of it: connect ECONNREFUSED`,
  );
});
