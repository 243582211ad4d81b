import { expect, test } from '@jest/globals';
import { createHealth, warnOfCommands } from '#platform/nodes/verbs/health';
import { describeDocument } from '#policies/verbs/read';
import { createRules } from '#policies/deciding/verbs/rules';

const loose = `policy: loose
match: { server: claude-code, tool: Bash }
when: request.args.command.startsWith("npm test")
allow: {}
`;
const strict = loose
  .replace('loose', 'strict')
  .replace('request.args.command.startsWith("npm test")', 'runsOnly(request.args.command, ["npm test"])');

test('a version in force that allows commands by their beginning goes on, and operators and its page are told', async () => {
  const documents = [loose, strict];
  const inForce = async () =>
    documents.map((document, at) => ({ document, name: `p${at}`, version: 3, isProven: true, isShadow: false }));
  const health = createHealth(() => 0);
  let policies = 1n;
  const store = {
    epochs: { read: async () => ({ policies, users: 1n, stops: 1n }) },
    policies: { inForce },
    directory: { read: async () => ({ users: [], groups: [], servers: [], roles: [], accounts: [], spaces: [] }) },
    delegations: { unrevoked: async () => [] },
    stops: { inForce: async () => [] },
  } as unknown as Parameters<typeof createRules>[0];
  const rules = createRules(store, undefined, {
    onUnreadable: () => {},
    onCommandsByPart: (named) => warnOfCommands(health, named),
  });
  const read = async () => (await rules.snapshot()).rules().catch(() => null);
  await read();
  expect(health.warnings()).toEqual([{ code: 'commands-by-part', policies: ['loose@3'] }]);
  expect(describeDocument(loose)).toContainEqual({ kind: 'commands-by-part' });
  expect(describeDocument(strict)).not.toContainEqual({ kind: 'commands-by-part' });
  documents.shift();
  policies = 2n;
  await read();
  expect(health.warnings()).toEqual([]);
});
