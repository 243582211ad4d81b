import type { NodeWarning } from '#protocol/model/notifications/node-warning';
import { namesOfSettings } from './setting-variables.ts';
import { formatsIn } from '#protocol/model/text/formats';

const { all, count, number } = formatsIn('en');

interface SaidWarning {
  what: string;
  /** What follows from it for approvals. */
  means: string;
  todo: string;
}

/** What a node warns of, and what to do about it. */
export function formatWarning(warning: NodeWarning, moment: (at: number) => string): SaidWarning {
  switch (warning.code) {
    case 'clock-differs':
      return {
        what: `The clock of this node is ${number(Math.abs(warning.seconds))} s ${warning.seconds < 0 ? 'behind' : 'ahead of'} the database’s`,
        means: 'Approvals are not affected: deadlines follow the clock of the database.',
        todo: 'Set the clock of its machine.',
      };
    case 'log-stands-still':
      return {
        what: 'The audit log does not grow',
        means: 'Requests are decided and run. Their entries have no proof yet, so receipts wait.',
        todo: 'Read in the nodes’ own logs why. What waits is in the database; nothing of it is lost.',
      };
    case 'notifications-stand-still':
      return {
        what: `No one is told of ${count(warning.changes, { one: 'change', other: 'changes' })}, the first of them since ${moment(warning.since)}`,
        means: 'Requests wait in the inbox, and people find them only by looking.',
        todo: 'Look in the nodes’ own logs for the request whose notifications cannot be planned.',
      };
    case 'mails-fail':
      return {
        what: `No email has arrived since ${moment(warning.since)} (${warning.fault})`,
        means: 'People who rely on email are not told of requests, and links for passwords do not arrive.',
        todo: 'Look at the mail server and at ASSENTRY_SMTP_URL. What was given up is sent again under Webhooks.',
      };
    case 'witness-silent':
      return {
        what: `The log is not cosigned by ${all(warning.witnesses)}`,
        means: 'Approvals go on. Until it cosigns, no one outside would notice if the database is put back.',
        todo: 'Look whether the witness runs, and at ASSENTRY_WITNESSES.',
      };
    case 'nodes-differ':
      return {
        what: `Nodes differ in: ${all(namesOfSettings(warning.settings, 'version'))}`,
        means: 'By which rules a request is decided depends on the node that takes it.',
        todo: 'Finish the upgrade, or give all nodes the same settings.',
      };
    case 'commands-by-part':
      return {
        what: `Shell commands are allowed by their beginning, or by a part of them, in ${all(warning.policies)}`,
        means: 'A command that only begins like an allowed one runs without a person.',
        todo: 'Publish new versions with runsOnly(request.args.command, […]).',
      };
    case 'keys-expire':
      return {
        what: `${count(warning.keys, { one: 'key of a server expires', other: 'keys of servers expire' })} soon, the first on ${moment(warning.at)}`,
        means: 'After that, servers with these keys can ask no one, and their calls fail.',
        todo: 'Create the next keys before then.',
      };
    case 'witness-disagrees':
      return {
        what: `A longer or different log was seen by ${all(warning.witnesses)}`,
        means: 'Decisions may be missing, or others than were made.',
        todo: 'Find out who restored the database to an older state, or replaced it.',
      };
    case 'stream-fails':
      return {
        what: `The log does not reach ${all(warning.streams)}`,
        means: 'Approvals go on. The entries wait in the log.',
        todo: 'Run “assentry audit streams”, which says why.',
      };
    case 'log-changed':
      return {
        what: 'The audit log, or a row that follows from it, was changed',
        means: 'What it says of approvals may be untrue. A request whose row has no proof is not decided.',
        todo: 'Treat this as an intrusion: keep the database as it is, and run “assentry audit verify”.',
      };
  }
}
