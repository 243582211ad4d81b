import type { ReadyWarning } from '#protocol/contract/ready';
import { formatsIn } from '#protocol/model/text/formats';

const { all, count, number } = formatsIn('en');

export interface SaidWarning {
  what: string;
  todo: string;
}

export const system = {
  title: 'System',
  lead: 'What Assentry runs on, and what needs a hand.',
  fine: 'Nothing needs attention',
  part: 'Part',
  state: 'State',
  todo: 'What to do',
  nodes: 'Nodes',
  running: (nodes: number) => count(nodes, { one: 'node runs', other: 'nodes run' }),
  version: (versions: string[]) => `Version ${all(versions)}`,
  database: 'Database',
  answers: 'Answers',
  log: 'Audit log',
  verified: (entries: number) => `${count(entries, { one: 'entry', other: 'entries' })} verified`,
  unverified: 'Not verified yet',
  unverifiedTodo: 'The first check runs within minutes.',
  witnesses: 'Witnesses',
  none: 'None',
  witnessed: (name: string, size: number | null) =>
    size === null ? `${name}: no word yet` : `${name}: seen up to entry ${number(size)}`,
  witnessTodo: 'A witness notices if the database is put back: name one in ASSENTRY_WITNESSES.',
  streams: 'Log streams',
  streamed: (name: string, delivered: number, size: number) =>
    `${name}: ${number(delivered)} of ${number(size)} delivered`,
  streamTodo: 'To send the log to a SIEM, set ASSENTRY_LOG_STREAMS.',
  mail: 'Email',
  sends: 'Set up',
  notSent: 'Not set up',
  mailTodo: 'Set ASSENTRY_SMTP_URL, so that people are told of requests and get their links by email.',
  chat: 'Chat',
  chatTodo: 'People can decide in Slack or Microsoft Teams: see “Chat” in the documentation.',
  push: 'Browser notifications',
  pushState: 'Each person turns them on',
  pushLink: 'Turn them on in your profile',
  deliveries: 'Deliveries',
  delivered: 'Nothing was given up',
  givenUp: (messages: number) => count(messages, { one: 'message was given up', other: 'messages were given up' }),
  deliveriesLink: 'Send them again under Webhooks',
  backups: 'Backups',
  noBackup: 'None by “assentry backup” yet',
  noBackupTodo: 'Run “assentry backup” often, or have the database archived by a tool of your own.',
  backupTodo: 'Restore and verify one on another machine now and then.',
  keysLink: 'Go to the servers',
  warning: (warning: ReadyWarning, moment: (at: number) => string): SaidWarning => {
    switch (warning.code) {
      case 'clock-differs':
        return {
          what: `The clock of this node is ${number(Math.abs(warning.seconds))} s ${warning.seconds < 0 ? 'behind' : 'ahead of'} the database’s`,
          todo: 'Set the clock of its machine. Deadlines follow the database’s.',
        };
      case 'log-stands-still':
        return {
          what: 'The audit log does not grow',
          todo: 'A node’s own log says why. What waits is in the database; nothing of it is lost.',
        };
      case 'notifications-stand-still':
        return {
          what: `No one is told of ${count(warning.changes, { one: 'change', other: 'changes' })}, the first of them since ${moment(warning.since)}`,
          todo: 'A node’s own log names the request whose notifications cannot be planned.',
        };
      case 'nodes-differ':
        return {
          what: `Nodes differ in: ${all(warning.settings)}`,
          todo: 'Finish the upgrade, or give all nodes the same settings.',
        };
      case 'keys-expire':
        return {
          what: `${count(warning.keys, { one: 'key of a server expires', other: 'keys of servers expire' })} soon, the first on ${moment(warning.at)}`,
          todo: 'Create the next keys before then.',
        };
      case 'witness-disagrees':
        return {
          what: `A longer or different log was seen by ${all(warning.witnesses)}`,
          todo: 'The database was restored to an older state, or replaced. Find out who did that.',
        };
      case 'stream-fails':
        return {
          what: `The log does not reach ${all(warning.streams)}`,
          todo: '“assentry audit streams” says why. The entries wait in the log.',
        };
      case 'log-changed':
        return {
          what: 'The audit log, or a row that follows from it, was changed',
          todo: 'Treat this as an intrusion: keep the database as it is, and run “assentry audit verify”.',
        };
    }
  },
};

/** What a part of the settings is for. */
export const purposes = { delivery: 'Delivery', reviews: 'Reviews', workloads: 'Workloads' };
