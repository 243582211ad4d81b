import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/poll.ts';
import type { ChaosNode } from './chaos-node.ts';
import type { Fault } from './faults.ts';
import type { House } from './house.ts';
import type { Proxy } from './proxy.ts';

/** Milliseconds a fault lasts that ends by itself. */
const duration = 1_500;

/** Does it, and ends it: afterwards only what it broke is broken. Returns whether a kill met its statement. */
export async function applyFault({ nodes, networks, postgres, entrance }: House, fault: Fault): Promise<boolean> {
  const node = nodes[fault.place];
  if (!node) throw new TypeError(`There is no node ${fault.place}.`);
  switch (fault.kind) {
    case 'kill': {
      await untilUp(node);
      const before = node.starts();
      const hasDied = (): boolean => !node.isUp() || node.starts() > before;
      node.order({ do: 'die', statement: fault.statement, moment: fault.moment });
      const isMet = await until(hasDied, { within: duration }).catch(() => false);
      if (!isMet) node.kill();
      return isMet;
    }
    case 'restart':
      await postgres.halt('immediate');
      await postgres.resume();
      return true;
    case 'failover':
      await postgres.failOver(entrance, fault);
      return true;
    case 'clock':
      node.order({ do: 'set-clock', ahead: fault.ahead });
      await sleep(duration);
      node.order({ do: 'set-clock', ahead: 0 });
      return true;
    case 'wake-ups':
      node.order({ do: 'scramble', isOn: true });
      await postgres.run(manyWakeUps).catch(() => {}); // no fault comes at the same time, but the last one may not be over
      await sleep(duration);
      node.order({ do: 'scramble', isOn: false });
      return true;
    default:
      await disturb(networks[fault.network][fault.place], fault.kind);
      return true;
  }
}

/** Rejects with the end of the node's log if it does not come back. */
async function untilUp(node: ChaosNode): Promise<void> {
  await until(() => node.isUp()).catch((cause: unknown) => {
    throw new TypeError(`A node did not come back: ${node.log().slice(-4000)}`, { cause });
  });
}

/** From nodes that do not exist, about changes that were never made. */
const manyWakeUps = `SELECT pg_notify('assentry', 'no-node-' || number) FROM generate_series(1, 100) number`;

async function disturb(network: Proxy | undefined, kind: 'cut' | 'slow' | 'freeze'): Promise<void> {
  if (kind === 'cut') network?.cut();
  if (kind === 'slow') network?.slow(200);
  if (kind === 'freeze') network?.freeze();
  await sleep(duration);
  network?.slow(0);
  network?.thaw();
}
