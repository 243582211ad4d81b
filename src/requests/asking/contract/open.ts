import { z } from 'zod';
import { faultOfIssuer, faultOfName, faultOfSubject, maxSubjectLength } from '#platform/model/identity';
import { faultOfPath, maxLabelLength, maxPathLength, maxFacts } from '../../facts/contract/facts.ts';
import { maxReachLength, namePattern, nameRule } from '#platform/model/names';
import { actions, audiences, cancelCauses, modes, relayChannels, minTtlMs, maxTtlMs, statuses } from './elicitation.ts';
import { Expects } from '#connect/providers/expects';
import { hasHiddenCharacters } from '#platform/text/hidden-characters';
import { digest, idText } from '#platform/http/contract/problem';

/** The API between an MCP server and Assentry for one request. */
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

/** A name or purpose of one line, which others read where they decide: without characters that they would not see. */
export const visibleLine = (most: number) =>
  storable(most)
    .trim()
    .refine((value) => !hasHiddenCharacters(value), 'Use one line without hidden characters.');

const text = (most: number) => storable(most).min(1);

/** The hints an MCP tool declares about itself; they can raise the risk, but never weaken a policy. */
export const ToolAnnotations = z
  .object({
    title: z.string().max(200),
    readOnlyHint: z.boolean(),
    destructiveHint: z.boolean(),
    idempotentHint: z.boolean(),
    openWorldHint: z.boolean(),
  })
  .partial();
export type ToolAnnotations = z.infer<typeof ToolAnnotations>;

const toolName = z.string().regex(namePattern, nameRule);

export const AskedTool = z.strictObject({
  name: toolName,
  title: z.string().max(200).optional(),
  description: z.string().max(8000).optional(),
  annotations: ToolAnnotations.optional(),
  /** SHA-256 of the canonical input schema, by which a changed tool differs from the approved one. */
  schemaDigest: digest.optional(),
  reaches: text(maxReachLength).optional().meta({
    description:
      'What the server of the tool runs, or where it is, as people read it, without secrets: an approval is for a server that reaches the same.',
  }),
  unaccepted: z.boolean().optional().meta({
    description:
      'True: no one has accepted the definition of the tool, so that its `readOnlyHint` counts only in policies that name the tool.',
  }),
  fits: z.boolean().optional().meta({
    description:
      'True: the arguments are as the definition says, and none could be an option of a program. In policies `tool.fits`.',
  }),
});

export const AskingClient = z.strictObject({ name: text(128), version: z.string().max(64).optional() });

/** Text that a rule of the model finds nothing wrong with. */
export const faultless = (text: z.ZodString, faultOf: (text: string) => string | null) =>
  text.superRefine((value, context) => {
    const message = faultOf(value);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

export const Issuer = faultless(z.string().max(512), faultOfIssuer);
export const Subject = faultless(z.string().min(1).max(maxSubjectLength), faultOfSubject);

const namedRequester = z.strictObject({
  subject: Subject.meta({ description: 'An identifier, not a name: printable ASCII, as OpenID Connect has subjects.' }),
  issuer: Issuer.optional().meta({ description: 'The `iss` of the access token, letter by letter.' }),
  /** True only if the server took the subject from a validated access token. */
  verified: z.boolean().default(false),
  client: AskingClient.optional(),
});

/** A name without an issuer may be no spelling of someone else's. */
const faultlessName = (
  { subject, issuer }: { subject: string; issuer?: string | undefined },
  context: z.RefinementCtx,
) => {
  const message = issuer === undefined ? faultOfName(subject) : null;
  if (message !== null) context.addIssue({ code: 'custom', path: ['subject'], message });
};

export const NamedRequester = namedRequester.superRefine(faultlessName);
export const NamedPrincipal = namedRequester
  .pick({ subject: true, issuer: true, verified: true })
  .superRefine(faultlessName);

export const AccessToken = z
  .string()
  .min(1)
  .max(16_384)
  .meta({
    description:
      "The access token that the requester came with. Where this server's issuer is configured, Assentry verifies the " +
      'requester by it; it is neither stored nor logged.',
  });

const KeyFact = z
  .strictObject({
    label: text(maxLabelLength).meta({ description: 'What people call it, such as Amount. Never text of the agent.' }),
    path: faultless(z.string().max(maxPathLength), faultOfPath).meta({
      description: 'A JSON Pointer into the arguments, such as `/amount`; people see the value that is stored there.',
    }),
  })
  .meta({ id: 'KeyFact' });

const callName = text(256).meta({
  description:
    'Names the invocation among this server’s and requester’s: the same name joins while that call is not settled. ' +
    'Without it, the header Idempotency-Key names the invocation. Without a name, an equal request joins the one that waits for approvers.',
});

/** A hint that is not MCP's would be in no run digest, and seen by no one. */
const AskedHints = z.strictObject(ToolAnnotations.shape);

/** People would read a step that is named twice as two payments. */
const isEachOnce = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;

export const OpenElicitation = z
  .strictObject({
    tool: AskedTool.extend({ annotations: AskedHints.optional() }),
    arguments: z.record(z.string(), z.unknown()),
    message: text(4000),
    mode: z.enum(modes).default('form'),
    schema: z.unknown().optional().meta({
      description: "The MCP form schema; in mode 'url' the schema of the result, which may also have lists of texts.",
    }),
    url: z.string().max(2048).optional().meta({
      description: "Where to go, for mode 'url'; without it, the requester goes to a page of Assentry's own.",
    }),
    expects: Expects.optional().meta({
      description:
        "For mode 'url', without `url` and `schema`: what the requester does at a provider of the settings. Assentry sends them there, and itself finds out whether they did.",
    }),
    elicitationId: z.string().max(4096).optional().meta({
      description:
        "For mode 'url': a token that was made before by the same server and session, to bind to this request.",
    }),
    completedBy: z.literal('requester').optional().meta({
      description:
        "For mode 'url': an accept is taken only if it names the requester, with subject and issuer, as who completed it, and the requester has proven on the connect page to be there.",
    }),
    state: z.boolean().optional().meta({
      description:
        "For mode 'url': the connect page adds a `state` to the address, unless it has one or this is false. A signed address needs this to be said.",
    }),
    facts: z.array(KeyFact).max(maxFacts).optional().meta({
      description: 'What people see next to the buttons; without it, a rule chooses from the arguments.',
    }),
    reason: text(4000).optional().meta({ description: "The agent's own words; shown as unverified." }),
    audience: z.enum(audiences).optional(),
    requester: NamedRequester,
    accessToken: AccessToken.optional(),
    session: text(256).optional(),
    call: callName.optional(),
    once: z.boolean().optional().meta({
      description:
        'True: once a call of this name has run, the name opens nothing more (`already-executed`). Give the `call`, or the header Idempotency-Key.',
    }),
    toolCall: ToolCallId.optional().meta({
      description: 'Asks only as part of this tool call; `already-closed` if its name belongs to another call now.',
    }),
    step: text(64).default('0'),
    attempt: text(64)
      .optional()
      .meta({ description: 'The attempt that holds the execution releases it by asking again.' }),
    ttl: z.int().min(minTtlMs).max(maxTtlMs).optional().meta({ description: 'Milliseconds until it expires.' }),
    takesEdits: z.boolean().default(false).meta({
      description: 'Approvers may edit the arguments if the policy lets them: the caller runs with the approved ones.',
    }),
    after: z.array(ElicitationId).min(1).max(8).refine(isEachOnce, 'Name each step once.').optional().meta({
      description:
        'Payments and signatures of this call that their providers have confirmed: people see them as facts of Assentry, and the decision is bound to them.',
    }),
    notBefore: Moment.optional().meta({
      description: 'The earliest start of the approved call, if the policy permits one.',
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
    /** The outcome as MCP clients understand it; null while open. */
    action: z.enum(actions).nullable(),
    content: FormContent.optional(),
    cause: z.enum(cancelCauses).nullable(),
    /** The decider's note to the agent. */
    comment: z.string().nullable(),
    policy: z
      .object({ name: z.string(), sentence: z.string() })
      .optional()
      .meta({ description: 'The policy that decides, as name@version, and its requirement in a sentence.' }),
    openedAt: Moment,
    deadlineAt: Moment,
    closedAt: Moment.nullable(),
    revision: z.int(),
    digest: z.string(),
    run: z.string().optional().meta({
      description:
        'The run digest of what is asked for, with the arguments that are approved: what a claim must bring.',
    }),
    arguments: z.record(z.string(), z.unknown()).optional().meta({
      description:
        'If people edited the request: the approved arguments, which must be used instead of the original ones.',
    }),
    inquiry: z
      .object({ id: z.string(), by: z.string(), message: z.string(), schema: z.unknown() })
      .optional()
      .meta({ description: 'A question from an approver, by name, to the requester; send the reply to /information.' }),
    statusUrl: z.string(),
    /** In URL mode while open: where to send the requester, which is always a page of Assentry. */
    url: z.string().optional(),
  })
  .meta({ id: 'ElicitationState' });
export type ElicitationState = z.infer<typeof ElicitationState>;

export const OpenedElicitation = ElicitationState.extend({
  /** True if an earlier, equal request was found. */
  joined: z.boolean(),
  isElsewhere: z.boolean().optional().meta({
    description:
      'True if the joined request has another outside `url`, which stays: the call made a new one when it ran again.',
  }),
  code: z.string().optional().meta({
    description:
      'Opens our hosted page on the requester’s own machine. Show it where the MCP client runs, nowhere else. Another one if it was tried five times.',
  }),
}).meta({ id: 'OpenedElicitation' });
export type OpenedElicitation = z.infer<typeof OpenedElicitation>;

export const RelayChannel = z.enum(relayChannels).default('relayed').meta({
  description: '`told`: passed on by the agent, if the client cannot ask its person. The log distinguishes the two.',
});

/** The requester's own answer, passed on by the server that asked. It never counts as an approver's vote. */
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

/** Whether the caller still waits. A lost caller may come back and find its answer. */
export const CallerPresence = z.strictObject({ state: z.enum(['waiting', 'gone']) }).meta({ id: 'CallerPresence' });
export type CallerPresence = z.infer<typeof CallerPresence>;

/** One run of the tool's code. The caller chooses the name, and repeats it to retry a lost claim. */
const attempt = text(64);

export const ClaimToolCall = z
  .strictObject({
    attempt,
    run: digest.meta({
      description:
        'The run digest of what is about to run, with the arguments the tool is about to get; `digest-mismatch` if ' +
        'people approved anything else.',
    }),
    leaseMs: z
      .int()
      .min(1)
      .optional()
      .meta({
        description:
          'Milliseconds after which the claim of another attempt counts as dead: `outcome-unknown`, and the call is ' +
          'settled. One hour by default; nothing is ever released twice.',
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

/** Nothing ran: the execution can be claimed again, by any attempt but this one. */
export const ReleaseToolCall = z.strictObject({ attempt }).meta({ id: 'ReleaseToolCall' });
export type ReleaseToolCall = z.infer<typeof ReleaseToolCall>;

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
