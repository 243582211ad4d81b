import { z } from 'zod';
import { isTimeZone } from '#platform/model/names';
import { minutesOf } from '#platform/text/clock-time';
import { orNull, ofFirst, defineTerm, noClause } from '../document/rules/term.ts';
import type { QuietHours } from '../deciding/contract/clause.ts';

export const quietHours = defineTerm({
  key: 'quietHours',
  schema: z
    .strictObject({
      from: timeSchema('When it gets quiet, such as "22:00".'),
      until: timeSchema('When it ends, such as "07:00".'),
      timeZone: z
        .string()
        .refine(isTimeZone, 'Must be a time zone such as Europe/Berlin.')
        .describe('An IANA time zone.'),
    })
    .refine(({ from, until }: QuietHours) => from !== until, { path: ['until'], error: 'Must differ from `from`.' })
    .describe('Reminders within them wait for their end.')
    .optional()
    .transform(orNull),
  stricter: ofFirst,
  clauses: noClause,
});

function timeSchema(description: string) {
  return z
    .string({ error: 'Must be a time of day in quotes, such as "22:00".' })
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time of day such as "22:00".')
    .transform(minutesOf)
    .describe(description);
}
