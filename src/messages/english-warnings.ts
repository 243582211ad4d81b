import { namesOfSettings } from './setting-variables.ts';
import { createFormat, type Sentences } from './warning-sentences.ts';
import { formatsIn } from '#platform/text/formats';

const { all, count, number } = formatsIn('en');

const sentences: Sentences = {
  'clock-differs': (warning) => ({
    what: `The clock of this node is ${number(Math.abs(warning.seconds))} s ${warning.seconds < 0 ? 'behind' : 'ahead of'} the database’s`,
    means: 'Approvals are not affected: deadlines follow the clock of the database.',
    todo: 'Set the clock of its machine.',
  }),
  'log-stands-still': () => ({
    what: 'The audit log does not grow',
    means: 'Requests are decided and run. Their entries have no proof yet, so receipts wait.',
    todo: 'Read in the nodes’ own logs why. What waits is in the database; nothing of it is lost.',
  }),
  'notifications-stand-still': (warning, moment) => ({
    what: `No one is told of ${count(warning.changes, { one: 'change', other: 'changes' })}, the first of them since ${moment(warning.since)}`,
    means: 'Requests wait in the inbox, and people find them only by looking.',
    todo: 'Look in the nodes’ own logs for the request whose notifications cannot be planned.',
  }),
  'mails-fail': (warning, moment) => ({
    what: `No email has arrived since ${moment(warning.since)} (${warning.fault})`,
    means: 'People who rely on email are not told of requests, and links for passwords do not arrive.',
    todo: 'Look at the mail server and at ASSENTRY_SMTP_URL. What was given up is sent again under Webhooks.',
  }),
  'mail-server-fails': (warning) => ({
    what: `The mail server does not let this node in (${warning.fault})`,
    means: 'The next email will not be sent: neither news of requests nor links for passwords.',
    todo: 'Look at the mail server and at ASSENTRY_SMTP_URL.',
  }),
  'provider-fails': (warning) => ({
    what: `No answer from ${all(warning.providers)}`,
    means: 'People cannot sign in there. Those who are signed in go on.',
    todo: 'Look at the provider, at the way to it and at ASSENTRY_SIGN_IN_PROVIDERS.',
  }),
  'provider-untimed': (warning) => ({
    what: `${all(warning.providers)} does not say when people proved who they are`,
    means: 'People sign in there, and need a passkey or an authenticator app for acts that take a new proof.',
    todo: 'Have the provider send “auth_time” in the ID token, if it can.',
  }),
  'address-fails': (warning) => ({
    what: `The public address does not lead to Assentry (${warning.fault})`,
    means: 'Links in emails, chats and MCP clients do not open.',
    todo: 'Look at its DNS entry, its certificate and the proxy, and at ASSENTRY_PUBLIC_URL.',
  }),
  'backup-missing': (warning, moment) => ({
    what: warning.at === null ? 'There is no backup' : `The last backup is of ${moment(warning.at)}`,
    means: 'If the database is lost, so is what was decided since.',
    todo: 'Run “assentry backup” each day, and see what its job printed.',
  }),
  'log-head-not-kept': () => ({
    what: 'No one outside keeps the head of the log',
    means: 'A database that is put back to an older state loses decisions, and nothing would notice.',
    todo: 'Set ASSENTRY_LOG_HEAD, ASSENTRY_LOG_COPIES, ASSENTRY_LOG_BUCKET or ASSENTRY_WITNESSES.',
  }),
  'loop-fails': (warning) => ({
    what: `This work fails again and again: ${all(warning.loops)}`,
    means: 'Requests are decided and run. What this work is for stands still.',
    todo: 'Read in the node’s own log why.',
  }),
  'witness-silent': (warning) => ({
    what: `The log is not cosigned by ${all(warning.witnesses)}`,
    means: 'Approvals go on. Until it cosigns, no one outside would notice if the database is put back.',
    todo: 'Look whether the witness runs, and at ASSENTRY_WITNESSES.',
  }),
  'commands-by-part': (warning) => ({
    what: `Shell commands are allowed by their beginning, or by a part of them, in ${all(warning.policies)}`,
    means: 'A command that only begins like an allowed one runs without a person.',
    todo: 'Publish new versions with runsOnly(request.args.command, […]).',
  }),
  'nodes-differ': (warning) => ({
    what: `Nodes differ in: ${all(namesOfSettings(warning.settings, 'version'))}`,
    means: 'By which rules a request is decided depends on the node that takes it.',
    todo: 'Finish the upgrade, or give all nodes the same settings.',
  }),
  'keys-expire': (warning, moment) => ({
    what: `${count(warning.keys, { one: 'key of a server expires', other: 'keys of servers expire' })} soon, the first on ${moment(warning.at)}`,
    means: 'After that, servers with these keys can ask no one, and their calls fail.',
    todo: 'Create the next keys before then.',
  }),
  'witness-disagrees': (warning) => ({
    what: `A longer or different log was seen by ${all(warning.witnesses)}`,
    means: 'Decisions may be missing, or others than were made.',
    todo: 'Find out who restored the database to an older state, or replaced it.',
  }),
  'stream-fails': (warning) => ({
    what: `The log does not reach ${all(warning.streams)}`,
    means: 'Approvals go on. The entries wait in the log.',
    todo: 'Run “assentry audit streams”, which says why.',
  }),
  'reports-lost': (warning, moment) => ({
    what: `${count(warning.reports, { one: 'report of a service', other: 'reports of services' })} reached no call, the first on ${moment(warning.since)}`,
    means: 'They came after the end of their requests, or did not fit. Someone may have paid for nothing.',
    todo: 'Search the audit log for “callback.late” and “callback.unfit”: each request says what was reported.',
  }),
  'log-changed': () => ({
    what: 'The audit log, or a row that follows from it, was changed',
    means: 'What it says of approvals may be untrue. A request whose row has no proof is not decided.',
    todo: 'Treat this as an intrusion: keep the database as it is, and run “assentry audit verify”.',
  }),
};

/** What a node warns of, and what to do about it. */
export const formatWarning = createFormat(sentences);
