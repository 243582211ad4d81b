import { describeRequirement, sayList, sayNeed } from '../terms/describe-requirement.ts';
import type { FreezeWindow, Match, PolicyDocument } from '../terms/policy-document.ts';
import { planStages } from '../terms/stage-plan.ts';

/** What a policy is about and what it requires, or that it is retired, as sentences in plain English. */
export function describePolicy({ match, when, rule }: PolicyDocument): string[] {
  if (rule.outcome === 'retire') return [`It decides nothing any more: ${rule.reason}`];
  const condition = when === null ? '' : `, when ${when.trim()}`;
  const about = `It is about ${describeMatch(match)}${condition}.`;
  if (rule.outcome === 'deny') return [about, `They are denied: ${rule.reason}`];
  const windows = rule.freeze.map(describeWindow);
  if (rule.outcome === 'allow')
    return [about, `They are allowed without asking anybody up to ${rule.ceiling} risk.`, ...windows];
  const { outcome, stages: _stages, separation: _separation, ...terms } = rule;
  // Any id will do for the author: only whether there is one is told.
  const requirement = { ...terms, policy: '', frozen: [], stages: planStages(rule, 'author') };
  return [about, ...describeRequirement(outcome, requirement, null), ...windows];
}

function describeMatch({ server, tool, mode, risk, annotations, audience }: Match): string {
  const marks = Object.entries(annotations).map(([key, value]) => `${key} ${String(value)}`);
  const parts = [
    tool === null ? 'calls of any tool' : `calls of ${sayList(tool, 'or')}`,
    ...(server === null ? [] : [`on ${sayList(server, 'or')}`]),
    ...(mode === null ? [] : [`in ${sayList(mode, 'or')} mode`]),
    ...(risk === null ? [] : [`of ${sayList(risk, 'or')} risk`]),
    ...(marks.length === 0 ? [] : [`with ${sayList(marks, 'and')}`]),
    ...(audience === null ? [] : [`that ask for ${audience === 'approvers' ? 'approvers' : 'the requester'}`]),
  ];
  return parts.join(' ');
}

const describeWindow = ({ name, from, until, approvers }: FreezeWindow): string =>
  `During ${name}, from ${sayInstant(from)} until ${sayInstant(until)}, ${sayNeed(1, approvers)} must approve too.`;

const sayInstant = (at: number): string => new Date(at).toISOString().replace(/\.000Z$/, 'Z');
