import { formatsIn } from '#platform/text/formats';
import type { AlwaysChoices } from '#policies/contract/documents';

type Choice = Pick<AlwaysChoices['choices'][number], 'kind' | 'value'>;

const { all } = formatsIn('en');

const limits: Record<Choice['kind'], (value: string) => string> = {
  folder: (value) => `In the folder ${value}`,
  site: (value) => `On the site ${value}`,
  repository: (value) => `In the repository ${value}`,
  account: (value) => `For ${value}`,
  command: (value) => `Exactly the command ${value}`,
  amount: (value) => `Up to ${value}`,
  same: () => 'Exactly this call',
};

export const always = {
  title: 'Always for calls like this',
  lead: 'Write a rule, so that the next calls like this one run without asking. It is limited to what you choose here, and it ends.',
  open: 'Always for …',
  limit: 'Limited to',
  /** `tools` are others than the one that was asked about. */
  limits: ({ kind, value }: Choice, tools: string[]): string =>
    tools.length === 0 ? limits[kind](value) : `${limits[kind](value)}, also by ${all(tools)}`,
  days: 'For',
  daysOf: (days: number): string => `${days} days`,
  none: 'No rule can be written from this call. It removes something, starts what takes more commands, or nothing in it can limit the rule.',
  freed: (freed: number, of: number): string =>
    of === 0
      ? 'There are no earlier calls of this tool to compare it with.'
      : `It would have let ${freed} of the last ${of} calls of this tool run without asking:`,
  more: (count: number): string => `and ${count} more`,
  document: 'The policy',
  commandRuns:
    'The command stays the same; what it runs may change, such as a script or a package.json that the agent can edit.',
  publish: 'Allow these calls',
  consequence: 'In a trial it holds at once. In production a second administrator reviews it first.',
  holds: 'It holds from now on.',
  waits: 'It waits for a second administrator to review it.',
  show: (policy: string): string => `Open ${policy}`,
  close: 'Close',
  ask: 'An administrator can write a rule for calls like this one. Send them this link:',
};
