/** What an operator should look at although the node serves. */
export type NodeWarning =
  /** The machine's clock is so many seconds ahead of the database's; less than 0 if it is behind. */
  | { code: 'clock-differs'; seconds: number }
  /** Entries get no places, since the log is not what was signed; the node's own log says why. */
  | { code: 'log-stands-still' }
  /** These witnesses have seen a longer log, or another past. */
  | { code: 'witness-disagrees'; witnesses: string[] }
  /** These streams of the log do not arrive. */
  | { code: 'stream-fails'; streams: string[] }
  /** So many changes wait to be planned as notifications, the first of them since this moment. */
  | { code: 'notifications-stand-still'; changes: number; since: number }
  /** The mail server takes no mail: so many were tried again, the first of them since this moment, and the latest failed with this code. */
  | { code: 'mails-fail'; mails: number; since: number; fault: string }
  /** These witnesses have not cosigned for minutes. */
  | { code: 'witness-silent'; witnesses: string[] }
  /** Nodes run with different values of these settings. */
  | { code: 'nodes-differ'; settings: string[] }
  /** These versions in force allow shell commands by their beginning, or by a part of them. */
  | { code: 'commands-by-part'; policies: string[] }
  /** So many keys of servers expire soon, the first of them at this moment. */
  | { code: 'keys-expire'; keys: number; at: number }
  /** The log, or a row that follows from it, was changed. */
  | { code: 'log-changed' };

/** The most urgent first: what may be untrue, then what keeps people from deciding, then what can wait. */
export const warningCodes = [
  'log-changed',
  'witness-disagrees',
  'notifications-stand-still',
  'mails-fail',
  'log-stands-still',
  'nodes-differ',
  'commands-by-part',
  'clock-differs',
  'witness-silent',
  'stream-fails',
  'keys-expire',
] as const satisfies NodeWarning['code'][];
