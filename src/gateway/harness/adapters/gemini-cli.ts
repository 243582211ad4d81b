import path from 'node:path';
import type { HarnessAdapter } from './adapter.ts';
import { everyTool, shellCommand, jsonHooks } from './hooks.ts';

export const geminiCli: HarnessAdapter = {
  title: 'Gemini CLI',
  events: ['PreToolUse'],
  placeOf({ home, variables }) {
    const folder = path.join(variables['GEMINI_CLI_HOME'] ?? home, '.gemini');
    return { folder, file: path.join(folder, 'settings.json') };
  },
  hookFile: jsonHooks({
    events: ['BeforeTool'],
    groupsOf: (words) => ({
      BeforeTool: {
        matcher: everyTool,
        hooks: [
          {
            name: 'assentry',
            type: 'command',
            command: shellCommand('gemini-cli', words),
            timeout: words.timeout * 1000,
          },
        ],
      },
    }),
    fixed: ['matcher'],
  }),
  tools: {
    readers: {
      read_file: { paths: ['file_path'], others: ['offset', 'limit', 'start_line', 'end_line'] },
      list_directory: { paths: ['dir_path'], others: ['ignore', 'file_filtering_options'] },
      glob: {
        paths: ['dir_path', 'pattern'],
        others: ['case_sensitive', 'respect_git_ignore', 'respect_gemini_ignore'],
      },
      grep_search: {
        paths: ['dir_path', 'include_pattern'],
        others:
          'pattern exclude_pattern names_only max_matches_per_file total_max_matches case_sensitive fixed_strings context after before'.split(
            ' ',
          ),
      },
    },
    writers: {
      write_file: { paths: ['file_path'], others: ['content'] },
      replace: {
        paths: ['file_path'],
        others: ['instruction', 'old_string', 'new_string', 'expected_replacements', 'allow_multiple'],
      },
    },
    plans: [
      'write_todos',
      'update_topic',
      'enter_plan_mode',
      'exit_plan_mode',
      'ask_user',
      'list_background_processes',
    ],
    shells: ['run_shell_command'],
  },
  eventOf: (members) => ({ ...members, hook_event_name: 'PreToolUse' }),
  instructions: ['GEMINI.md'],
  answerOf(_event, verdict) {
    if (verdict.isAllowed === null) return {};
    if (!verdict.isAllowed) return { decision: 'deny', reason: verdict.reason };
    const output = { hookEventName: 'BeforeTool', tool_input: verdict.input };
    return { decision: 'allow', ...(verdict.input && { hookSpecificOutput: output }) };
  },
  /** Gemini CLI merges the new input into its own, so a member that people removed would come back. */
  takesInput: ({ tool_input: own }, input) => Object.keys(own).every((name) => name in input),
  limits: [
    'Gemini CLI runs a call whose hook takes longer than its timeout, and asks its own person about what the hook lets run.',
  ],
};
