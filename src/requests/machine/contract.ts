import { z } from 'zod';
import type { RouteContract } from '#platform/http/contract/route';

/** The statechart of a request as data, from which the console draws its progress. */
export const MachineShape = z
  .object({
    /** A request with the same version fits this shape. */
    version: z.int(),
    initial: z.string(),
    states: z.array(
      z.object({
        /** Its path from the root: `open.asking`. */
        id: z.string(),
        kind: z.enum(['atomic', 'compound', 'parallel', 'final', 'history']),
        initial: z.string().nullable(),
        /** Do people see this state? */
        isPhase: z.boolean(),
        /** Transitions with one `by` and `name` are tried in order: the first whose guards hold is taken. */
        transitions: z.array(
          z.object({
            by: z.enum(['event', 'delay', 'always']),
            /** The event or the delay; null if the machine continues by itself. */
            name: z.string().nullable(),
            /** All of them must hold. */
            guards: z.array(z.string()),
            /** None if the state stays and only its context changes. */
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
    permission: null,
    summary: 'The statechart that every request goes through, as data.',
    success: { 200: MachineShape },
  },
} as const satisfies Record<string, RouteContract>;
