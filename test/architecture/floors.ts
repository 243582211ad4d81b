/** What each folder of src may import: the floors of the house. */
export const floors: Record<string, string[]> = {
  model: [],
  crypto: ['model'],
  config: ['model'],
  machine: ['model'],
  form: ['model'],
  policy: ['model'],
  audit: ['model', 'crypto'],
  contract: ['model', 'form'],
  store: ['model', 'machine', 'audit', 'generated'],
  client: ['contract', 'model'],
  engine: ['model', 'machine', 'form', 'policy', 'audit', 'crypto', 'store'],
  mcp: ['client', 'contract', 'form', 'model'],
  host: ['client', 'contract', 'model'],
  api: ['engine', 'contract', 'model', 'crypto'],
  testing: ['mcp', 'client', 'contract', 'form', 'model'],
  gateway: ['mcp', 'client', 'contract', 'crypto', 'model'],
  worker: ['engine', 'store', 'audit', 'contract', 'crypto', 'model'],
  installation: ['config', 'crypto', 'audit', 'store', 'engine', 'model'],
  '(root)': ['installation', 'config', 'crypto', 'audit', 'store', 'engine', 'api', 'worker', 'model'],
  cli: ['installation', '(root)', 'config', 'audit', 'gateway', 'client', 'model'],
};

/**
 * The floors inside a folder, the lowest first: a room imports from lower floors of its folder only. `(root)` is the
 * folder's own files: at the bottom they are what every room is given, at the top they are the doors.
 */
export const rooms: Record<string, string[][]> = {
  'src/crypto': [['(root)'], ['passwords']],
  'src/policy': [['terms'], ['cel'], ['parsing', 'stages'], ['deciding']],
  'src/contract': [['http'], ['servers'], ['users'], ['policies'], ['console'], ['(root)']],
  'src/store': [
    ['database'],
    ['log', 'embedded', 'backup'],
    ['elicitation', 'users', 'notifications', 'keeping'],
    ['(root)'],
  ],
  'src/engine': [
    ['(root)'],
    ['elicitation'],
    ['judging', 'users', 'pages'],
    ['sight'],
    ['grants', 'policies', 'inbox', 'deliberation', 'log', 'secrets', 'stops'],
    ['voting', 'asking', 'keeping'],
    ['chat', 'changes', 'notifications'],
  ],
  'src/mcp': [['question'], ['hooks'], ['run'], ['channels'], ['elicit'], ['tools'], ['sdk-v1', 'sdk-v2'], ['(root)']],
  'src/installation': [['(root)'], ['backup']],
  'src/cli': [['terminal'], ['serve', 'log'], ['(root)']],
  'src/gateway': [['frames', 'import'], ['tools', 'upstreams'], ['calls'], ['relay', 'http'], ['(root)']],
  'src/api': [['http'], ['routes'], ['pages'], ['(root)']],
  'src/worker': [['(root)'], ['notifications']],
  'src/worker/notifications': [['words'], ['(root)']],
  'src/model': [['(root)'], ['words', 'key-facts'], ['notifications']],
  'src/api/routes': [['(root)'], ['users']],
  'src/api/pages': [['words'], ['(root)']],
  'web/src': [['api'], ['lib'], ['ui'], ['pages'], ['(root)']],
  'web/src/lib': [['language'], ['(root)']],
  'web/src/ui': [['words'], ['page'], ['(root)'], ['shell']],
  'web/src/pages/audit': [['words'], ['(root)']],
  'web/src/pages/inbox': [['words'], ['(root)'], ['together']],
  'web/src/pages/start': [['words'], ['(root)']],
  'web/src/pages/users': [['words'], ['(root)'], ['users', 'groups', 'servers', 'absences', 'overview']],
  'web/src/pages/policies': [['text'], ['editor', 'form', 'trials', 'versions'], ['draft', '(root)']],
  'web/src/pages/request': [
    ['words'],
    ['state'],
    ['form'],
    ['what', 'progress', 'deliberate'],
    ['decide', 'keep'],
    ['(root)'],
  ],
};

/** Packages that live in one place only. */
export const homes: Record<string, string[]> = {
  xstate: ['machine'],
  pg: ['store'],
  '@prisma/': ['store'],
  express: ['api'],
  helmet: ['api'],
  jose: ['installation'],
  'prom-client': ['installation'],
  commander: ['cli'],
  nodemailer: ['worker'],
  yaml: ['policy', 'gateway'],
  '@marcbachmann/cel-js': ['policy'],
  re2js: ['policy'],
  'jsonc-parser': ['gateway'],
  '@modelcontextprotocol/': ['mcp', 'host'],
};

/** What these keep belongs to the process. Why, and until when: docs/decisions/0017-what-a-process-remembers.md. */
export const remembering = [
  'crypto/passwords/guessable.ts',
  'engine/inbox/show-machine.ts',
  'engine/policies/check-policy.ts',
  'host/sliding-window.ts',
  'mcp/channels/tell-later.ts',
  'mcp/question/inquiry.ts',
  'mcp/run/executions.ts',
  'mcp/run/settling.ts',
  'mcp/tools/shared-client.ts',
  'mcp/tools/tasks.ts',
  'policy/cel/environment.ts',
  'policy/parsing/known-keys.ts',
  'policy/terms/local-time.ts',
];
