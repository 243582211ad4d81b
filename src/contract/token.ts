import { z } from 'zod';
import { actions, longestTtl, shortestTtl, defaultRequesterTtl } from '../model/elicitation.ts';
import { ElicitationId, FormContent, Moment } from './elicitation.ts';

/** What crosses the wire around elicitation tokens: making one, and what their bearers send. */
export const mintedPurposes = ['page', 'callback'] as const;

export const MintToken = z
  .strictObject({
    session: z.string().min(1).max(256).meta({
      description: "The session of the question, or its requester's subject where there are no sessions.",
    }),
    ttl: z
      .int()
      .min(shortestTtl)
      .max(longestTtl)
      .default(defaultRequesterTtl)
      .meta({ description: 'Milliseconds until it expires.' }),
    purpose: z.enum(mintedPurposes).default('callback'),
    elicitation: ElicitationId.optional().meta({
      description: 'An open question; without it the token speaks for the question that is asked with it.',
    }),
  })
  .meta({ id: 'MintToken' });
export type MintToken = z.input<typeof MintToken>;

export const MintedToken = z
  .object({
    token: z.string(),
    expiresAt: Moment,
    /** Where the requester answers; null for a token of another purpose. */
    pageUrl: z.string().nullable(),
    /** Where an outside service reports; null for a token of another purpose. */
    callbackUrl: z.string().nullable(),
    code: z.string().optional().meta({
      description: 'Opens the page on the requester’s own machine. Show it where the MCP client runs, nowhere else.',
    }),
  })
  .meta({ id: 'MintedToken' });
export type MintedToken = z.infer<typeof MintedToken>;

/** Whoever holds the token. Longer and stranger texts are answered like any other token that is not valid. */
export const TokenParams = z.object({ token: z.string() });

/** The result of URL mode. Always in this envelope, so that no field of a result is taken for its action. */
export const CallbackReport = z
  .strictObject({
    action: z.enum(actions).default('accept'),
    content: FormContent.optional().meta({ description: "Satisfies the question's result schema; with accept only." }),
  })
  .meta({ id: 'CallbackReport' });
export type CallbackReport = z.input<typeof CallbackReport>;

/** What stands for the caller of a callback: its report was taken, now or before. */
export const CallbackTaken = z.object({ action: z.enum(actions) }).meta({ id: 'CallbackTaken' });
export type CallbackTaken = z.infer<typeof CallbackTaken>;

/** The hosted page's form, as browsers send it. Fields of the question are named `field.` and their name. */
export const PageForm = z
  .looseObject({
    action: z.enum(['prove', ...actions]),
    /** Shows that the form comes from its own page. */
    proof: z.string().max(64),
    /** The action digest of what the page showed. */
    digest: z.string().max(64).optional(),
    code: z.string().max(64).optional(),
  })
  .meta({ id: 'PageForm' });
export type PageForm = z.infer<typeof PageForm>;
