import type { Command } from 'commander';
import type { Operator } from '#server/operator';
import { formatTime } from '../keys/command/key.ts';
import { asJson, examples, printResult, assertOption } from '#cli/output';
import { withOperator } from '#cli/settings';

export function addScimCommands(program: Command): void {
  const scim = program.command('scim').description('identity providers that provision people and groups');
  const token = scim.command('token').description('create, list and revoke the tokens that providers send');
  token
    .command('create')
    .description('create a token for a provider, shown once')
    .requiredOption('--provider <key>', 'the provider’s key in the file of ASSENTRY_SIGN_IN_PROVIDERS')
    .option(...asJson)
    .addHelpText(...examples('assentry scim token create --provider okta'))
    .action(createToken);
  token
    .command('list')
    .description('list every token: for which provider, when it was made, last used and revoked')
    .option(...asJson)
    .action(listTokens);
  token
    .command('revoke')
    .description('revoke a token at once and permanently; the people it added stay')
    .argument('<kid>', 'the 16 characters after "asnscim_" in the token; "assentry scim token list" shows them')
    .option(...asJson)
    .action(revokeToken);
}

async function createToken({ provider, json }: { provider: string; json?: boolean }): Promise<void> {
  const { token, kid } = await withOperator((operator) => operator.scim.createToken(provider));
  printResult(json, { provider, kid, token }, [
    token,
    `Shown once. Give it to ${provider} as the bearer token of SCIM; its address is that of your console, then /scim/v2.`,
  ]);
}

type Token = Awaited<ReturnType<Operator['scim']['listTokens']>>[number];

async function listTokens({ json }: { json?: boolean }): Promise<void> {
  const tokens = await withOperator((operator) => operator.scim.listTokens());
  const none = 'There are no tokens yet. Create one: assentry scim token create --provider KEY';
  printResult(json, { tokens }, tokens.length === 0 ? [none] : tokens.map(formatToken));
}

async function revokeToken(kid: string, { json }: { json?: boolean }): Promise<void> {
  const advice = 'Give the 16 characters after asnscim_, as "assentry scim token list" shows them.';
  assertOption('KID', /^[0-9a-f]{16}$/.test(kid), advice);
  const token = await withOperator((operator) => operator.scim.revokeToken(kid));
  printResult(json, { token }, [formatToken(token)]);
}

function formatToken({ kid, provider, issuer, createdAt, lastUsedAt, revokedAt }: Token): string {
  const used = lastUsedAt === null ? 'never used' : `last used ${formatTime(lastUsedAt)}`;
  const end = revokedAt === null ? [] : [`revoked ${formatTime(revokedAt)}`];
  return `${kid} ${provider} (${issuer}): ${[`made ${formatTime(createdAt)}`, used, ...end].join('; ')}`;
}
