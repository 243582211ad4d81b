import path from 'node:path';

/**
 * What each floor of src may import: of each house, these folders, and `.` if it has none or for its own files. The first
 * part of a floor's name is its house. A relative path never leaves a house, and what one takes of another is `#house/…`, as
 * "imports" in package.json says.
 */
const importsOf: Record<string, Record<string, string[]>> = {
  'protocol/model': {},
  'protocol/form': { protocol: ['model'] },
  'protocol/contract': { protocol: ['model', 'form'] },

  messages: { protocol: ['model', 'form'] },

  'core/http': { protocol: ['model'] },
  'core/crypto': { protocol: ['model'] },
  'core/machine': { protocol: ['model'] },
  'core/policy': { protocol: ['model', 'form'], messages: ['.'] },
  'core/audit': { protocol: ['model'], core: ['crypto'] },

  'sdk/client': { protocol: ['model', 'contract'] },
  'sdk/mcp': { protocol: ['model', 'form', 'contract'], sdk: ['client'] },
  'sdk/host': { protocol: ['model', 'contract'], sdk: ['client'] },
  'sdk/agents': { protocol: ['model'], sdk: ['client', 'mcp'] },
  'sdk/testing': { protocol: ['model', 'form', 'contract'], sdk: ['client', 'mcp'] },

  'gateway/bearer': { protocol: ['model'], core: ['http'] },
  gateway: { protocol: ['model', 'contract'], core: ['crypto'], sdk: ['client', 'mcp'], gateway: ['bearer'] },

  embedded: { protocol: ['model'] },

  'server/package': {},
  'server/config': { protocol: ['model'], core: ['http'] },
  'server/oidc': { protocol: ['model'], core: ['http'] },
  'server/witness': { protocol: ['model'], core: ['crypto', 'audit'] },
  'server/store': { protocol: ['model'], core: ['machine', 'audit'], server: ['generated', 'package'] },
  'server/engine': {
    protocol: ['model', 'form'],
    messages: ['.'],
    core: ['crypto', 'machine', 'policy', 'audit'],
    server: ['store'],
  },
  'server/channels': {
    protocol: ['model', 'contract'],
    messages: ['.'],
    core: ['http', 'crypto'],
    gateway: ['bearer'],
    server: ['config', 'store', 'engine'],
  },
  'server/api': {
    protocol: ['model', 'contract'],
    messages: ['.'],
    core: ['http', 'crypto'],
    server: ['config', 'engine', 'channels'],
  },
  'server/worker': {
    protocol: ['model', 'contract'],
    messages: ['.'],
    core: ['http', 'crypto', 'audit'],
    server: ['config', 'store', 'engine', 'channels'],
  },
  'server/installation': {
    protocol: ['model'],
    core: ['http', 'crypto', 'audit'],
    gateway: ['bearer'],
    embedded: ['.'],
    server: ['config', 'oidc', 'store', 'engine', 'channels'],
  },
  server: {
    protocol: ['model'],
    core: ['http', 'crypto', 'audit'],
    server: ['package', 'config', 'store', 'engine', 'channels', 'api', 'worker', 'installation'],
  },

  cli: {
    protocol: ['model'],
    messages: ['.'],
    core: ['audit'],
    sdk: ['client'],
    gateway: ['.'],
    server: ['package', 'config', 'witness', 'channels', 'installation', '.'],
  },
};

const namesOf = (houses: Record<string, string[]>): string[] =>
  Object.entries(houses).flatMap(([house, folders]) => folders.map((folder) => path.join(house, folder)));

/** The floors that each one may import. */
export const floors: Record<string, string[]> = Object.fromEntries(
  Object.entries(importsOf).map(([floor, houses]) => [floor, namesOf(houses)]),
);

/** The floor of a file, or of what it imports. */
export const floorOf = (name: string): string =>
  [...Object.keys(floors), 'platform/database/generated']
    .filter((floor) => name.startsWith(`${floor}/`))
    .toSorted((a, b) => b.length - a.length)[0] ?? name.split('/').slice(0, 2).join('/');

export const houseOf = (name: string): string => name.split('/')[0] ?? '';

/**
 * The floors inside a folder, the lowest first: a room imports from lower floors of its folder only. `(root)` is the
 * folder's own files: at the bottom they are what every room is given, at the top they are the doors.
 */
export const rooms: Record<string, string[][]> = {
  'src/core/crypto': [['(root)'], ['passkeys', 'passwords', 'push', 'tokens', 'webhooks'], ['totp']],
  'src/core/policy': [['terms'], ['cel'], ['parsing', 'stages'], ['deciding', 'drafting']],
  'src/core/policy/terms': [['parts'], ['require'], ['(root)']],
  'src/core/audit': [['events'], ['(root)'], ['export']],
  'src/protocol/contract': [['http'], ['servers'], ['users'], ['policies'], ['console'], ['(root)']],
  'src/server/store': [
    ['database'],
    ['tables'],
    ['log', 'backup'],
    ['elicitation', 'users', 'notifications', 'keeping'],
    ['inbox'],
    ['(root)'],
  ],
  'src/server/engine': [
    ['(root)'],
    ['elicitation'],
    ['judging', 'users', 'pages', 'credentials'],
    ['visibility'],
    ['grants', 'policies', 'inbox', 'deliberation', 'log', 'secrets', 'stops', 'webhooks'],
    ['voting', 'asking', 'keeping', 'reports'],
    ['chat', 'changes', 'notifications', 'tools'],
  ],
  'src/server/engine/users': [['sign-in'], ['(root)'], ['federation', 'declared'], ['provisioning']],
  'src/server/engine/users/sign-in': [['(root)'], ['passkey', 'password', 'link', 'second-factor']],
  'src/sdk/mcp': [
    ['question'],
    ['hooks'],
    ['run'],
    ['channels'],
    ['elicit'],
    ['tools'],
    ['sdk-v1', 'sdk-v2'],
    ['(root)'],
  ],
  'src/server/installation': [['(root)'], ['backup']],
  'src/cli': [['terminal'], ['serve', 'log', 'policy', 'users'], ['(root)']],
  'src/gateway': [
    ['bearer', 'frames', 'reach'],
    ['identity', 'import', 'tools', 'own-files'],
    ['upstreams'],
    ['calls'],
    ['relay', 'http', 'harness'],
    ['merged'],
    ['(root)'],
  ],
  'src/gateway/harness': [['adapters'], ['(root)']],
  'src/server/api': [['http'], ['routes'], ['pages'], ['(root)']],
  'src/server/channels': [
    ['words'],
    ['parts'],
    ['email', 'push', 'standard', 'chat', 'msteams', 'pagerduty', 'slack'],
    ['(root)'],
  ],
  'src/server/worker': [['(root)'], ['notifications'], ['streams']],
  'src/protocol/model': [
    ['text', 'known-tools', 'accounts'],
    ['(root)'],
    ['words', 'key-facts', 'sign-in', 'roles'],
    ['notifications'],
  ],
  'src/server/api/routes': [['(root)'], ['users']],
  'src/server/api/pages': [['words'], ['(root)']],
  'web/src': [['api'], ['lib'], ['ui'], ['pages'], ['(root)']],
  'web/src/lib': [['language', 'session'], ['(root)']],
  'web/src/ui': [['words', 'later-words'], ['page'], ['(root)'], ['shell', 'charts', 'list-table', 'second-factor']],
  'web/src/pages/audit': [['words'], ['(root)'], ['record']],
  'web/src/pages/inbox': [['words'], ['views', 'rows'], ['(root)'], ['together', 'split']],
  'web/src/pages/insights': [['words'], ['(root)']],
  'web/src/pages/start': [['words'], ['(root)']],
  'web/src/pages/account': [['words'], ['(root)']],
  'web/src/pages/users': [
    ['words'],
    ['(root)'],
    ['roles', 'workloads', 'pairs'],
    ['users', 'groups', 'servers', 'spaces', 'absences', 'overview', 'webhooks', 'system'],
  ],
  'web/src/pages/policies': [['text'], ['editor', 'form', 'trials', 'versions'], ['draft', '(root)']],
  'web/src/pages/request': [
    ['words'],
    ['state'],
    ['form'],
    ['what', 'progress', 'deliberate'],
    ['decide', 'keep', 'always'],
    ['(root)'],
  ],
};

/** Packages that live in one place only. */
export const homes: Record<string, string[]> = {
  xstate: ['core/machine'],
  pg: ['server/store', 'embedded'],
  '@prisma/': ['server/store'],
  express: ['server/api'],
  helmet: ['server/api'],
  jose: ['gateway/bearer', 'server/oidc'],
  'openid-client': ['server/oidc'],
  '@simplewebauthn/server': ['core/crypto'],
  'prom-client': ['server/installation'],
  'scim-patch': ['server/engine'],
  'scim2-parse-filter': ['server/engine'],
  commander: ['cli'],
  nodemailer: ['server/channels'],
  yaml: ['core/policy', 'gateway', 'cli'],
  '@marcbachmann/cel-js': ['core/policy'],
  re2js: ['core/policy'],
  'jsonc-parser': ['gateway'],
  'toml-eslint-parser': ['gateway'],
  '@modelcontextprotocol/': ['sdk/mcp', 'sdk/host'],
};

/** What these keep belongs to the process. Why, and until when: docs/decisions/0017-what-a-process-remembers.md. */
export const remembering = [
  'cli/output.ts',
  'platform/crypto/in-turns/in-turns.ts',
  'access/passwords/rules/passwords/guessable.ts',
  'platform/crypto/random/random.ts',
  'requests/machine/rules/step/courses.ts',
  'requests/machine/rules/step/step.ts',
  'policies/language/rules/cel/environment.ts',
  'policies/language/rules/faults/known-keys.ts',
  'policies/document/rules/verdict/local-time.ts',
  'sdk/host/handler.ts',
  'sdk/mcp/channels/channels.ts',
  'sdk/mcp/question/question.ts',
  'sdk/mcp/run/executions.ts',
  'sdk/mcp/run/settlements.ts',
  'sdk/mcp/tools/own-tools.ts',
  'sdk/mcp/tools/tasks.ts',
  'requests/machine/verbs.ts',
  'policies/verbs/check/check-policy.ts',
  'policies/verbs/simulate/read-policy.ts',
];
