import type { Command } from 'commander';
import { checkSignatures, checkSteps, checkpointIn, openReceipt, isEnd, type StepEvent } from './rules.ts';
import { parseCosignerKey, parseVerifierKey, type VoteEvent } from '../tree/rules/notes.ts';
import { entryIn, type Actor, type AnswerChannel, type StoredEvent } from '../entries/rules/entry.ts';
import { judgeNote } from '../tree/rules/checkpoint.ts';
import { Problem } from '#platform/model/problem';
import { readKept, several } from '../exports/command.ts';
import { asJson, examples, printResult } from '#cli/output';

export function addReceiptCommands(program: Command): void {
  program
    .command('receipt')
    .description('verify receipts of decisions')
    .command('verify')
    .description('show what a receipt proves; needs no database, network or settings')
    .argument('<file>', 'the receipt')
    .requiredOption(
      '--key <vkey>',
      'a key of the installation from "assentry audit key", received from someone you trust; can be repeated',
      (value: string, all: string[] | undefined) => [...(all ?? []), value],
    )
    .addOption(several('--witness <vkey>', 'a key of a witness that must have seen it; can be repeated'))
    .option(...asJson)
    .addHelpText(...examples("assentry receipt verify eli_….tlog-proof --key 'assentry/…'"))
    .action(verify);
}

const noReceipt = { verdict: 'no-receipt', origin: '' } as const;
const noDecision = { verdict: 'no-decision', origin: '' } as const;

const remedies: Record<
  'altered' | 'not-ours' | 'unknown-key' | 'no-receipt' | 'no-decision',
  (origin: string) => string
> = {
  altered: () => 'Do not trust this receipt: it was changed.',
  'not-ours': (origin) =>
    `Do not trust this receipt yet: it names the log ${origin}, of which no key was given. Give its key with --key, received from someone you trust.`,
  'unknown-key': (origin) =>
    `Do not trust this receipt yet: it names the log ${origin}, and none of the given keys signed it. Give the key that did with another --key: after a rotation of secrets, that is a former key of the installation.`,
  'no-receipt': () => 'Give a whole receipt, as it was downloaded: this file is none, or a part of it is missing.',
  'no-decision': () => 'Give a receipt of a decision: this file proves an entry of the log that decides nothing.',
};

interface VerifyOptions {
  key: string[];
  witness: string[];
  json?: boolean;
}

async function verify(file: string, { key, witness, json }: VerifyOptions): Promise<void> {
  const witnesses = witness.map(parseCosignerKey);
  const text = await readKept(file);
  const verifiers = key.map(parseVerifierKey);
  const opened = openReceipt(text, verifiers, witnesses);
  const entry = opened && entryIn(opened.entry);
  const sentences = entry && describeDecision(entry);
  if (!opened || !entry || !sentences) {
    const { verdict, origin } = opened ? noDecision : (judgeNote(checkpointIn(text) ?? '', verifiers) ?? noReceipt);
    refuse(json, { verdict, origin }, remedies[verdict](origin));
  }
  const { index, checkpoint, cosignatures } = opened;
  const signatures = await checkSignatures(text, entry, checkpoint);
  const earlier = checkSteps(text, entry, checkpoint);
  const wrong = signatures.find(({ fault }) => fault !== null)?.fault ?? earlier.fault;
  if (wrong) refuse(json, { fault: wrong }, `Do not trust this receipt: ${wrong}`);
  const signed = signatures.flatMap(({ vote }) => (vote ? [describeSignature(vote)] : []));
  const shown = cosignatures.map((each) => ({ name: each.witness.name, at: new Date(each.at).toISOString() }));
  const missing = witnesses.find(({ name }) => !shown.some((each) => each.name === name));
  if (missing) {
    const fault = `The witness ${missing.name} has not cosigned this one.`;
    refuse(json, { fault }, `Ask for the receipt again later. ${fault}`);
  }
  const place = `entry ${index + 1} of the first ${checkpoint.size} in the log ${checkpoint.origin} (place ${index})`;
  printResult(
    json,
    {
      ok: true,
      origin: checkpoint.origin,
      size: checkpoint.size,
      index,
      entry,
      witnesses: shown,
      signed: signatures.map(({ vote }) => vote),
      after: earlier.steps,
    },
    [
      'This receipt is genuine.',
      ...sentences,
      ...signed,
      ...earlier.steps.map(describeStep),
      `Log:      ${place}`,
      ...shown.map(({ name, at }) => `Witness:  ${name}, at ${at}`),
    ],
  );
}

/** Says what is wrong with the receipt, to scripts as well. */
function refuse(json: boolean | undefined, wrong: Record<string, unknown>, detail: string): never {
  if (json) printResult(json, { ok: false, ...wrong }, []);
  throw new Problem('proof-invalid', { detail });
}

/** Describes a decision, its time and its policy, for readers who don't know Assentry; null for other entries. */
export function describeDecision(event: StoredEvent): string[] | null {
  if (!isEnd(event)) return null;
  const decided = event.type === 'elicitation.answered' ? answers[event.to] : outcomes[event.to];
  const outcome = event.type === 'call.revoked' ? revoked : decided;
  const lines: [string, string][] = [
    ['Decision', `${outcome}: request ${event.elicitation}, revision ${event.revision}`],
    ['By', decider(event)],
    ['When', event.at],
    ['Policy', event.policy],
    ['Request', `SHA-256 ${event.digest} of the question and its arguments`],
    ['Entry', `${event.id} (${event.type})`],
  ];
  return lines.map(([name, value]) => `${`${name}:`.padEnd(10)}${value}`);
}

/** A vote that its voter's device signed, with the meaning and the moment of the signature. */
const describeSignature = ({ actor, action, at, device, meanings = [], for: absent }: VoteEvent): string =>
  `Signed:   ${action === 'accept' ? 'APPROVED' : 'DECLINED'} by ${nameActor(actor)} on their device${votingFor(absent)}${
    meanings.length > 0 ? ` (${meanings.join(', ')})` : ''
  }, at ${at}, with the passkey ${device?.passkey ?? ''}`;

/** A step of the same call that its provider has confirmed before. */
const describeStep = ({ elicitation, provider, at, digest }: StepEvent): string =>
  `After:    request ${elicitation} of the same call, confirmed by ${provider} at ${at} (SHA-256 ${digest})`;

const revoked = 'APPROVED, and REVOKED before it ran';
const outcomes = {
  accepted: 'APPROVED',
  declined: 'DECLINED',
  cancelled: 'CANCELLED without a decision',
  expired: 'EXPIRED without a decision',
};
const answers = {
  ...outcomes,
  accepted: 'ANSWERED',
  declined: 'DECLINED by the requester',
  cancelled: 'DISMISSED by the requester',
};

function decider(event: StoredEvent): string {
  const actor = nameActor(event.actor);
  switch (event.type) {
    case 'elicitation.voted':
      return `${actor}${votingFor(event.for)}${knownBy(event)}, with the deciding vote${alone(event)}`;
    case 'elicitation.vote-withdrawn':
      return `everyone whose approval was needed, after ${actor} withdrew a vote to decline`;
    case 'elicitation.answered':
      return `the requester, ${channels[event.channel]}`;
    case 'elicitation.break-glass':
      return `${actor}, by emergency override past the policy; a review is due${alone(event)}`;
    case 'elicitation.cancelled':
      return `${actor} (${event.cause})`;
    case 'elicitation.started':
      return `${nameApprovers(event.approvers)}; it then waited until it could start`;
    case 'call.revoked':
      return `${actor}, who revoked what had been approved`;
    case 'elicitation.escalated':
    case 'elicitation.expired':
    case 'elicitation.unsettled':
      return 'no one, in time';
    case 'elicitation.mismatch':
      return `${event.provider}, where something else happened than was asked (${event.differs.join(', ')})`;
    default:
      return actor;
  }
}

/** Older entries name none. */
const nameApprovers = (approvers: string[] = []): string =>
  approvers.length === 0
    ? 'everyone whose approval was needed'
    : `${approvers.map((id) => `the person ${id}`).join(', ')}, with all approvals that were needed`;

const votingFor = (absent: string | undefined): string => (absent ? `, voting for the person ${absent}` : '');

/** Older entries name no factor. */
const knownBy = ({ factor, issuer }: Extract<StoredEvent, { type: 'elicitation.voted' }>): string =>
  factor === undefined ? '' : ` (signed in by ${factor}${issuer ? `, set up by the person ${issuer}` : ''})`;

const alone = ({ keyMaker }: { keyMaker?: string }): string =>
  keyMaker === undefined ? '' : `; in a trial: the key that asked was made by the person ${keyMaker}`;

const channels: Record<AnswerChannel, string> = {
  relayed: 'as passed on by the server that asked',
  told: 'as passed on by the agent and the server that asked',
  page: 'on the hosted page',
  callback: 'as reported by the outside service',
};

function nameActor(actor: Actor): string {
  switch (actor.kind) {
    case 'user':
      return `the person ${actor.id}`;
    case 'server':
      return `the server ${actor.id}`;
    case 'policy':
      return `the policy ${actor.policy}${actor.grant ? `, by the standing approval ${actor.grant}` : ''}`;
    case 'token':
      return `the program with the token ${actor.name} (${actor.token})`;
    case 'provider':
      return `the identity provider ${actor.provider}`;
    default:
      return others[actor.kind];
  }
}

const others = {
  requester: 'the requester',
  service: 'an outside service',
  timer: 'Assentry',
  operator: 'an operator',
  directory: 'the directory',
  stranger: 'someone unknown',
};
