import type { ConsoleSize, PageSize } from './console-size.ts';

import type { Goal } from './goals.ts';
import type { Consoles } from './cost/consoles.ts';
import type { GatewayOverhead, Overhead } from './cost/gateway-overhead.ts';
import type { LifecycleCost } from './cost/lifecycle-cost.ts';
import type { HeldCalls } from './lifecycle/held-calls.ts';
import type { ListTimes } from './list-times.ts';
import type { LogTimes } from './log/log-times.ts';
import type { Idle } from './cost/idle.ts';
import type { Overload } from './cost/overload.ts';
import type { Latency, SteadyLoad } from './lifecycle/latency.ts';
import type { SizeCost } from './size/size-cost.ts';
import type { Measurements, UsableAlone } from './measurements.ts';
import { round } from './statistics.ts';
import type { Throughput } from './lifecycle/throughput.ts';

type Row = [name: string, value: string, sentence: string];

/** A table for people: what was measured, the figure, and what it means. */
export function describeMeasurements(measured: Measurements, goals: Goal[]): string {
  const { machine, scale, lifecycles, http, steadyLoad, memory, matching } = measured;
  const rows: Row[] = [
    ...lifecycles.flatMap(lifecycleRows),
    ...costRows(measured.cost),
    ...idleRows(measured.idle),
    ...http.map(({ inFlight, perSecond }): Row => [
      `HTTP, ${inFlight} in flight`,
      `${round(perSecond)}/s`,
      'The same through HTTP, resumed by the stream of outcomes.',
    ]),
    ...latencyRows(steadyLoad),
    memoryRow('stream', memory.stream, 'waited for by the client library over one connection'),
    memoryRow('long poll', memory.longPoll, 'with a connection each'),
    [
      `Policies, ${matching.policies}`,
      `${round(matching.perSecond)}/s`,
      `Decisions with their explanation, in one process; compiling them all took ${round(matching.compile)} ms.`,
    ],
    ...listRows(measured.lists),
    ...gatewayRows(measured.gateway),
    ...logRows(measured.log),
    ...overloadRows(measured.overload),
    ...consolesRows(measured.consoles),
    ...goals.map(goalRow),
  ];
  const head = `${machine.cores} cores, Node ${machine.node}, PostgreSQL ${machine.postgres}, load ${round(machine.load, 1)} before\n`;
  const warning = scale === 'quick' ? 'A quick run: it shows that the bench works, and nothing about speed.\n' : '';
  return `\n${head}${warning}\n${align(rows)}\n`;
}

/** What the console's first page weighs. */
export const describeConsole = ({ signIn, inbox }: ConsoleSize): string =>
  `Sign-in: ${describePage(signIn)}\nInbox: ${describePage(inbox)}\n`;

/** How soon it can be used. */
export const describeUsable = ({ machine, loads, ...times }: UsableAlone, goals: Goal[]): string => {
  const { signIn, inbox, request, hostedPage, encodings, scrolling } = times;
  const { p50, p95, most } = scrolling.frame;
  const pages = { 'Sign-in': signIn, Inbox: inbox, 'Request by a link': request, 'Hosted page': hostedPage };
  return [
    `${machine.cores} cores (${machine.cpu}), Node ${machine.node}, load ${loads.map((load) => round(load, 1)).join(' before and ')} after\n`,
    `At 1.6 Mbit/s, 150 ms and a quarter of the processor (${encodings.join(', ')}):\n`,
    align([
      ...Object.entries(pages).map(([name, { milliseconds, requests, bytes }]): Row => [
        name,
        `${round(milliseconds)} ms`,
        `Until it can be used, after ${requests} requests and ${kilobytes(bytes)}.`,
      ]),
      [
        `Scrolling ${scrolling.open} rows`,
        `${round(p50, 1)} ms`,
        `Between frames; ${round(p95, 1)} ms for 95 of 100, ${round(most)} ms at most.`,
      ],
      ...goals.map(goalRow),
    ]),
  ].join('');
};

const describePage = ({ files, plain, gzip, brotli }: PageSize): string =>
  `${files} files: ${kilobytes(brotli)} with Brotli, ${kilobytes(gzip)} with gzip, ${kilobytes(plain)} as they are`;

const kilobytes = (bytes: number): string => `${round(bytes / 1_000)} kB`;

/** What a lifecycle costs, by itself. */
export const describeCost = (cost: LifecycleCost): string => align(costRows(cost));

export const describeIdle = (idle: Idle): string => align(idleRows(idle));

export const describeLatency = (latency: SteadyLoad): string => align(latencyRows(latency));

export const describeHeld = ({ oneStream, twoNodes }: Record<'oneStream' | 'twoNodes', HeldCalls>): string =>
  align([
    memoryRow('streamed', oneStream, 'on one stream'),
    memoryRow('two nodes', twoNodes, 'over two nodes, on a stream each'),
  ]);

export const describeLists = (lists: ListTimes): string => align(listRows(lists));

/** A large installation next to an empty one. */
export const describeSize = ({ of, filled, cpu, verbs, lists, flood, worst }: SizeCost, goals: Goal[]): string =>
  align([
    [
      'Installation',
      `${round(filled)} s`,
      `To make it: ${Object.entries(of)
        .map(([what, count]) => `${count} ${what}`)
        .join(', ')}.`,
    ],
    ...cpu.map(({ what, empty, full }): Row => [
      `CPU, ${what}`,
      `${round(full)} µs`,
      `Of the node; ${round(empty)} µs in an empty installation, ${round(full / empty, 2)} times as much.`,
    ]),
    ...verbs.map(({ what, empty, full }): Row => [
      what,
      `${round(full, 1)} ms`,
      `${round(empty, 1)} ms in an empty one.`,
    ]),
    ...lists.map(({ path, empty, full, cpu: spent, bytes }): Row => [
      path,
      `${round(full, 1)} ms`,
      `${round(spent, 1)} ms of CPU, PostgreSQL's included; ${round(empty, 1)} ms in an empty one; ${kilobytes(bytes)}.`,
    ]),
    [
      'A flood',
      `${round(flood.opened)} s`,
      `To open ${flood.requests} requests that anyone of ${flood.people} may decide; their notifications were planned ${round(flood.planned)} s later.`,
    ],
    [
      'Webhook',
      `${round(flood.webhook.p50)} ms`,
      `From opening to receiving after the flood, p50; at most ${round(flood.webhook.most)} ms, while ${flood.mails} mails were sent.`,
    ],
    ...worst.kinds.map(({ kind, bytes, opening, page }): Row => [
      `Arguments: ${kind}`,
      `${round(page)} ms`,
      `CPU of the request's page; ${round(opening)} ms of its opening, with ${kilobytes(bytes)}.`,
    ]),
    ['A list of the worst', `${round(worst.list)} ms`, 'CPU of its first page.'],
    ['/healthz', `${round(worst.silent)} ms`, 'The slowest answer while these were opened and shown.'],
    ['/healthz', `${round(flood.silent)} ms`, 'The slowest answer during the flood.'],
    ...goals.map(goalRow),
  ]);

export const describeGateway = (overhead: GatewayOverhead): string => align(gatewayRows(overhead));

export const describeOverload = (overload: Overload): string => align(overloadRows(overload));

const overloadRows = ({ inFlight, opened, refused, ready }: Overload): Row[] => [
  [
    'Overload, opened',
    `${opened.p50} / ${opened.p99} ms`,
    `Median and 99 of 100, ${inFlight} in flight, ${opened.perSecond}/s.`,
  ],
  ['Overload, refused', `${refused.p99} ms`, `99 of 100 of ${refused.count} that were told to come again.`],
  [
    'Overload, readiness',
    `${ready.p99} / ${ready.most} ms`,
    `99 of 100 and the slowest of ${ready.count} answers of /readyz meanwhile.`,
  ],
];

export const describeConsoles = (consoles: Consoles): string => align(consolesRows(consoles));

const consolesRows = ({ open, reached, postgres, statements }: Consoles): Row[] => [
  [
    'Consoles, reached',
    `${round(reached.p50)} / ${round(reached.most)} ms`,
    `Median and most until the last of ${open} open consoles hears of a change.`,
  ],
  [
    'Consoles, PostgreSQL',
    postgres === null ? 'not told' : `${round(postgres, 1)} ms`,
    'CPU of all its processes for each change.',
  ],
  ['Consoles, statements', String(round(statements, 1)), 'What the node sends for each change.'],
];

export const describeLog = (log: LogTimes): string => align(logRows(log));

const logRows = ({ entries, searches, proof, verified, export: exported }: LogTimes): Row[] => [
  ...searches.map(({ filter, milliseconds }): Row => [
    `Search, ${filter}`,
    `${round(milliseconds)} ms`,
    `The slowest of five pages of 50 among ${entries} entries.`,
  ]),
  [
    'Proof of an entry',
    `${round(proof.p50, 1)} / ${round(proof.p99, 1)} ms`,
    `Median and 99 of 100 of ${proof.count}, from its id.`,
  ],
  [
    'Verification',
    `${round(verified.perSecond)}/s`,
    `Leaves, tiles, roots, checkpoints and MACs; all of it took ${round(verified.seconds)} s.`,
  ],
  ...exportRows(exported),
];

const exportRows = ({ entries, perSecond, size, memory: { first, second } }: LogTimes['export']): Row[] => [
  ['Export, rate', `${round(perSecond)}/s`, `${entries} entries of the log with their proofs, ${round(size)} MB.`],
  [
    'Export, memory',
    `${round(second)} MB`,
    `What the process grew by at most in the second half; ${round(first)} MB in the first.`,
  ],
];

const idleRows = ({ statements, cpu }: Idle): Row[] => [
  [
    'Idle, statements',
    `${round(statements, 2)}/s`,
    'What a node sends while no one calls it and nothing is due; it streams the log to two receivers.',
  ],
  ['Idle, node', `${round(cpu)} µs/s`, 'CPU of such a node.'],
];

const shareText = ({ share }: GatewayOverhead['weight']): string =>
  share === null ? '' : `; ${megabytes(share)} MB are its share, the rest is used by other processes as well`;

const gatewayRows = ({ stdio, http, load: { allowed, held }, weight }: GatewayOverhead): Row[] => [
  ...overheadRows('Gateway', stdio),
  ...overheadRows('Gateway over HTTP', http),
  [
    'Gateway, memory',
    `${megabytes(allowed.memory.second)} MB`,
    `After ${allowed.calls} allowed calls at ${allowed.perSecond}/s; ${megabytes(allowed.memory.first)} MB after half of them.`,
  ],
  [
    'Gateway, held',
    `${round(held.memory / 1024, 1)} kB`,
    `Memory for each of ${held.calls} calls held at once; all were asked about within ${held.seconds} s.`,
  ],
  [
    'Wrapped server, memory',
    `${megabytes(weight.memory)} MB`,
    `Of one wrap without its server, the median of ${weight.servers} at once${shareText(weight)}.`,
  ],
  [
    'Wrapped server, start',
    `${round(weight.start.wrapped - weight.start.direct)} ms`,
    `Until it lists its tools, more than without wrap: ${weight.start.direct} ms direct, ${weight.start.wrapped} ms behind it.`,
  ],
];

const megabytes = (bytes: number): number => round(bytes / 1024 ** 2, 1);

const overheadRows = (name: string, { direct, gated, added, perSecond }: Overhead): Row[] => [
  [`${name}, p50`, `${added.p50} ms`, `More than without it: ${direct.p50} ms direct, ${gated.p50} ms through it.`],
  [`${name}, p99`, `${added.p99} ms`, `More than without it: ${direct.p99} ms direct, ${gated.p99} ms through it.`],
  [`${name}, rate`, `${perSecond.gated}/s`, `Allowed calls to one server, 32 in flight; ${perSecond.direct}/s direct.`],
];

const listRows = ({ open, closed, lists }: ListTimes): Row[] =>
  lists.map(({ of, query, milliseconds }) => [
    `List, ${query}`,
    `${round(milliseconds)} ms`,
    `A page through HTTP for someone whom ${of} of ${open} open and ${closed} closed requests name.`,
  ]);

function costRows({ inFlight, node, postgres, clients, statements, wal, disk }: LifecycleCost): Row[] {
  const name = (what: string): string => `Cost, ${what}`;
  return [
    [name('node'), `${round(node)} µs`, `CPU of the node for each lifecycle through HTTP, ${inFlight} in flight.`],
    [name('PostgreSQL'), postgres === null ? 'not told' : `${round(postgres)} µs`, 'CPU of all its processes.'],
    [name('clients'), `${round(clients)} µs`, 'CPU of the client library and the approver together.'],
    [name('statements'), String(round(statements, 1)), 'What the node sends for each lifecycle.'],
    [name('WAL'), `${round(wal)} B`, 'What PostgreSQL writes ahead for each lifecycle.'],
    [name('disk'), `${round(disk)} B`, 'What the database grows by for each lifecycle, with its indexes.'],
  ];
}

function lifecycleRows({ inFlight, engine, bare, ratio, batch, postgresShare }: Throughput): Row[] {
  const name = `${inFlight} in flight`;
  const share = postgresShare === null ? '' : `, ${percent(postgresShare)} of all CPU in PostgreSQL`;
  const rows = `${round(batch.open, 1)}, ${round(batch.read, 1)} and ${round(batch.change, 1)} rows a statement`;
  return [
    [
      `Lifecycles, ${name}`,
      `${round(engine.perSecond)}/s`,
      'A question opened, voted on and read again by the engine.',
    ],
    [
      `Bare SQL, ${name}`,
      `${round(bare.perSecond)}/s`,
      'The same four statements, one row each, prepared, and no more.',
    ],
    [`Ratio, ${name}`, percent(ratio), 'The median over pairs of neighbouring rounds.'],
    [
      `Limit, ${name}`,
      `${round(engine.nodeCpu)} µs`,
      `CPU of Node for each lifecycle${share}; open, read and change had ${rows}.`,
    ],
  ];
}

const latencyRows = ({ sameNode, otherNode, perSecond }: SteadyLoad): Row[] => [
  latencyRow('same node', sameNode, perSecond),
  latencyRow('other node', otherNode, perSecond),
];

const latencyRow = (where: string, { p50, p99, most }: Latency, rate: number): Row => [
  `Resume, ${where}`,
  `${round(p50, 1)} / ${round(p99, 1)} ms`,
  `Vote to waiting client at a steady ${rate}/s: median and 99 of 100; the slowest took ${round(most, 1)} ms.`,
];

const memoryRow = (how: string, { held: pendingCall, rss, heap }: HeldCalls, sentence: string): Row => [
  `Held call, ${how}`,
  `${round(rss)} B`,
  `What the nodes' processes grew by for each of ${pendingCall} calls ${sentence}; ${round(heap)} B of it live.`,
];

const goalRow = ({ name, bound, measured, isMet }: Goal): Row => [
  isMet ? 'Goal met' : 'GOAL MISSED',
  String(round(measured, 2)),
  `The goal for ${name} is ${bound}.`,
];

const percent = (share: number): string => `${round(share * 100)} %`;

function align(rows: Row[]): string {
  const [first, second] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(([name, value, sentence]) => `${name.padEnd(first ?? 0)}  ${value.padStart(second ?? 0)}  ${sentence}\n`)
    .join('');
}
