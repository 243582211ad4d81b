import { textOf } from './always.ts';
import type { LookAnswer } from '../../contract/look.ts';

/** A tool that people looked at, in exactly this definition. */
export interface SeenTool {
  name: string;
  digest: string;
}

interface Look extends LookAnswer {
  server: string;
  /** What the server runs or where it is. */
  reaches: string;
  tools: SeenTool[];
}

/** Digests that fit into one expression. */
const maxNamed = 24;

/**
 * What people said of these tools, as a policy: for exactly these definitions, while the server reaches the same. A call that
 * does not fit its definition is not believed. It comes before more general policies, and after those that deny.
 */
export function lookDocument(policy: string, { server, reaches, tools, believe, block }: Look): string {
  const blocked = tools.filter(({ name }) => block.includes(name));
  const believed = tools.filter(({ name }) => believe.includes(name) && !block.includes(name));
  const others = tools.filter((tool) => !blocked.includes(tool) && !believed.includes(tool));
  const rules = [
    ...rulesFor(blocked, '', 'deny: { reason: People blocked this tool when they looked at its server. }'),
    ...rulesFor(believed, 'tool.fits && ', 'allow: { ceiling: medium }'),
    ...rulesFor(others, '', 'require: { stages: [{ name: Approval, approvers: anyone }] }'),
  ];
  return `policy: ${policy}
description: What people said of tools that they saw for the first time. It holds for exactly these definitions, while the server reaches the same.
priority: 10

match:
  server: ${JSON.stringify(server)}
  tool: ${JSON.stringify(tools.map(({ name }) => name))}

when: |-
  tool.reaches == ${textOf(reaches)}

rules:
${rules.join('\n')}
`;
}

function rulesFor(tools: SeenTool[], also: string, outcome: string): string[] {
  if (tools.length === 0) return [];
  const [now, later] = [tools.slice(0, maxNamed), tools.slice(maxNamed)];
  const digests = now.map(({ name, digest }) => `      "${digest}"${now.at(-1)?.name === name ? '' : ','}`);
  const rule = `  # ${now.map(({ name }) => name).join(', ')}
  - when: |-
      ${also}tool.definition in [
${digests.join('\n')}
      ]
    ${outcome}`;
  return [rule, ...rulesFor(later, also, outcome)];
}
