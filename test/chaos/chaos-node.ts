import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { compiled } from '../support/compiled.ts';
import { freePort } from '../support/nodes/free-port.ts';
import { until } from '../support/poll.ts';
import type { Order } from './orders.ts';

/** A node that is started again whenever it has died. */
export interface ChaosNode {
  port: number;
  /** Gives the running process an order; one that is down gets none. */
  order(order: Order): void;
  isUp(): boolean;
  /** Kills it where it stands. */
  kill(): void;
  /** How often it has been started. */
  starts(): number;
  /** All that its processes have logged. */
  log(): string;
  /** Ends it as an operator does, for good. */
  stop(): Promise<void>;
}

/** Milliseconds a node may take to stop. */
const patience = 30_000;

/** `assentry serve`, with this environment, on a port that it keeps. */
export async function startChaosNode(env: Record<string, string>): Promise<ChaosNode> {
  const port = await freePort();
  const state = { child: undefined as ChildProcess | undefined, isUp: false, isStopping: false, starts: 0, log: '' };
  const start = (): ChildProcess => {
    const words = ['--import', compiled('test/chaos/under-faults.ts'), compiled('src/cli/main.ts'), 'serve'];
    const child = spawn(process.execPath, words, {
      env: { PATH: process.env.PATH ?? '', ASSENTRY_SHUTDOWN_GRACE: '0', ASSENTRY_PORT: String(port), ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    state.starts += 1;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (state.isUp ||= text.includes('is ready at')));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (state.log += text));
    return child;
  };
  const live = async (): Promise<void> => {
    while (!state.isStopping) {
      state.child = start();
      await once(state.child, 'exit');
      state.isUp = false;
      await sleep(200);
    }
  };
  const life = live();
  const node: ChaosNode = {
    port,
    order: (order) => void (state.isUp && state.child?.send(order, () => {})), // it may be dying
    isUp: () => state.isUp,
    kill: () => void state.child?.kill('SIGKILL'),
    starts: () => state.starts,
    log: () => state.log,
    async stop() {
      state.isStopping = true;
      state.child?.kill('SIGTERM');
      const timer = setTimeout(() => state.child?.kill('SIGKILL'), patience);
      await life;
      clearTimeout(timer);
    },
  };
  await until(() => state.isUp || state.starts > 1);
  if (state.isUp) return node;
  await node.stop();
  throw new TypeError(`The node did not start: ${state.log}`);
}
