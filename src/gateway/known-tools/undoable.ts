/** Begins the title of a call that can be undone; behind it is the digest of the project and of what its commands run. */
export const undoableTitle = 'Undoable in project ';

/** Tools of coding agents whose calls can be undone, by the names of their servers. */
export const undoingTools: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['Bash', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit'],
  codex: ['Bash'],
  'gemini-cli': ['run_shell_command', 'write_file', 'replace'],
  'copilot-cli': ['bash', 'create', 'edit'],
  opencode: ['bash', 'write', 'edit'],
  cursor: ['Shell'],
};
