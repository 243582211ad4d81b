import { z } from 'zod';
import { digest } from '#platform/http/contract/problem';
import { AskedTool, NamedPrincipal, ToolCallId } from '../open.ts';

/** The request a state belongs to. With any other request it is invalid. */
export const StateBinding = z
  .strictObject({
    principal: NamedPrincipal,
    method: z.string().min(1).max(64),
    tool: AskedTool.shape.name,
    argumentsDigest: digest.meta({ description: 'SHA-256 of the canonical arguments, in hex.' }),
  })
  .meta({ id: 'StateBinding' });
export type StateBinding = z.input<typeof StateBinding>;

export const SealState = z.strictObject({ toolCall: ToolCallId, binding: StateBinding }).meta({ id: 'SealState' });
export type SealState = z.input<typeof SealState>;

export const SealedState = z
  .object({ state: z.string().meta({ description: 'Opaque. Valid once, while one of its questions is open.' }) })
  .meta({ id: 'SealedState' });
export type SealedState = z.infer<typeof SealedState>;

/** A client may send back anything. */
export const RedeemState = z.strictObject({ state: z.string(), binding: StateBinding }).meta({ id: 'RedeemState' });
export type RedeemState = z.input<typeof RedeemState>;

export const RedeemedState = z
  .object({
    toolCall: ToolCallId,
    session: z.string().meta({ description: 'The session the call was made in, or its principal without one.' }),
  })
  .meta({ id: 'RedeemedState' });
export type RedeemedState = z.infer<typeof RedeemedState>;

export const SealRound = z
  .strictObject({
    binding: StateBinding,
    content: z
      .string()
      .max(500_000)
      .meta({ description: 'What the server needs to go on. It is given back as it is.' }),
  })
  .meta({ id: 'SealRound' });
export type SealRound = z.input<typeof SealRound>;

export const SealedRound = z
  .object({ state: z.string().meta({ description: 'Opaque. Valid once, for a day.' }) })
  .meta({ id: 'SealedRound' });
export type SealedRound = z.infer<typeof SealedRound>;

export const RedeemedRound = z.object({ content: z.string() }).meta({ id: 'RedeemedRound' });
export type RedeemedRound = z.infer<typeof RedeemedRound>;
