import { moments, statements } from './orders.ts';

/** What goes wrong, and where: nodes, and the networks to the database and to the callers, are numbered. */
export type Fault =
  | { kind: 'kill'; place: number; statement: keyof typeof statements; moment: (typeof moments)[number] }
  | { kind: 'restart'; place: 0 }
  | { kind: 'cut' | 'slow' | 'freeze'; network: 'database' | 'callers'; place: number }
  | { kind: 'clock'; place: number; ahead: number }
  | { kind: 'wake-ups'; place: number }
  /** Without a word, no connection to the old primary ends. */
  | { kind: 'failover'; place: 0; isSilent: boolean };

export type FaultKind = Fault['kind'];

const networks = ['database', 'callers'] as const;
const places = [0, 1];

/** Every fault there is of each kind. */
const decks: Record<FaultKind, Fault[]> = {
  kill: places.flatMap((place) =>
    (Object.keys(statements) as (keyof typeof statements)[]).flatMap((statement) =>
      moments.map((moment) => ({ kind: 'kill' as const, place, statement, moment })),
    ),
  ),
  restart: [{ kind: 'restart', place: 0 }],
  cut: onNetworks('cut'),
  slow: onNetworks('slow'),
  freeze: onNetworks('freeze'),
  clock: places.flatMap((place) => [600_000, -600_000].map((ahead) => ({ kind: 'clock' as const, place, ahead }))),
  'wake-ups': places.map((place) => ({ kind: 'wake-ups', place })),
  failover: [true, false].map((isSilent) => ({ kind: 'failover', place: 0, isSilent })),
};

function onNetworks(kind: 'cut' | 'slow' | 'freeze'): Fault[] {
  return networks.flatMap((network) => places.map((place) => ({ kind, network, place })));
}

export const faultKinds = Object.keys(decks) as FaultKind[];

/** So many faults, kind after kind; no fault comes a second time before all of its kind have come. */
export function drawFaults(draw: () => number, count: number, kinds: readonly FaultKind[] = faultKinds): Fault[] {
  const left = new Map<FaultKind, Fault[]>();
  return Array.from({ length: count }, (_, at) => {
    const kind = kinds[at % kinds.length] as FaultKind;
    if (!left.get(kind)?.length) left.set(kind, shuffle(decks[kind], draw));
    return left.get(kind)?.pop() as Fault;
  });
}

function shuffle<T>(items: readonly T[], draw: () => number): T[] {
  const keyed = items.map((item) => ({ item, key: draw() }));
  return keyed.toSorted((first, other) => first.key - other.key).map(({ item }) => item);
}

/** As the history and the report name it. */
export function nameFault(fault: Fault): string {
  if (fault.kind === 'kill') return `kill ${fault.moment} ${fault.statement}`;
  if (fault.kind === 'failover') return fault.isSilent ? 'failover without a word' : 'failover';
  if ('network' in fault) return `${fault.kind} ${fault.network}`;
  return fault.kind;
}
