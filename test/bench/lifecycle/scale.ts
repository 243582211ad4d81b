import type { Installation } from '../size/fill-directory.ts';

/** How much is measured. Only the full scale says something about speed. */
export interface Scale {
  name: 'full' | 'quick';
  /** How many are in flight, and how many lifecycles a round has. */
  lifecycles: [inFlight: number, count: number][];
  rounds: number;
  /** The steady load: lifecycles in a second, and for how many seconds. */
  rate: number;
  seconds: number;
  held: number;
  polled: number;
  /** Published policies, and decisions among them in a round. */
  policies: number;
  decisions: number;
  /** Requests in the lists of the console. */
  lists: { open: number; closed: number };
  /** Open consoles, and changes that each of them hears of. */
  consoles: { open: number; changes: number };
  /** Entries of a long log, and how many of them are proved. */
  entries: number;
  proofs: number;
  /** Calls through the gateway, one after the other and then many at a time. */
  gatewayCalls: number;
  /** Calls that the gateway holds at once. */
  gatewayHeld: number;
  /** Servers behind `wrap` at once. */
  wrappedServers: number;
  /** Seconds for which a node is left alone, twice. */
  idle: number;
  /** A large installation, and how many calls of a kind are made to it in a round. */
  installation: Installation;
  sizeCalls: number;
  /** Requests that anyone may decide, opened by one agent. */
  flood: number;
}

export const fullScale: Scale = {
  name: 'full',
  lifecycles: [
    [1, 200],
    [8, 800],
    [32, 1600],
  ],
  rounds: 5,
  rate: 40,
  seconds: 25,
  held: 10_000,
  polled: 1000,
  policies: 10_000,
  decisions: 5_000,
  lists: { open: 100_000, closed: 5_000_000 },
  consoles: { open: 2_000, changes: 20 },
  entries: 1_000_000,
  proofs: 2_000,
  gatewayCalls: 3_000,
  gatewayHeld: 5_000,
  wrappedServers: 10,
  idle: 30,
  installation: { people: 3_000, groups: 200, servers: 400, policies: 300, open: 2_000, closed: 20_000 },
  sizeCalls: 60,
  flood: 10_000,
};

export const quickScale: Scale = {
  name: 'quick',
  lifecycles: [
    [1, 4],
    [8, 16],
    [32, 64],
  ],
  rounds: 1,
  rate: 40,
  seconds: 0.5,
  held: 50,
  polled: 10,
  policies: 200,
  decisions: 20,
  lists: { open: 100, closed: 100 },
  consoles: { open: 20, changes: 2 },
  entries: 3_000,
  proofs: 20,
  gatewayCalls: 20,
  gatewayHeld: 20,
  wrappedServers: 2,
  idle: 0.5,
  installation: { people: 60, groups: 200, servers: 10, policies: 30, open: 20, closed: 20 },
  sizeCalls: 4,
  flood: 20,
};
