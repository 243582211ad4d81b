import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureConsole } from './console-size.ts';
import { judgeGoals, judgeUsable } from './goals.ts';
import {
  measureAll,
  measureConsolesAlone,
  measureCostAlone,
  measureGatewayAlone,
  measureHeldAlone,
  measureIdleAlone,
  measureLatencyAlone,
  measureListsAlone,
  measureLogAlone,
  measureOverloadAlone,
  measureSizeAlone,
  measureUsableAlone,
} from './measurements.ts';
import { comparePeers, fullPeers, quickPeers } from './peers/compare.ts';
import { peerNames } from './peers/peers.ts';
import { describePeers } from './peers/table.ts';
import {
  describeConsole,
  describeConsoles,
  describeCost,
  describeGateway,
  describeHeld,
  describeIdle,
  describeLatency,
  describeLists,
  describeLog,
  describeMeasurements,
  describeOverload,
  describeSize,
  describeUsable,
} from './report.ts';
import { judgeSize } from './size/size-goals.ts';
import { fullScale, quickScale } from './lifecycle/scale.ts';

// npm run bench                    a table for people
// npm run --silent bench -- --json one JSON document on standard output, nothing else
// npm run bench -- --cost          what a lifecycle costs each process, and no more
// npm run bench -- --lists         how long the console's lists take in a large installation, and no more
// npm run bench -- --size          what the same costs with 3,000 people, 400 servers and 300 policies and in an empty installation, and what a flood of requests does; fails if it is too much
//    --open 50000 --closed 1000000  … with as many requests
// npm run bench -- --audit         search, proofs, verification and export of a long log, and no more
// npm run bench -- --overload      what a node answers that has more to do than it can, and no more
// npm run bench -- --consoles      how soon many open consoles hear of a change, and no more
// npm run bench -- --held          what a held call weighs, with ten thousand on a stream and a hundred thousand over two nodes, and no more
// npm run bench -- --idle          what nodes send that no one calls, and no more
// npm run bench -- --latency       how soon an outcome reaches a client that waits at the same node, and at another one, and no more
// npm run bench -- --gateway       what the gateway adds to a call that policies allow, and no more
// npm run bench -- --console       what the console's first pages weigh, how soon a slow phone can use them, and how a long inbox scrolls, after npm run build:web; fails if it is too slow
// npm run bench -- --peers         the same lifecycle by other keepers of questions, which this installs, and no more
//    --only DBOS,Assentry          … by these
// npm run bench -- --quick         that it runs; its figures mean nothing

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    cost: { type: 'boolean', default: false },
    lists: { type: 'boolean', default: false },
    audit: { type: 'boolean', default: false },
    gateway: { type: 'boolean', default: false },
    size: { type: 'boolean', default: false },
    open: { type: 'string' },
    closed: { type: 'string' },
    held: { type: 'boolean', default: false },
    idle: { type: 'boolean', default: false },
    latency: { type: 'boolean', default: false },
    overload: { type: 'boolean', default: false },
    console: { type: 'boolean', default: false },
    consoles: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    only: { type: 'string', default: peerNames.join() },
  },
});
const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
const scale = values.quick ? quickScale : fullScale;
const print = (result: object, text: string): void =>
  void process.stdout.write(values.json ? `${JSON.stringify(result, null, 2)}\n` : text);

if (values.cost) {
  const cost = await measureCostAlone(scale);
  print(cost, describeCost(cost));
} else if (values.lists) {
  const lists = await measureListsAlone(scale);
  print(lists, describeLists(lists));
} else if (values.size) {
  const { open = scale.installation.open, closed = scale.installation.closed } = values;
  const installation = { ...scale.installation, open: Number(open), closed: Number(closed) };
  const cost = await measureSizeAlone({ ...scale, installation });
  const goals = judgeSize(cost);
  print({ ...cost, goals }, describeSize(cost, goals));
  process.exit(values.quick || goals.every(({ isMet }) => isMet) ? 0 : 1);
} else if (values.audit) {
  const log = await measureLogAlone(scale);
  print(log, describeLog(log));
} else if (values.gateway) {
  const overhead = await measureGatewayAlone(scale);
  print(overhead, describeGateway(overhead));
} else if (values.held) {
  const heldCalls = await measureHeldAlone(scale);
  print(heldCalls, describeHeld(heldCalls));
} else if (values.idle) {
  const idle = await measureIdleAlone(scale);
  print(idle, describeIdle(idle));
} else if (values.latency) {
  const latency = await measureLatencyAlone(scale);
  print(latency, describeLatency(latency));
} else if (values.overload) {
  const overload = await measureOverloadAlone(scale);
  print(overload, describeOverload(overload));
} else if (values.consoles) {
  const consoles = await measureConsolesAlone(scale);
  print(consoles, describeConsoles(consoles));
} else if (values.peers) {
  const names = peerNames.filter((name) => values.only.split(',').includes(name));
  const compared = await comparePeers(names, values.quick ? quickPeers : fullPeers, say);
  print(compared, describePeers(compared));
} else if (values.console) {
  const size = measureConsole(path.resolve('dist/web'));
  const usable = await measureUsableAlone();
  const goals = judgeUsable(usable);
  print({ ...size, usable, goals }, `${describeConsole(size)}${describeUsable(usable, goals)}`);
  process.exit(goals.every(({ isMet }) => isMet) ? 0 : 1);
} else {
  const measured = await measureAll(scale, values.json ? () => {} : say);
  const goals = judgeGoals(measured);
  print({ ...measured, goals }, describeMeasurements(measured, goals));
}
process.exit(0);
