import { Command, CommanderError } from 'commander';
import { Problem } from '#platform/model/problem';
import { version } from '#platform/process/package';
import { allowClosedPipes, commanderOutput, printProblem } from './output.ts';

/** Exit codes: 0 done, 1 failed, 2 wrong usage or configuration; a wrapped server's own. */
export async function runProgram(words: string[]): Promise<number> {
  allowClosedPipes();
  const named = words.length === 0 ? ['start'] : words;
  try {
    const program = await createProgram(named[0]);
    await program.parseAsync(named, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    printProblem(error);
    return error instanceof Problem && ['config-invalid', 'INVALID_INPUT'].includes(error.code) ? 2 : 1;
  }
}

type AddCommands = (program: Command) => unknown;

/** What adds each command, in the order of the help. */
const commands: [names: string[], load: () => Promise<AddCommands>][] = [
  [['start'], async () => (await import('./start.ts')).addStartCommand],
  [['status'], async () => (await import('./status.ts')).addStatusCommand],
  [['serve'], async () => (await import('./serve.ts')).addServeCommand],
  [['wrap'], async () => (await import('#gateway/command/wrap')).addWrapCommand],
  [['gateway'], async () => (await import('#gateway/command/gateway')).addGatewayCommands],
  [['hook'], async () => (await import('#gateway/harness/command/hook')).addHookCommands],
  [['config'], async () => (await import('./config.ts')).addConfigCommands],
  [['doctor'], async () => (await import('./doctor.ts')).addDoctorCommand],
  [['user'], async () => (await import('#people/users/command/users')).addUserCommands],
  [['group'], async () => (await import('#people/groups/command')).addGroupCommands],
  [['space'], async () => (await import('#people/spaces/command')).addSpaceCommands],
  [['role'], async () => (await import('#people/roles/command')).addRoleCommands],
  [['server'], async () => (await import('#access/keys/command/server')).addServerCommands],
  [['key'], async () => (await import('#access/keys/command/key')).addKeyCommands],
  [['scim'], async () => (await import('#access/scim/command')).addScimCommands],
  [['credential'], async () => (await import('#connect/credentials/command')).addCredentialCommands],
  [['provider', 'callback'], async () => (await import('#connect/checks/command')).addProviderCommands],
  [['token'], async () => (await import('#access/tokens/command')).addTokenCommands],
  [['apply'], async () => (await import('#people/declared/command')).addApplyCommand],
  [['policy'], async () => (await import('#policies/command/policy')).addPolicyCommands],
  [['stop', 'lift'], async () => (await import('#requests/stops/command')).addStopCommands],
  [['notification'], async () => (await import('#notify/command')).addNotificationCommands],
  [['webhook'], async () => (await import('#notify/webhooks/command')).addWebhookCommands],
  [['content'], async () => (await import('#keeping/content/command')).addContentCommands],
  [['audit'], async () => (await import('#audit/exports/command')).addAuditCommands],
  [['auditor'], async () => (await import('#audit/search/command')).addAuditorCommands],
  [['receipt'], async () => (await import('#audit/receipts/command')).addReceiptCommands],
  [['witness'], async () => (await import('#audit/tree/command')).addWitnessCommand],
  [['secrets'], async () => (await import('#keeping/secrets/command')).addSecretsCommands],
  [['backup', 'restore'], async () => (await import('#keeping/backup/command')).addBackupCommands],
  [['migrate'], async () => (await import('./migrate.ts')).addMigrateCommand],
];

/** Only what this command needs is loaded: agents start `wrap` for each session and `hook` for each call. */
async function createProgram(command = ''): Promise<Command> {
  const program = new Command('assentry')
    .description("Holds an AI agent's tool call until the right person has answered, and proves afterwards who did.")
    .version(version, '-V, --version', 'show the version')
    .configureOutput(commanderOutput)
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', settingsHelp);
  const named = commands.filter(([names]) => names.includes(command));
  for (const [, load] of named.length === 0 ? commands : named) (await load())(program);
  formatWhatIsAllowed(program);
  return program;
}

/** After a wrong command or option: the ones that exist. */
function formatWhatIsAllowed(command: Command): void {
  const options = command.options.flatMap(({ long }) => long ?? []);
  const names = [...command.commands.map((command) => command.name()), ...options, '--help'];
  const usage = command.createHelp().commandUsage(command);
  command.showHelpAfterError(`Usage: ${usage}\nAllowed: ${names.join(', ')}`);
  command.commands.forEach(formatWhatIsAllowed);
}

const settingsHelp = `
To begin with, without a command:
  assentry             start it, open it in the browser, and put what is on this machine behind it

Settings come from the environment:
  DATABASE_URL         a PostgreSQL server; without it one is run in the data directory
  ASSENTRY_DATA_DIR    the data directory (default: .assentry in the home directory, or where
                       the operating system keeps such data)
  ASSENTRY_HOST        where to listen (default: 127.0.0.1)
  ASSENTRY_PORT        the port to listen on, or 0 for any (default: 4700)
  ASSENTRY_PUBLIC_URL  where people reach the console (default: where it listens)
  ASSENTRY_SECRETS_COMMAND
                       prints the secrets, as the command line of a key service does (default: none)
  ASSENTRY_SECRETS     kid:secret,kid:secret, as "assentry secrets" manages them; or one ASSENTRY_SECRET
  ASSENTRY_LOG_LEVEL   silent, error, warn, info or debug (default: info)
  ASSENTRY_ENVIRONMENT what policies know this installation by; in a trial, one person can approve everything
                       (default: production with DATABASE_URL, else trial)
  ASSENTRY_UNKNOWN_TOOLS
                       who answers for tools that no policy knows and that say nothing of themselves: requester,
                       approvers or deny (default: requester in a trial, else approvers)
  ASSENTRY_REQUESTER   whose requests one person may approve above low risk: verified or any (default: any in a
                       trial, else verified)
  ASSENTRY_READING_TIME
                       seconds between showing a high-risk request and its approval (default: 0 in a trial,
                       else 5)
  ASSENTRY_SLACK_TOKEN and ASSENTRY_SLACK_SIGNING_SECRET
                       of the Slack app that notifies approvers of requests (default: none)
  ASSENTRY_MSTEAMS_APP_ID, ASSENTRY_MSTEAMS_APP_SECRET and ASSENTRY_MSTEAMS_TENANT
                       of the app that does so in Microsoft Teams (default: none)

Exit codes: 0 done, 1 failed, 2 wrong usage or configuration.`;
