import os from 'node:os';
import { startBenchDatabase, type BenchDatabase } from './bench-database.ts';
import { startBenchNode, type BenchNode } from './bench-node.ts';
import { weighPolled, weighStreamed, type Door, type HeldCalls } from './lifecycle/held-calls.ts';
import { measureGateway, type GatewayOverhead } from './cost/gateway-overhead.ts';
import { measureLog, type LogTimes } from './log/log-times.ts';
import { measureCost, type LifecycleCost } from './cost/lifecycle-cost.ts';
import { measureConsoles, type Consoles } from './cost/consoles.ts';
import { measureIdle, type Idle } from './cost/idle.ts';
import { measureUsable, type UsableTimes } from './cost/usable-times.ts';
import { measureOverload, type Overload } from './cost/overload.ts';
import { createHttpCaller, type HttpCaller } from './lifecycle/http-caller.ts';
import { measureHttp, type HttpThroughput } from './lifecycle/http-throughput.ts';
import { measureLists, type ListTimes } from './list-times.ts';
import { measureLatency, type SteadyLoad } from './lifecycle/latency.ts';
import { measurePolicies, type PolicyMatching } from './policy-matching.ts';
import { prepareDatabases, type Prepared } from './prepared.ts';
import { measureSize, type SizeCost } from './size/size-cost.ts';
import type { Scale } from './lifecycle/scale.ts';
import { measureThroughput, type Throughput } from './lifecycle/throughput.ts';

export interface Measurements {
  scale: Scale['name'];
  machine: { cores: number; cpu: string; node: string; postgres: string; load: number };
  lifecycles: Throughput[];
  cost: LifecycleCost;
  idle: Idle;
  http: HttpThroughput[];
  steadyLoad: SteadyLoad;
  memory: { stream: HeldCalls; longPoll: HeldCalls };
  matching: PolicyMatching;
  lists: ListTimes;
  gateway: GatewayOverhead;
  log: LogTimes;
  overload: Overload;
  consoles: Consoles;
}

/** Everything, in one run, on a PostgreSQL of its own. `say` is told what is being done. */
export async function measureAll(scale: Scale, say: (sentence: string) => void): Promise<Measurements> {
  say('Decisions among many policies …');
  const matching = measurePolicies(scale);
  say('Starting PostgreSQL …');
  const database = await startBenchDatabase();
  try {
    const prepared = await prepareDatabases(database, [
      'engine',
      'bare',
      'nodes',
      'cost',
      'idle',
      'overload',
      'consoles',
      'lists',
      'gateway',
      'log',
    ]);
    say('What a lifecycle costs each process …');
    const cost = await measureCost(database, prepared, scale);
    say('Nodes that no one calls …');
    const idle = await measureIdle(database, scale);
    say("Lifecycles by the engine's verbs and the same SQL without them, in turn …");
    const lifecycles = await measureThroughput(database, prepared, scale);
    const door = await overHttp(database, prepared, scale, say);
    say('More than a node can do …');
    const overload = await measureOverload(database, prepared, scale);
    say('Many open consoles …');
    const consoles = await measureConsoles(database, prepared, scale);
    say('Lists of a large installation …');
    const lists = await measureLists(database, prepared, scale);
    say('Calls that policies allow, behind the gateway …');
    const gateway = await measureGateway(database, prepared, scale);
    say('A long log …');
    const log = await measureLog(database, prepared, scale);
    return {
      scale: scale.name,
      machine: describeMachine(database),
      lifecycles,
      cost,
      idle,
      ...door,
      overload,
      consoles,
      matching,
      lists,
      gateway,
      log,
    };
  } finally {
    await database.stop();
  }
}

/** The lists of the console, and nothing else. */
export async function measureListsAlone(scale: Scale): Promise<ListTimes> {
  const database = await startBenchDatabase();
  try {
    return await measureLists(database, await prepareDatabases(database, ['lists']), scale);
  } finally {
    await database.stop();
  }
}

/** A large installation next to an empty one, and nothing else. */
export async function measureSizeAlone(scale: Scale): Promise<SizeCost> {
  const database = await startBenchDatabase();
  try {
    return await measureSize(database, await prepareDatabases(database, ['empty', 'size', 'flood', 'worst']), scale);
  } finally {
    await database.stop();
  }
}

export interface UsableAlone extends UsableTimes {
  machine: Measurements['machine'];
  /** Of a minute, before and after. */
  loads: number[];
}

/** How soon pages can be used on a slow phone, and nothing else. */
export async function measureUsableAlone(): Promise<UsableAlone> {
  const database = await startBenchDatabase();
  try {
    const machine = describeMachine(database);
    const times = await measureUsable(database, await prepareDatabases(database, ['usable']));
    return { ...times, machine, loads: [machine.load, os.loadavg()[0] ?? 0] };
  } finally {
    await database.stop();
  }
}

/** A long log, and nothing else. */
export async function measureLogAlone(scale: Scale): Promise<LogTimes> {
  const database = await startBenchDatabase();
  try {
    return await measureLog(database, await prepareDatabases(database, ['log']), scale);
  } finally {
    await database.stop();
  }
}

/** What the gateway adds to a call, and nothing else. */
export async function measureGatewayAlone(scale: Scale): Promise<GatewayOverhead> {
  const database = await startBenchDatabase();
  try {
    return await measureGateway(database, await prepareDatabases(database, ['gateway']), scale);
  } finally {
    await database.stop();
  }
}

/** A node that has more to do than it can, and nothing else. */
export async function measureOverloadAlone(scale: Scale): Promise<Overload> {
  const database = await startBenchDatabase();
  try {
    return await measureOverload(database, await prepareDatabases(database, ['overload']), scale);
  } finally {
    await database.stop();
  }
}

/** Many open consoles, and nothing else. */
export async function measureConsolesAlone(scale: Scale): Promise<Consoles> {
  const database = await startBenchDatabase();
  try {
    return await measureConsoles(database, await prepareDatabases(database, ['consoles']), scale);
  } finally {
    await database.stop();
  }
}

/** The cost of a lifecycle through the public doors, and nothing else. */
export async function measureCostAlone(scale: Scale): Promise<LifecycleCost> {
  const database = await startBenchDatabase();
  try {
    return await measureCost(database, await prepareDatabases(database, ['cost']), scale);
  } finally {
    await database.stop();
  }
}

/** Calls held on one stream, and ten times as many over two nodes, and nothing else. */
export async function measureHeldAlone({ held }: Scale): Promise<{ oneStream: HeldCalls; twoNodes: HeldCalls }> {
  const database = await startBenchDatabase();
  const nodes: BenchNode[] = [];
  try {
    const prepared = await prepareDatabases(database, ['held']);
    for (const _ of ['here', 'there']) nodes.push(await startBenchNode(database.url('held')));
    const doors: Door[] = [];
    for (const node of nodes) doors.push({ node, caller: await createHttpCaller(node.url, prepared) });
    const oneStream = await weighStreamed(doors.slice(0, 1), prepared.key, held);
    const twoNodes = await weighStreamed(doors, prepared.key, 10 * held);
    doors.forEach(({ caller }) => caller.close());
    return { oneStream, twoNodes };
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    await database.stop();
  }
}

/** Nodes that no one calls, and nothing else. */
export async function measureIdleAlone(scale: Scale): Promise<Idle> {
  const database = await startBenchDatabase();
  try {
    await prepareDatabases(database, ['idle']);
    return await measureIdle(database, scale);
  } finally {
    await database.stop();
  }
}

/** Votes on a timetable, their outcomes awaited at the same node and at another one, and nothing else. */
export async function measureLatencyAlone(scale: Scale): Promise<SteadyLoad> {
  const database = await startBenchDatabase();
  const nodes: BenchNode[] = [];
  try {
    const prepared = await prepareDatabases(database, ['nodes']);
    for (const _ of ['here', 'there']) nodes.push(await startBenchNode(database.url('nodes')));
    const [here, there] = await Promise.all(nodes.map(({ url }) => createHttpCaller(url, prepared)));
    const steadyLoad = await measureLatency(here as HttpCaller, there as HttpCaller, scale);
    here?.close();
    there?.close();
    return steadyLoad;
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    await database.stop();
  }
}

async function overHttp(database: BenchDatabase, prepared: Prepared, scale: Scale, say: (sentence: string) => void) {
  const nodes: BenchNode[] = [];
  try {
    for (const _ of ['here', 'there']) nodes.push(await startBenchNode(database.url('nodes')));
    const [here, there] = nodes as [BenchNode, BenchNode];
    const [caller, other] = [await createHttpCaller(here.url, prepared), await createHttpCaller(there.url, prepared)];
    say('Lifecycles through HTTP …');
    const http = await measureHttp(caller, scale);
    say('Votes on a timetable …');
    const steadyLoad = await measureLatency(caller, other, scale);
    say('Held calls …');
    const longPoll = await weighPolled(there, other, scale.polled);
    const stream = await weighStreamed([{ node: here, caller }], prepared.key, scale.held);
    caller.close();
    other.close();
    return { http, steadyLoad, memory: { stream, longPoll } };
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
  }
}

const describeMachine = ({ version }: BenchDatabase): Measurements['machine'] => ({
  cores: os.availableParallelism(),
  cpu: os.cpus()[0]?.model.trim() ?? '',
  node: process.version,
  postgres: version,
  load: os.loadavg()[0] ?? 0,
});
