import { z } from 'zod';
import { Moment, ElicitationId } from '../../asking/contract/open.ts';
import { newThings } from '../../facts/contract/signals.ts';

const signal = {
  from: z.array(z.object({ id: ElicitationId, at: Moment })).meta({
    description: 'The past requests it was computed from, newest first: those that you may read, 20 at most.',
  }),
  of: z.int().meta({ description: 'How many there were.' }),
};

const ofCall = [
  z.object({ kind: z.enum(['definition', 'reaches', 'unchecked']), ...signal }),
  z.object({ kind: z.literal('new'), what: z.enum(newThings), label: z.string(), value: z.string(), ...signal }),
  z.object({ kind: z.literal('amount'), label: z.string(), times: z.number(), usual: z.number(), ...signal }),
] as const;

/** A difference between a call and approved ones. */
export const CallSignal = z.discriminatedUnion('kind', ofCall).meta({ id: 'CallSignal' });

export type CallSignal = z.infer<typeof CallSignal>;

/** A difference between a request and past ones: computed from stored requests alone. */
const Signal = z
  .discriminatedUnion('kind', [
    ...ofCall,
    z.object({ kind: z.literal('burst'), calls: z.int(), isMore: z.boolean(), ...signal }),
    z.object({ kind: z.literal('hour'), at: Moment, ...signal }),
  ])
  .meta({ id: 'Signal' });

export type Signal = z.infer<typeof Signal>;

/** The strongest signal of each request of a list; requests that are closed or that the reader may not read are left out. */
export const SignalList = z
  .object({ signals: z.array(z.object({ id: ElicitationId, signal: CallSignal.nullable() })) })
  .meta({ id: 'SignalList' });

export type SignalList = z.infer<typeof SignalList>;

export const SignalQuery = z.strictObject({
  ids: z
    .string()
    .max(4096)
    .default('')
    .transform((text) => (text === '' ? [] : text.split(',')))
    .pipe(z.array(ElicitationId).max(50))
    .meta({ description: 'The ids of requests, with commas between them, 50 at most.' }),
});

/** Differences from the latest approved request of the same tool and server, and all other signals. */
export const Comparison = z
  .object({
    digest: z.string().meta({ description: 'The action digest of what was compared.' }),
    approved: z
      .object({ id: ElicitationId, closedAt: Moment })
      .nullable()
      .meta({ description: 'The request it was compared with; null if there is none that you may read.' }),
    differences: z.array(
      z.object({
        path: z.string().meta({ description: 'From the root, such as `recipients[2].iban`.' }),
        pointer: z.string().meta({ description: 'The same as a JSON Pointer.' }),
        before: z.unknown().optional().meta({ description: 'Absent if it was added.' }),
        after: z.unknown().optional().meta({ description: 'Absent if it was removed.' }),
      }),
    ),
    isCut: z.boolean().meta({ description: 'Whether there are more.' }),
    signals: z.array(Signal),
  })
  .meta({ id: 'Comparison' });

export type Comparison = z.infer<typeof Comparison>;
