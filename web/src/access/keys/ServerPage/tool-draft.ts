/** What people choose for a tool: it waits for approvers or for the requester, it runs, or it never runs. */
export const toolRules = ['require', 'requester', 'allow', 'deny'] as const;
export type ToolRule = (typeof toolRules)[number];

interface DraftedTool {
  server: string;
  tool: string;
  policy: string;
  rule: ToolRule;
}

const rules: Record<ToolRule, string> = {
  allow: `# Above medium risk it needs a condition that limits an argument, and an end.
allow: { ceiling: medium }
`,
  requester: `# Asked at their own MCP client, whatever the risk.
confirm: { ceiling: high }
`,
  require: `require:
  stages:
    - name: Approval
      approvers: anyone
`,
  deny: `deny: { reason: An administrator has denied this tool. }
`,
};

/** The document of a policy about this tool alone, which comes before more general ones. */
export const toolDocument = ({ server, tool, policy, rule }: DraftedTool): string => `policy: ${policy}
priority: 100

match:
  server: ${JSON.stringify(server)}
  tool: ${JSON.stringify(tool)}

${rules[rule]}`;
