import { z } from 'zod';
import { risks } from '../../model/elicitation.ts';
import { faultOfPath, longestLabel, longestPath, mostFacts } from '../../model/key-facts/key-fact.ts';
import { approverChannels, requesterRules } from '../../model/policy.ts';
import { atMost, orNull, wholeSchema } from './approver-schema.ts';
import { durationSchema } from '../terms/duration.ts';
import { isTimeZone } from '../../model/names.ts';
import type { QuietHours } from '../terms/policy-document.ts';

const argumentName = z
  .string()
  .regex(/^[A-Za-z_][\w-]{0,63}$/, 'Must be the name of a top-level argument: letters, digits, _ and -.');

const quietHoursSchema = z
  .strictObject({
    from: timeSchema('When it gets quiet, such as "22:00".'),
    until: timeSchema('When it ends, such as "07:00".'),
    timeZone: z
      .string()
      .refine(isTimeZone, 'Must be a time zone such as Europe/Berlin.')
      .describe('An IANA time zone.'),
  })
  .refine(({ from, until }: QuietHours) => from !== until, { path: ['until'], error: 'Must differ from `from`.' });

const justificationRule = z
  .strictObject({
    minLength: wholeSchema(1, 2_000).describe('The least number of characters. Default 1.').default(1),
    like: z
      .string()
      .min(1, 'Must not be empty.')
      .max(200, 'Must have at most 200 characters.')
      .describe('A pattern with `*`, such as "JIRA-*".')
      .optional()
      .transform(orNull),
  })
  .transform((rule) => [rule]);

const paceSchema = z
  .strictObject({
    approvals: wholeSchema(2, 100)
      .describe('So many approvals of one person within `within`; then they pause until the first is that long ago.')
      .optional()
      .transform(orNull),
    hasty: wholeSchema(2, 100)
      .describe('So many approvals of one person in a row, each under five seconds after it was seen; then they pause.')
      .optional()
      .transform(orNull),
    within: durationSchema('10s', '1h').describe('How long, such as 5m.'),
  })
  .refine(({ approvals, hasty }) => approvals !== null || hasty !== null, 'Must have `approvals` or `hasty`, or both.')
  .transform((rule) => [rule]);

const grantSchema = z.strictObject({
  longest: durationSchema('1m', '90d').describe('The longest an approver may allow it for.'),
  uses: wholeSchema(1, 100_000).describe('The most uses.').optional().transform(orNull),
  budget: z
    .strictObject({
      argument: argumentName.describe('A numeric argument.'),
      total: z.number('Must be a number above 0.').positive('Must be a number above 0.').describe('The largest sum.'),
    })
    .describe('The sum of an argument over all uses.')
    .optional()
    .transform(orNull),
  same: z.array(argumentName).max(20, atMost(20)).describe('Arguments that must stay the same.').default([]),
  ceiling: z
    .enum(['low', 'medium'])
    .describe('Requests of a higher risk are asked again. Default medium.')
    .default('medium'),
  review: durationSchema('1h', '365d')
    .describe('It lapses unless someone reviews it within this time.')
    .optional()
    .transform(orNull),
});

const chatSchema = z.strictObject({
  to: z
    .string()
    .regex(
      /^(approvers|[CG][A-Z0-9]{4,20}|#[^\s#A-Z]{1,80})$/,
      'Must be approvers, the ID of a channel such as C0123ABCD, or its #name.',
    )
    .describe('Who is notified: `approvers`, each in a message of their own, or a channel as `C0123ABCD` or `#name`.'),
  vote: z
    .boolean()
    .describe('May people vote there? Then the message and the arguments are posted to chat. Default false.')
    .default(false),
});

const notifySchema = z
  .strictObject({
    channels: z
      .array(z.enum(approverChannels, 'Must be email or push.'))
      .min(1, 'Must not be empty.')
      .transform((all) => [...new Set(all)])
      .describe('Only in these ways: `email`, `push`. Default: as each person has set.')
      .optional()
      .transform(orNull),
    urgent: z
      .boolean()
      .describe('Do notifications come in quiet hours and before digests? People can turn that off. Default false.')
      .default(false),
  })
  .refine(({ channels, urgent }) => channels !== null || urgent, 'Must have `channels`, or `urgent: true`.');

const factSchema = z.strictObject({
  label: z
    .string()
    .trim()
    .min(1, 'Must not be empty.')
    .max(longestLabel, `Must have at most ${longestLabel} characters.`)
    .describe('What people call it, such as Amount.'),
  path: z
    .string()
    .max(longestPath, `Must have at most ${longestPath} characters.`)
    .refine((path) => faultOfPath(path) === null, 'Must be a JSON Pointer into the arguments, such as /amount.')
    .describe('A JSON Pointer into the arguments, such as /amount or /to/iban.'),
});

const editableField = z.looseObject({
  type: z
    .enum(
      ['string', 'number', 'integer', 'boolean', 'array'],
      'Must be string, number, integer, boolean or array: the type of a form field.',
    )
    .describe('Its type in the form.'),
});

/** What a requirement says apart from who must answer. */
export const termsShape = {
  requester: z
    .enum(requesterRules, 'Must be verified or any.')
    .describe(
      "verified: Assentry must have checked the requester. any: no check needed. Default: the installation's setting, at medium and high risk.",
    )
    .optional()
    .transform(orNull),
  risk: z.enum(risks).describe('The risk the console shows; computed if absent.').optional().transform(orNull),
  deadline: durationSchema('1s', '30d')
    .describe('How long people have. Between 1s and 30d.')
    .optional()
    .transform(orNull),
  onTimeout: z
    .enum(['expire', 'deny'], 'Must be expire or deny: no timeout approves.')
    .describe('What happens at the deadline. Default expire.')
    .default('expire'),
  reminders: z
    .array(durationSchema('1m', '30d'))
    .max(20, atMost(20))
    .transform((all) => [...new Set(all)].sort((a, b) => a - b))
    .describe('When people are reminded, after opening.')
    .default([]),
  quietHours: quietHoursSchema.describe('Reminders within them wait for their end.').optional().transform(orNull),
  notBefore: z
    .boolean()
    .describe('May the requester set a start, and approvers move it later? Default false.')
    .default(false),
  justification: z
    .strictObject({
      requester: justificationRule.describe("The rules for the request's reason.").default([]),
      approver: justificationRule.describe("The rules for each vote's reason.").default([]),
    })
    .describe('Which reasons must be given.')
    .default({ requester: [], approver: [] }),
  freshSignIn: durationSchema('1m', '24h')
    .describe('A vote needs a password entered within this time.')
    .optional()
    .transform(orNull),
  readingTime: durationSchema('0s', '5m')
    .describe(
      'An approval counts only this long after the voter was shown the request; 0s switches it off. Default: the setting of the installation, at high risk.',
    )
    .optional()
    .transform(orNull),
  pace: paceSchema.describe('How fast one person may approve, whatever the policies of the requests.').default([]),
  editable: z
    .record(argumentName, editableField)
    .describe('Top-level arguments an approver may change, as properties of an MCP form.')
    .optional()
    .transform(orNull),
  facts: z
    .array(factSchema)
    .max(mostFacts, atMost(mostFacts))
    .describe('The stored values that people see next to the buttons. Default: as the tool says, else chosen by rule.')
    .default([]),
  undo: durationSchema('1s', '5m')
    .describe('A complete approval waits this long, and can be taken back meanwhile.')
    .optional()
    .transform(orNull),
  grant: grantSchema.describe('Approvers may give a standing approval.').optional().transform(orNull),
  chat: chatSchema.describe('Post the request in chat.').optional().transform(orNull),
  notify: notifySchema.describe('How approvers are notified of the request.').optional().transform(orNull),
};

function timeSchema(description: string) {
  return z
    .string({ error: 'Must be a time of day in quotes, such as "22:00".' })
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time of day such as "22:00".')
    .transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)))
    .describe(description);
}
