import path from 'node:path';
import type { HarnessAdapter } from './adapter.ts';
import { hookEvents, skillEvent } from './harness.ts';
import { answerInSpecifics, matchedHooks, shells } from './hooks.ts';

const isRaced = true;
/** Makes the agent block a call whose hook is late, cannot be started or fails; earlier versions ignore the member. */
export const failing = { onFailure: 'block' };

const readers = {
  Read: { paths: ['file_path'], others: ['offset', 'limit', 'pages'] },
  NotebookRead: { paths: ['notebook_path'], others: ['cell_id'] },
  LS: { paths: ['path'], others: ['ignore'] },
  Glob: { paths: ['path', 'pattern'], others: [] },
  Grep: {
    paths: ['path', 'glob'],
    others: 'pattern output_mode type head_limit offset multiline context -A -B -C -i -n -o'.split(' '),
  },
};
const writers = {
  Edit: { paths: ['file_path'], others: ['old_string', 'new_string', 'replace_all'] },
  MultiEdit: { paths: ['file_path'], others: ['edits'] },
  Write: { paths: ['file_path'], others: ['content'] },
  NotebookEdit: { paths: ['notebook_path'], others: ['cell_id', 'new_source', 'cell_type', 'edit_mode'] },
};
/**
 * Only these tools: a yes with an input also answers for the agent's own person, if a tool such as `ExitPlanMode` waits for
 * one.
 */
const givenBack = [...shells, ...Object.keys(readers), ...Object.keys(writers), 'WebFetch', 'WebSearch'];

export const claudeCode: HarnessAdapter = {
  title: 'Claude Code',
  events: hookEvents,
  placeOf({ home, variables }) {
    const folder = variables['CLAUDE_CONFIG_DIR'] ?? path.join(home, '.claude');
    return { folder, file: path.join(folder, 'settings.json') };
  },
  hookFile: matchedHooks('claude-code', { isRaced, hasSkillEvent: true, failing }),
  isRaced,
  tools: {
    readers,
    writers,
    plans: [
      'TodoRead',
      'TodoWrite',
      'TaskCreate',
      'TaskGet',
      'TaskList',
      'TaskUpdate',
      'TaskOutput',
      'TaskStop',
      'BashOutput',
      'KillShell',
      'ToolSearch',
      'AskUserQuestion',
      'EnterPlanMode',
      'ExitPlanMode',
      'CronList',
      'ReportFindings',
    ],
    shells,
    skill: 'Skill',
    agents: {
      tools: ['Agent', 'Task'],
      usual: ['general-purpose', 'Explore', 'Plan', 'statusline-setup'],
      members: [
        'description',
        'prompt',
        'subagent_type',
        'model',
        'effort',
        'max_turns',
        'run_in_background',
        'name',
        'team_name',
      ],
    },
  },
  instructions: ['CLAUDE.md', 'CLAUDE.local.md', '.claude/CLAUDE.md', 'AGENTS.md'],
  answerOf: answerInSpecifics,
  takesInput: ({ hook_event_name: event }) => event !== skillEvent,
  givesBack: ({ hook_event_name: event, tool_name: tool }) =>
    event === 'PreToolUse' && (givenBack.includes(tool) || tool.startsWith('mcp__')),
  limits: [],
};
