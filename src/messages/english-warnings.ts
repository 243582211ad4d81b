import type { NodeWarning } from '#protocol/model/notifications/node-warning';
import { formatsIn } from '#protocol/model/text/formats';

const { all, count, number } = formatsIn('en');

interface SaidWarning {
  what: string;
  todo: string;
}

/** What a node warns of, and what to do about it. */
export function formatWarning(warning: NodeWarning, moment: (at: number) => string): SaidWarning {
  switch (warning.code) {
    case 'clock-differs':
      return {
        what: `The clock of this node is ${number(Math.abs(warning.seconds))} s ${warning.seconds < 0 ? 'behind' : 'ahead of'} the database’s`,
        todo: 'Set the clock of its machine. Deadlines follow the database’s.',
      };
    case 'log-stands-still':
      return {
        what: 'The audit log does not grow',
        todo: 'Read in the nodes’ own logs why. What waits is in the database; nothing of it is lost.',
      };
    case 'notifications-stand-still':
      return {
        what: `No one is told of ${count(warning.changes, { one: 'change', other: 'changes' })}, the first of them since ${moment(warning.since)}`,
        todo: 'Look in the nodes’ own logs for the request whose notifications cannot be planned.',
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
        todo: 'Find out who restored the database to an older state, or replaced it.',
      };
    case 'stream-fails':
      return {
        what: `The log does not reach ${all(warning.streams)}`,
        todo: 'Run “assentry audit streams”, which says why. The entries wait in the log.',
      };
    case 'log-changed':
      return {
        what: 'The audit log, or a row that follows from it, was changed',
        todo: 'Treat this as an intrusion: keep the database as it is, and run “assentry audit verify”.',
      };
  }
}
