import type { KnownServer } from './known-server.ts';

/** Built-in tools of a coding agent, with the folder that its hook adds to each call. */
export const claudeCode: KnownServer = {
  package: '@anthropic-ai/claude-code',
  version: '2.1.197',
  tools: {
    Write: {
      does: 'writes',
      takes: ['file_path', 'content', 'cwd'],
      objects: { file_path: 'path', cwd: 'path' },
    },
    Edit: {
      does: 'writes',
      takes: ['file_path', 'old_string', 'new_string', 'replace_all', 'cwd'],
      objects: { file_path: 'path', cwd: 'path' },
    },
    NotebookEdit: {
      does: 'writes',
      takes: ['notebook_path', 'cell_id', 'new_source', 'cell_type', 'edit_mode', 'cwd'],
      objects: { notebook_path: 'path', cwd: 'path' },
    },
    WebFetch: { does: 'sends', takes: ['url', 'prompt', 'cwd'], objects: { url: 'url' } },
    Bash: {
      does: 'writes',
      takes: ['command', 'description', 'timeout', 'run_in_background', 'cwd'],
      objects: { command: 'command', cwd: 'path' },
    },
  },
};
