import path from 'node:path';
import type { HarnessAdapter } from './adapter.ts';
import { hookEvents } from './harness.ts';
import { answerInSpecifics, matchedHooks } from './matched-hooks.ts';

const isRaced = true;

export const claudeCode: HarnessAdapter = {
  title: 'Claude Code',
  events: hookEvents,
  placeOf: ({ home }) => ({
    folder: path.join(home, '.claude'),
    file: path.join(home, '.claude', 'settings.json'),
  }),
  hookFile: matchedHooks('claude-code', { isRaced }),
  isRaced,
  tools: {
    readers: {
      Read: ['file_path'],
      NotebookRead: ['notebook_path'],
      LS: ['path'],
      Glob: ['path', 'pattern'],
      Grep: ['path', 'glob'],
    },
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
    ],
    shells: ['Bash', 'PowerShell'],
    skill: 'Skill',
    agents: { tools: ['Agent', 'Task'], usual: ['general-purpose', 'Explore', 'Plan', 'statusline-setup'] },
  },
  answerOf: answerInSpecifics,
  takesInput: () => true,
  limits: [],
};
