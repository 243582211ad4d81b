import type { Command } from 'commander';
import { isId, type ElicitationId } from '#platform/model/id';
import { describeError, Problem } from '#platform/model/problem';
import { asJson, assertOption, examples, printFindings, right, wrong, type Finding } from '#cli/output';
import { publicUrlOf, readSettings, withOperator } from '#cli/settings';
import type { ServerOptions } from '#server/options';
import { createConnectClient } from '../connections/wiring.ts';
import { createOutcomeClient } from '../outcomes/wiring/clients.ts';
import { checkProvider, type EventTest, type ProviderFinding, type WaitingRequest } from './verbs.ts';

export function addProviderCommands(program: Command): void {
  program
    .command('provider')
    .description('providers at which people connect accounts, pay and sign')
    .command('check')
    .description('say whether each provider of ASSENTRY_PROVIDERS can be used; exits with 1 if anything is wrong')
    .argument('[key]', 'only this one, by its key in the file')
    .option(...asJson)
    .addHelpText(...examples('assentry provider check', 'assentry provider check stripe'))
    .action(check);
  program
    .command('callback')
    .description('events that providers send')
    .command('test')
    .description('send a signed test event as a provider would, and say what became of it; it changes no request')
    .requiredOption('--provider <key>', 'the provider, by its key in ASSENTRY_PROVIDERS')
    .option('--request <id>', 'a request: say what it waits for, and whether an event with its reference is found')
    .option(...asJson)
    .addHelpText(...examples('assentry callback test --provider stripe'))
    .action(test);
}

type Options = { json?: boolean };

async function check(key: string | undefined, { json }: Options): Promise<void> {
  const settings = readProviderSettings();
  if (settings instanceof Problem) return printFindings(json, [wrong('ASSENTRY_PROVIDERS', settings.message)]);
  const { connectProviders = [], outcomeProviders = [] } = settings;
  const keys = [...new Set([...connectProviders, ...outcomeProviders].map((provider) => provider.key))];
  const isRight = key === undefined || keys.includes(key);
  assertOption('KEY', isRight, `Give a key of ASSENTRY_PROVIDERS: ${keys.join(', ') || 'none is set'}.`);
  const url = (await publicUrlOf(settings)) ?? `http://${settings.host}:${settings.port}`;
  const checked = keys.filter((name) => key === undefined || name === key);
  const findings = await Promise.all(checked.map((name) => examine(name, settings, url)));
  const none = right('ASSENTRY_PROVIDERS', 'names no provider; docs/connections.md and docs/payments.md say how');
  printFindings(json, keys.length === 0 ? [none] : findings.flat());
}

/** The settings, or what is wrong with them. */
function readProviderSettings(): ServerOptions | Problem {
  try {
    return readSettings();
  } catch (error) {
    if (error instanceof Problem && error.code === 'config-invalid') return error;
    throw error;
  }
}

async function examine(key: string, settings: ServerOptions, url: string): Promise<Finding[]> {
  const { connectProviders = [], outcomeProviders = [] } = settings;
  const connect = connectProviders.find((provider) => provider.key === key);
  const outcome = outcomeProviders.find((provider) => provider.key === key);
  const clients = {
    connect: connect && createConnectClient(connect, Date.now),
    outcome: outcome && createOutcomeClient(outcome, Date.now),
  };
  const { label = '', servers = [] } = outcome ?? connect ?? {};
  const kinds = [...(connect ? ['accounts'] : []), ...(outcome?.events.kinds.map((kind) => `${kind}s`) ?? [])];
  const secrets = outcome?.signingSecrets.length ?? 0;
  return [
    right(key, `the description of ${label} is valid, for ${kinds.join(' and ')}; servers: ${servers.join(', ')}`),
    ...(outcome
      ? [right(key, `${secrets === 1 ? 'one signing secret' : `${secrets} signing secrets`} can be read`)]
      : []),
    ...(outcome && !clients.outcome?.look
      ? [
          right(
            key,
            `Assentry only hears what happens: ${outcome.events.api ? 'there is no keyFile' : 'it cannot ask'}`,
          ),
        ]
      : []),
    ...(await checkProvider({ publicUrl: () => url }, clients)).map((finding) => say(key, label, finding)),
  ];
}

function say(key: string, label: string, finding: ProviderFinding): Finding {
  switch (finding.about) {
    case 'page':
      return sayPage(key, finding);
    case 'client':
      return finding.fault
        ? wrong(key, `${finding.fault.message}${causeOf(finding.fault)}`)
        : right(key, `${label} answers, and does not refuse clientId and secret`);
    case 'api':
      return finding.fault
        ? wrong(key, `${finding.fault.message}${causeOf(finding.fault)}`)
        : right(key, `the API of ${label} answers, and takes the key`);
    case 'return':
      return right(key, `register this return address there: ${finding.address}`);
    case 'events':
      return right(
        key,
        `have it send events to ${finding.address}${finding.isOutside ? '' : ', which only this machine reaches: set ASSENTRY_PUBLIC_URL, or forward them'}`,
      );
  }
}

function sayPage(key: string, { host, fault }: Extract<ProviderFinding, { about: 'page' }>): Finding {
  if (fault === 'unknown') return wrong(key, `correct "pageHosts", or the DNS of this machine: ${host} is not found`);
  if (fault === 'private')
    return wrong(key, `correct "pageHosts": ${host} is no public address, so people cannot go there`);
  return right(key, `people are sent to ${host}`);
}

const causeOf = ({ cause }: Problem): string => (cause === undefined ? '' : ` (${describeError(cause)})`);

async function test({ provider, request, json }: Options & { provider: string; request?: string }): Promise<void> {
  const isRight = request === undefined || isId('elicitation', request);
  assertOption('--request', isRight, 'Give the id of a request, as its page shows it.');
  const result = await withOperator((operator) =>
    operator.testEvents(provider, (request ?? null) as ElicitationId | null),
  );
  printFindings(json, [...(result.request ? describeRequest(result.request) : []), ...describeTest(provider, result)]);
}

/** What the request waits for. */
function describeRequest({ id, status, expected, progress }: WaitingRequest): Finding[] {
  const what = expected.kind === 'payment' ? `${expected.amount} ${expected.currency}` : 'a signature';
  const waits = right(id, `is ${status}, and expects ${what} at ${expected.provider}`);
  if (!progress) return [waits, right(id, 'no one has gone to the provider yet, so it has no reference there')];
  const { reference, isMade, looks, nextLookAt, lastEvent } = progress;
  const next = nextLookAt === null ? 'is not asked again' : `is asked again at ${timeOf(nextLookAt)}`;
  return [
    waits,
    right(
      id,
      `its reference there is ${reference}; ${isMade ? 'what is to be done there was made' : 'nothing was made there'}`,
    ),
    right(id, `the provider was asked ${looks === 1 ? 'once' : `${looks} times`}, and ${next}`),
    right(
      id,
      lastEvent ? `the last event came at ${timeOf(lastEvent.at)} and says ${lastEvent.verdict}` : 'no event has come',
    ),
  ];
}

const timeOf = (at: number): string => new Date(at).toISOString();

function describeTest(key: string, { label, address, answer, arrived, request }: EventTest): Finding[] {
  if (!answer) return [wrong(key, `nothing was sent: by its description, any event of ${label} could mean something`)];
  if ('fault' in answer)
    return [
      wrong(key, `check ASSENTRY_PUBLIC_URL, DNS and what is in front: ${address} is not reached (${answer.fault})`),
    ];
  const { status } = answer;
  const reached = right(key, `a test event reached ${address}`);
  if (status === 401)
    return [
      reached,
      wrong(
        key,
        'give each node the same ASSENTRY_PROVIDERS and secrets, and see that their clocks agree and that nothing in front changes body or headers: the signature was refused',
      ),
    ];
  if (status !== 200)
    return [wrong(key, `see what serves ${address} and what is in front of it: it answers ${status}`)];
  const signed = right(key, 'the signature of the newest secret is accepted');
  if (!arrived)
    return [
      reached,
      signed,
      wrong(key, 'check ASSENTRY_PUBLIC_URL and DATABASE_URL: the event came to another installation'),
    ];
  return [reached, signed, sayRequest(key, arrived.request, request)];
}

function sayRequest(key: string, id: ElicitationId | null, request: WaitingRequest | null): Finding {
  const nothing = 'it says nothing, so nothing was changed';
  if (!request?.progress) return right(key, `it is about no request, and ${nothing}; a real one is taken the same way`);
  if (id !== request.id)
    return wrong(key, `ask for a new request: no event with the reference of ${request.id} is found`);
  const effect =
    request.status === 'open' ? 'a real one would be compared with it' : 'a real one would be listed as late';
  return right(key, `it is about ${id}, and ${nothing}; ${effect}`);
}
