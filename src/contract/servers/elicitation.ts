import { z } from 'zod';
import { faultOfIssuer, faultOfSubject, longestSubject } from '../../model/identity.ts';
import { namePattern, nameRule } from '../../model/names.ts';
import {
  actions,
  audiences,
  cancelCauses,
  modes,
  relayChannels,
  shortestTtl,
  longestTtl,
  statuses,
} from '../../model/elicitation.ts';
import { digest, idText } from '../http/formats.ts';

/** What crosses the wire between an MCP server and Assentry about one question. */
export const ElicitationId = idText('elicitation').meta({ id: 'ElicitationId' });
export const ToolCallId = idText('toolCall').meta({ id: 'ToolCallId' });
/** Milliseconds since 1970, UTC. */
export const Moment = z.int().min(0).meta({ id: 'Moment', description: 'Milliseconds since 1970-01-01T00:00:00Z.' });

/** PostgreSQL's texts cannot hold U+0000, and no one can read it. */
export const storable = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => !value.includes('\0'), 'Leave out the character U+0000.');

const text = (most: number) => storable(most).min(1);

/** The hints an MCP tool declares about itself; they raise the risk shown, never lower a policy. */
export const ToolAnnotations = z
  .object({
    title: z.string().max(200),
    readOnlyHint: z.boolean(),
    destructiveHint: z.boolean(),
    idempotentHint: z.boolean(),
    openWorldHint: z.boolean(),
  })
  .partial();

const toolName = z.string().regex(namePattern, nameRule);

export const AskedTool = z.strictObject({
  name: toolName,
  title: z.string().max(200).optional(),
  description: z.string().max(8000).optional(),
  annotations: ToolAnnotations.optional(),
  /** SHA-256 of the canonical input schema, so that a changed tool is told from the approved one. */
  schemaDigest: digest.optional(),
});

export const AskingClient = z.strictObject({ name: text(128), version: z.string().max(64).optional() });

/** Text that a rule of the model finds nothing wrong with. */
export const faultless = (text: z.ZodString, faultOf: (text: string) => string | null) =>
  text.superRefine((value, context) => {
    const message = faultOf(value);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

export const Issuer = faultless(z.string().max(512), faultOfIssuer);
export const Subject = faultless(z.string().min(1).max(longestSubject), faultOfSubject);

export const NamedRequester = z.strictObject({
  subject: Subject.meta({ description: 'An identifier, not a name: printable ASCII, as OpenID Connect has subjects.' }),
  issuer: Issuer.optional().meta({ description: 'The `iss` of the access token, letter by letter.' }),
  /** True only if the server took the subject from a validated access token. */
  verified: z.boolean().default(false),
  client: AskingClient.optional(),
});

const callName = text(256).meta({
  description:
    'Names the invocation among this server’s and requester’s, as the header Idempotency-Key does: the same name joins ' +
    'while that call is not settled. Without one, what asks the same joins what still waits for approvers.',
});

export const OpenElicitation = z
  .strictObject({
    tool: AskedTool,
    arguments: z.record(z.string(), z.unknown()),
    message: text(4000),
    mode: z.enum(modes).default('form'),
    schema: z.unknown().optional().meta({
      description: "The MCP form schema; in mode 'url' what the result must satisfy, which may be lists of texts, too.",
    }),
    url: z.string().max(2048).optional().meta({
      description: "Where to go, for mode 'url'; without it, the requester goes to a page of Assentry's own.",
    }),
    elicitationId: z.string().max(4096).optional().meta({
      description:
        "For mode 'url': a token made before, to speak for this question. Made by the same server and session.",
    }),
    reason: text(4000).optional().meta({ description: "The agent's own words; shown as unverified." }),
    audience: z.enum(audiences).optional(),
    requester: NamedRequester,
    session: text(256).optional(),
    call: callName.optional(),
    toolCall: ToolCallId.optional().meta({
      description:
        'Asks only as part of this tool call; `already-closed` where that is not the one of this name any more.',
    }),
    step: text(64).default('0'),
    attempt: text(64)
      .optional()
      .meta({ description: 'The attempt that holds the execution gives it back by asking on.' }),
    ttl: z.int().min(shortestTtl).max(longestTtl).optional().meta({ description: 'Milliseconds until it expires.' }),
    takesEdits: z.boolean().default(false).meta({
      description:
        'Approvers may edit the arguments, where the policy lets them: the caller runs with those that were approved.',
    }),
    notBefore: Moment.optional().meta({
      description: 'What is approved starts no earlier, where the policy permits it.',
    }),
    supersede: z.enum(['session', 'call', 'none']).optional(),
  })
  .meta({ id: 'OpenElicitation' });
export type OpenElicitation = z.input<typeof OpenElicitation>;

export const FormContent = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
  .meta({ id: 'FormContent' });

export const ElicitationState = z
  .object({
    id: ElicitationId,
    toolCall: ToolCallId,
    step: z.string(),
    status: z.enum(statuses),
    audience: z.enum(audiences),
    mode: z.enum(modes),
    /** What MCP clients understand; null while open. */
    action: z.enum(actions).nullable(),
    content: FormContent.optional(),
    cause: z.enum(cancelCauses).nullable(),
    /** What the deciding person wrote for the agent to read. */
    comment: z.string().nullable(),
    policy: z
      .object({ name: z.string(), sentence: z.string() })
      .optional()
      .meta({ description: 'The policy that decides, as name@version, and what it asks in a sentence.' }),
    openedAt: Moment,
    deadlineAt: Moment,
    closedAt: Moment.nullable(),
    revision: z.int(),
    digest: z.string(),
    arguments: z.record(z.string(), z.unknown()).optional().meta({
      description:
        'Where people edited the request: the arguments that were approved, to be run instead of those asked.',
    }),
    inquiry: z
      .object({ id: z.string(), by: z.string(), message: z.string(), schema: z.unknown() })
      .optional()
      .meta({ description: 'What an approver, by name, asks the requester; the reply goes to /information.' }),
    statusUrl: z.string(),
    /** In URL mode while open: where to send the requester. */
    url: z.string().optional(),
  })
  .meta({ id: 'ElicitationState' });
export type ElicitationState = z.infer<typeof ElicitationState>;

export const OpenedElicitation = ElicitationState.extend({
  /** True where an earlier, equal request was found instead of a new one made. */
  joined: z.boolean(),
  code: z.string().optional().meta({
    description:
      'Opens our hosted page on the requester’s own machine. Show it where the MCP client runs, nowhere else.',
  }),
}).meta({ id: 'OpenedElicitation' });
export type OpenedElicitation = z.infer<typeof OpenedElicitation>;

export const RelayChannel = z.enum(relayChannels).default('relayed').meta({
  description: '`told`: by the agent, where the client cannot ask its person. The log keeps the two apart.',
});

/** The requester's own answer, carried by the server that asked. It never counts as an approver's vote. */
export const RelayedAnswer = z
  .strictObject({
    action: z.enum(actions),
    content: FormContent.optional(),
    channel: RelayChannel,
  })
  .meta({ id: 'RelayedAnswer' });
export type RelayedAnswer = z.input<typeof RelayedAnswer>;

export const CancelElicitation = z
  .strictObject({ cause: z.enum(['user', 'superseded', 'caller_gone']).default('user') })
  .meta({ id: 'CancelElicitation' });
export type CancelElicitation = z.input<typeof CancelElicitation>;

/** Whether the blocked call is still there. A lost caller may come back and finds its answer. */
export const CallerPresence = z.strictObject({ state: z.enum(['waiting', 'gone']) }).meta({ id: 'CallerPresence' });
export type CallerPresence = z.infer<typeof CallerPresence>;

/** One run of the tool's code: the caller makes the name up, and says it again to repeat a lost claim. */
const attempt = text(64);

export const ClaimToolCall = z
  .strictObject({
    attempt,
    run: digest.meta({
      description:
        'The run digest of what is about to run, with the arguments the tool is about to get; `digest-mismatch` where ' +
        'people approved anything else.',
    }),
    deadAfter: z
      .int()
      .min(1)
      .optional()
      .meta({
        description:
          'Milliseconds after which the claim of an attempt that said nothing more is dead: `outcome-unknown`, and the ' +
          'call is settled.',
      }),
  })
  .meta({ id: 'ClaimToolCall' });
export type ClaimToolCall = z.infer<typeof ClaimToolCall>;

export const ToolCallClaim = z
  .discriminatedUnion('state', [
    z.object({ state: z.literal('claimed') }),
    z.object({ state: z.literal('running'), since: Moment }),
    z.object({ state: z.literal('completed'), result: z.unknown() }),
  ])
  .meta({ id: 'ToolCallClaim' });
export type ToolCallClaim = z.infer<typeof ToolCallClaim>;

export const CompleteToolCall = z
  .strictObject({
    attempt,
    /** True once the result went to a caller that was there: the call is settled, and the next equal one asks again. */
    delivered: z.boolean(),
    /** Kept, sealed, for the retry of a caller that was not there, or to be read again. */
    result: z.unknown().optional(),
  })
  .meta({ id: 'CompleteToolCall' });
export type CompleteToolCall = z.infer<typeof CompleteToolCall>;
