import { Environment } from '@marcbachmann/cel-js';
import { RE2JS } from 're2js';
import { matchesGlob } from '../../../document/rules/directory/glob.ts';
import { inFolder, onSite } from './places.ts';
import { runsOnly } from './runs-only.ts';
import { localTime } from '../../../document/rules/verdict/local-time.ts';

/** What an expression may be: parsing stops at these. */
const limits = { maxAstNodes: 500, maxDepth: 40, maxListElements: 200, maxMapEntries: 50, maxCallArguments: 4 };

/** Longer texts are not searched: the evaluation fails. */
const maxLikeLength = 100_000;
export const maxRe2Length = 10_000;

const timestamp = 'google.protobuf.Timestamp';

/** The accessors of the standard that read a clock in a time zone, and what is called for each of them instead. */
export const zonedAccessors: Record<string, string> = {
  getFullYear: 'yearIn',
  getMonth: 'monthIn',
  getDate: 'dateIn',
  getDayOfMonth: 'dayOfMonthIn',
  getDayOfWeek: 'dayOfWeekIn',
  getHours: 'hoursIn',
  getMinutes: 'minutesIn',
};

const requestSchema = {
  server: 'string',
  tool: 'string',
  args: 'map<string, dyn>',
  risk: 'string',
  mode: 'string',
  annotations: 'map<string, dyn>',
  audience: 'dyn',
  reason: 'dyn',
};
const toolSchema = { definition: 'dyn' };
const requesterSchema = {
  subject: 'string',
  issuer: 'dyn',
  verified: 'bool',
  verifiedBy: 'dyn',
  email: 'dyn',
  groups: 'list<string>',
  role: 'dyn',
};
const agentSchema = { name: 'dyn', version: 'dyn' };
const environmentSchema = { name: 'string' };
const userSchema = { id: 'string', email: 'string', name: 'string', role: 'string', groups: 'list<string>' };

const requestVariables = {
  request: Object.keys(requestSchema),
  tool: Object.keys(toolSchema),
  requester: Object.keys(requesterSchema),
  agent: Object.keys(agentSchema),
  environment: Object.keys(environmentSchema),
  now: [],
};

/** The names an expression may use, and the keys of each. */
export const variables = {
  request: requestVariables,
  user: { ...requestVariables, user: Object.keys(userSchema) },
} satisfies Record<string, Record<string, string[]>>;

/** What `when` can see. */
export const requestEnvironment = new Environment({ limits })
  .registerVariable('request', { schema: requestSchema })
  .registerVariable('tool', { schema: toolSchema })
  .registerVariable('requester', { schema: requesterSchema })
  .registerVariable('agent', { schema: agentSchema })
  .registerVariable('environment', { schema: environmentSchema })
  .registerVariable('now', timestamp)
  .registerFunction('like(string, string): bool', like, { async: false })
  .registerFunction('re2(string, string): bool', re2, { async: false })
  .registerFunction('inFolder(string, string): bool', inFolder, { async: false })
  .registerFunction('onSite(string, string): bool', onSite, { async: false })
  .registerFunction('runsOnly(string, list<string>): bool', runsOnly, { async: false });

for (const [name, read] of Object.entries<(at: Date, timeZone: string) => number>({
  yearIn: (at, zone) => localTime(at.getTime(), zone).year,
  monthIn: (at, zone) => localTime(at.getTime(), zone).month - 1,
  dateIn: (at, zone) => localTime(at.getTime(), zone).day,
  dayOfMonthIn: (at, zone) => localTime(at.getTime(), zone).day - 1,
  dayOfWeekIn: dayOfWeek,
  hoursIn: (at, zone) => localTime(at.getTime(), zone).hour,
  minutesIn: (at, zone) => localTime(at.getTime(), zone).minute,
})) {
  const handler = (at: Date, zone: string): bigint => BigInt(read(at, zone));
  requestEnvironment.registerFunction(`${timestamp}.${name}(string): int`, handler, { async: false });
}

/** What `cel` as a source of approvers can see: the request, and the person in question. */
export const userEnvironment = requestEnvironment.clone().registerVariable('user', { schema: userSchema });

function like(text: string, pattern: string): boolean {
  if (text.length > maxLikeLength) throw new RangeError(`like() takes at most ${maxLikeLength} characters`);
  return matchesGlob(text, pattern);
}

const patterns = new Map<string, RE2JS>();

function re2(text: string, pattern: string): boolean {
  if (text.length > maxRe2Length) throw new RangeError(`re2() takes at most ${maxRe2Length} characters`);
  return compilePattern(pattern).matcher(text).find();
}

/** A pattern that takes time linear in the text. Throws RE2JSSyntaxException if it is invalid. */
export function compilePattern(pattern: string): RE2JS {
  const cachedPattern = patterns.get(pattern);
  if (cachedPattern) return cachedPattern;
  const compiled = RE2JS.compile(pattern);
  if (patterns.size >= 1_000) patterns.clear();
  patterns.set(pattern, compiled);
  return compiled;
}

function dayOfWeek(at: Date, zone: string): number {
  const { year, month, day } = localTime(at.getTime(), zone);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}
