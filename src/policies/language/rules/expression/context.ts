import type { DirectoryUser } from '../../../document/rules/directory/directory.ts';
import type { Facts } from '../../../document/rules/document/facts.ts';

/** The variables of one request as CEL reads them; made once, used by every expression. */
export interface CelContext {
  variables: Record<string, unknown>;
  /** The number of entries of the longest list or map in it. */
  longest: number;
  /** The number of characters of the longest text in it. */
  longestText: number;
  /** How many people the same expression is evaluated for. */
  users: number;
}

const deepest = 64;

/** Throws RangeError if the arguments are nested deeper than 64. */
export function celContext({ request, tool, requester, agent, environment, now }: Facts): CelContext {
  const read: Read = { longest: requester.groups.length, longestText: request.reason?.length ?? 0 };
  const mapOf = (record: Record<string, unknown>): unknown => celValue(record, deepest, read);
  const { args, annotations, ...rest } = request;
  return {
    variables: {
      request: { ...rest, args: mapOf(args), annotations: mapOf(annotations) },
      tool,
      requester,
      agent,
      environment,
      now: new Date(now),
    },
    ...read,
    users: 1,
  };
}

/** One of several people for whom the same expression is evaluated. */
export function withUser(
  { variables, longest, longestText }: CelContext,
  user: DirectoryUser,
  users: number,
): CelContext {
  const { id, email, name, role, groups } = user;
  const person = { id, email, name, role, groups };
  return { variables: { ...variables, user: person }, longest: Math.max(longest, groups.length), longestText, users };
}

type Read = Pick<CelContext, 'longest' | 'longestText'>;

/** Maps instead of objects: a key called `constructor` is then a key like any other. */
function celValue(value: unknown, depth: number, read: Read): unknown {
  if (typeof value === 'string') read.longestText = Math.max(read.longestText, value.length);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) throw new RangeError(`The arguments are nested deeper than ${deepest}.`);
  if (Array.isArray(value)) {
    read.longest = Math.max(read.longest, value.length);
    return value.map((item: unknown) => celValue(item, depth - 1, read));
  }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  read.longest = Math.max(read.longest, entries.length);
  return new Map(entries.map(([key, item]) => [key, celValue(item, depth - 1, read)]));
}
