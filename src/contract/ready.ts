import { z } from 'zod';

/** Warnings for the operator although the node serves. */
export const ReadyWarning = z.discriminatedUnion('code', [
  z.strictObject({
    code: z.literal('clock-differs'),
    seconds: z
      .int()
      .meta({ description: "How far the machine's clock is ahead of the database's; less than 0 if it is behind." }),
  }),
  z
    .strictObject({ code: z.literal('log-stands-still') })
    .meta({ description: "Entries get no places in the log; the node's own log says why." }),
]);

export const Ready = z.strictObject({ status: z.literal('ready'), warnings: z.array(ReadyWarning) });
