import { z } from 'zod';
import type { RouteContract } from '../http/route-contract.ts';

/** The statechart of a request as data, from which the console draws how far one has come. */
export const MachineShape = z
  .object({
    /** A request that says the same version fits this shape. */
    version: z.int(),
    initial: z.string(),
    states: z.array(
      z.object({
        /** Its path from the root: `open.asking`. */
        id: z.string(),
        kind: z.enum(['atomic', 'compound', 'parallel', 'final', 'history']),
        initial: z.string().nullable(),
        /** Are people told of it? */
        isPhase: z.boolean(),
        /** Of those with one `by` and `name`, the first whose guards hold is taken. */
        transitions: z.array(
          z.object({
            by: z.enum(['event', 'delay', 'always']),
            /** Of the event or the delay; null where the machine goes on by itself. */
            name: z.string().nullable(),
            /** All of them must hold. */
            guards: z.array(z.string()),
            /** None where it stays and only notes something. */
            targets: z.array(z.string()),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'MachineShape' });
export type MachineShape = z.infer<typeof MachineShape>;

export const machineRoutes = {
  showMachine: {
    method: 'get',
    path: '/api/machine',
    auth: 'session',
    summary: 'The statechart that every request goes through, as data.',
    success: { 200: MachineShape },
  },
} as const satisfies Record<string, RouteContract>;
