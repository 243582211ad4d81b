import { parseDocument, type Document } from 'yaml';
import { isRecord } from '#platform/form/schema';
import type { PlacePath } from './schema-choices.ts';

/** Parts of a policy's text in the form view: everything as typed, so that a half-written value is kept. */
export interface PolicyParts {
  policy: string;
  description: string;
  priority: string;
  /** Names with `*`; in the form on one line, with commas. */
  server: string[];
  tool: string[];
  risk: string[];
  when: string;
  /** The one outcome of the policy, or its list of rules in their order. */
  rules: RulePart[];
  /** Are the rules written as a list? */
  isList: boolean;
  /** Names of members shown only in the text. */
  beyond: string[];
}

export interface RulePart {
  /** Place of its outcome: the policy itself, or an entry of its list. */
  path: PlacePath;
  /** The condition of an entry. */
  when: string;
  outcome: Outcome | null;
  reason: string;
  ceiling: string;
  /** Share of allowed calls that someone looks at later. */
  sample: string;
  stages: StagePart[];
  deadline: string;
  onTimeout: string;
  separation: Record<SeparationName, boolean>;
  pace: PacePart | null;
  notify: { channels: string[]; isUrgent: boolean };
  /** Names of members shown only in the text. */
  beyond: string[];
}

export const outcomes = ['require', 'confirm', 'allow', 'deny', 'retire'] as const;
export type Outcome = (typeof outcomes)[number];
export const separationNames = ['agentOwner', 'earlierVoters', 'author', 'editor'] as const;
type SeparationName = (typeof separationNames)[number];

export interface StagePart {
  path: PlacePath;
  name: string;
  complete: string;
  groups: GroupPart[];
  /** One group written straight into the stage. */
  isShort: boolean;
  escalation: EscalationPart | null;
}

export interface GroupPart {
  path: PlacePath;
  name: string;
  approve: string;
  deny: string;
  approvers: SourcePart[];
}

export interface EscalationPart {
  steps: { after: string; mode: 'add' | 'replace'; approvers: SourcePart[]; approve: string }[];
  loops: string;
  /** Outcome after the last step. */
  atEnd: string;
  /** Does a step have a stage of its own? Only the text shows that. */
  hasStage: boolean;
}

interface PacePart {
  approvals: string;
  hasty: string;
  within: string;
}

export const sourceKinds = ['manager', 'group', 'role', 'user', 'owner', 'anyone', 'cel'] as const;
export type SourceKind = (typeof sourceKinds)[number];
export interface SourcePart {
  kind: SourceKind;
  value: string;
}

/** Parts of the text; null if it is not a YAML mapping: then only the text can be corrected. */
export function readPolicyParts(text: string): PolicyParts | null {
  const document: Document = parseDocument(text);
  if (document.errors.length > 0) return null;
  const root: unknown = document.toJS();
  if (!isRecord(root)) return null;
  const match = recordOf(root['match']);
  const isList = root['rules'] !== undefined;
  return {
    policy: textOf(root['policy']),
    description: textOf(root['description']),
    priority: textOf(root['priority']),
    server: listOf(match['server']).map(textOf),
    tool: listOf(match['tool']).map(textOf),
    risk: listOf(match['risk']).map(textOf),
    when: textOf(root['when']),
    rules: isList
      ? listOf(root['rules']).map((entry, at) => readRule(recordOf(entry), ['rules', at], shown.entry))
      : [readRule(root, [], Object.keys(root))],
    isList,
    beyond: [...namesBeyond(root, shown.root), ...namesBeyond(match, shown.match)],
  };
}

/** The decision in a mapping that holds an outcome. */
function readRule(holder: Record<string, unknown>, path: PlacePath, shownOfHolder: string[]): RulePart {
  const outcome = outcomes.find((name) => Object.hasOwn(holder, name)) ?? null;
  const rule = outcome === null ? {} : recordOf(holder[outcome]);
  const separation = recordOf(rule['separation']);
  return {
    path,
    when: path.length === 0 ? '' : textOf(holder['when']),
    outcome,
    reason: textOf(rule['reason']),
    ceiling: textOf(rule['ceiling']),
    sample: textOf(rule['sample']),
    stages: listOf(rule['stages']).map((stage, at) => readStage(recordOf(stage), [...path, 'require', 'stages', at])),
    deadline: textOf(rule['deadline']),
    onTimeout: textOf(rule['onTimeout']),
    separation: Object.fromEntries(
      separationNames.map((name) => [name, separation[name] === true]),
    ) as RulePart['separation'],
    pace: rule['pace'] === undefined ? null : readPace(recordOf(rule['pace'])),
    notify: readNotify(recordOf(rule['notify'])),
    beyond: [...namesBeyond(holder, shownOfHolder), ...namesBeyond(rule, shown.rule)],
  };
}

const shown = {
  root: ['policy', 'description', 'priority', 'match', 'when', 'rules', ...outcomes],
  match: ['server', 'tool', 'risk'],
  entry: ['when', ...outcomes],
  rule: ['reason', 'ceiling', 'sample', 'stages', 'deadline', 'onTimeout', 'separation', 'pace', 'notify'],
};

const namesBeyond = (record: Record<string, unknown>, names: string[]): string[] =>
  Object.keys(record).filter((name) => !names.includes(name));

function readStage(stage: Record<string, unknown>, path: PlacePath): StagePart {
  const isShort = !Array.isArray(stage['groups']);
  const groups = isShort
    ? [readGroup(stage, path)]
    : listOf(stage['groups']).map((group, at) => readGroup(recordOf(group), [...path, 'groups', at]));
  const escalation = stage['escalate'] === undefined ? null : readEscalation(recordOf(stage['escalate']));
  return { path, name: textOf(stage['name']), complete: textOf(stage['complete']), groups, isShort, escalation };
}

const readGroup = (group: Record<string, unknown>, path: PlacePath): GroupPart => ({
  path,
  name: textOf(group['name']),
  approve: textOf(group['approve']),
  deny: textOf(group['deny']),
  approvers: readSources(group['approvers']),
});

function readEscalation(escalate: Record<string, unknown>): EscalationPart {
  const { after } = escalate;
  const steps = Array.isArray(after) ? after.map(recordOf) : [escalate];
  return {
    steps: steps.map((step) => {
      const mode = step['replace'] === undefined ? 'add' : 'replace';
      return {
        after: textOf(step['after']),
        mode,
        approvers: readSources(step[mode]),
        approve: textOf(step['approve']),
      };
    }),
    loops: textOf(escalate['loops']),
    atEnd: textOf(escalate['then']),
    hasStage: steps.some((step) => step['stage'] !== undefined),
  };
}

const readPace = ({ approvals, hasty, within }: Record<string, unknown>): PacePart => ({
  approvals: textOf(approvals),
  hasty: textOf(hasty),
  within: textOf(within),
});

const readNotify = ({ channels, urgent }: Record<string, unknown>): RulePart['notify'] => ({
  channels: listOf(channels).map(textOf),
  isUrgent: urgent === true,
});

const readSources = (value: unknown): SourcePart[] => (value === undefined ? [] : listOf(value).map(readSource));

function readSource(value: unknown): SourcePart {
  if (value === 'anyone') return { kind: 'anyone', value: '' };
  const record = recordOf(value);
  const kind = sourceKinds.find((name) => Object.hasOwn(record, name)) ?? 'user';
  return { kind, value: textOf(record[kind]) };
}

/** Sources in the form of YAML. */
export function writeSources(sources: SourcePart[]): unknown {
  const written = sources.map(({ kind, value }) => (kind === 'anyone' ? kind : { [kind]: fixedValues[kind] ?? value }));
  return written.length === 1 ? written[0] : written;
}

/** Values of sources with only one word. */
export const fixedValues: Partial<Record<SourceKind, string>> = { manager: 'requester', owner: 'server' };

const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : `${value as string}`;
