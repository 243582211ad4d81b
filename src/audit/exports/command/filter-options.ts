import { Option, type Command } from 'commander';
import type { OperatorFilter } from '#server/operator';
import { statuses, type Status } from '#requests/asking/contract/elicitation';
import { isId, type ElicitationId } from '#platform/model/id';
import { assertOption } from '#cli/output/output';

export interface FilterOptions {
  from?: string;
  to?: string;
  person?: string;
  request?: string;
  server?: string;
  tool?: string;
  policy?: string;
  outcome?: Status;
  digest?: string;
}

/** Adds the options that say which entries of the log. */
export const addFilterOptions = (command: Command): Command =>
  command
    .option('--from <time>', 'from this time, such as 2026-07-01 or 2026-07-01T12:00:00Z; without a zone it is UTC')
    .option('--to <time>', 'until before this time')
    .option('--person <email>', 'what this person did')
    .option('--request <id>', 'about this request')
    .option('--server <name>', 'about requests of this server')
    .option('--tool <name>', 'about requests for this tool; calls that passed unasked have no request')
    .option('--policy <name>', 'about requests under this policy')
    .addOption(new Option('--outcome <outcome>', 'about requests that ended like this').choices(statuses))
    .option('--digest <digest>', 'about the request that ever had this digest');

/** The filter that these options name; INVALID_INPUT names the wrong one. */
export function readFilter({ from, to, request, digest, ...names }: FilterOptions): OperatorFilter {
  const isRequest = request === undefined || isId('elicitation', request);
  assertOption('--request', isRequest, 'Give the id of a request; it begins with eli_.');
  assertOption('--digest', digest === undefined || /^[0-9a-f]{64}$/.test(digest), 'Give 64 digits from 0 to f.');
  const [begin, end] = [readTime('--from', from), readTime('--to', to)];
  const isPeriod = begin === undefined || end === undefined || begin < end;
  assertOption('--to', isPeriod, 'Give an end that is after the beginning.');
  return {
    ...names,
    from: begin,
    to: end,
    request: request as ElicitationId | undefined,
    digest,
  };
}

const timePattern = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

function readTime(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const hasZone = !text.includes('T') || /(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const isDay = new Date(Date.parse(text.slice(0, 10)) || 0).toISOString().startsWith(text.slice(0, 10));
  const time = isDay && timePattern.test(text) ? Date.parse(hasZone ? text : `${text}Z`) : Number.NaN;
  assertOption(option, !Number.isNaN(time), 'Give a time such as 2026-07-01 or 2026-07-01T12:00:00Z.');
  return time;
}
