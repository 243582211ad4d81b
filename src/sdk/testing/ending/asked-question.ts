import type { OpenElicitation } from '../../client/client.ts';
import type { FormSchema, ResultSchema } from '#platform/form/schema';
import {
  defaultApproverTtl,
  defaultRequesterTtl,
  type Audience,
  type Mode,
} from '#requests/asking/contract/elicitation';
import { idPrefixes, type ElicitationId, type Id, type IdKind } from '#platform/model/id';
import type { ElicitationRequest } from './elicitation-request.ts';

/** A question as the stand-in for a person receives it. */
export interface AskedQuestion {
  id: ElicitationId;
  message: string;
  mode: Mode;
  /** In URL mode what the result must satisfy; undefined if there is none. */
  schema: ResultSchema | undefined;
  url: string | undefined;
  audience: Audience;
  /** The question's `key`, else its number within the call, from '0'. */
  step: string;
  tool: string;
  args: Record<string, unknown>;
  requester: string;
  /** Milliseconds. */
  ttl: number;
}

export function askedQuestion(id: ElicitationId, request: OpenElicitation): AskedQuestion {
  const { message, mode = 'form', url, audience = 'requester', step = '0', tool, requester } = request;
  const ttl = request.ttl ?? (audience === 'approvers' ? defaultApproverTtl : defaultRequesterTtl);
  const schema = request.schema as ResultSchema | undefined; // the asking server linted it
  const whose = { tool: tool.name, args: request.arguments, requester: requester.subject };
  return { id, message, mode, schema, url, audience, step, ...whose, ttl };
}

/** The question as an MCP client would be asked it. */
export function requestOf({ id, message, mode, schema, url }: AskedQuestion): ElicitationRequest {
  if (mode === 'url') return { mode, message, url: url ?? `https://assentry.invalid/e/${id}`, elicitationId: id };
  return { message, requestedSchema: schema as FormSchema };
}

/** Of the shape of Assentry's own ids. */
export function newId<K extends IdKind>(kind: K): Id<K> {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const tail = btoa(String.fromCharCode(...bytes)).replace(/=+$/, '');
  return `${idPrefixes[kind]}_${tail.replaceAll('+', '-').replaceAll('/', '_')}`;
}
