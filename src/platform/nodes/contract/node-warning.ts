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
  /** The mail server does not let this node in, for this reason. */
  | { code: 'mail-server-fails'; fault: string }
  /** These identity providers do not answer. */
  | { code: 'provider-fails'; providers: string[] }
  /** These identity providers sign people in and do not say when the person proved who they are. */
  | { code: 'provider-untimed'; providers: string[] }
  /** The public address leads to no Assentry, for this reason. */
  | { code: 'address-fails'; fault: string }
  /** There is no complete backup, or the last one is older than a day. */
  | { code: 'backup-missing'; at: number | null }
  /** No one outside the database keeps a head of the log. */
  | { code: 'log-head-not-kept' }
  /** This work of the node fails again and again. */
  | { code: 'loop-fails'; loops: string[] }
  /** These witnesses have not cosigned for minutes. */
  | { code: 'witness-silent'; witnesses: string[] }
  /** Nodes run with different values of these settings. */
  | { code: 'nodes-differ'; settings: string[] }
  /** These versions in force allow shell commands by their beginning, or by a part of them. */
  | { code: 'commands-by-part'; policies: string[] }
  /** So many keys of servers expire soon, the first of them at this moment. */
  | { code: 'keys-expire'; keys: number; at: number }
  /** So many reports of services reached no call within a week, the first of them at this moment. */
  | { code: 'reports-lost'; reports: number; since: number }
  /** The log, or a row that follows from it, was changed. */
  | { code: 'log-changed' };

/** The most urgent first: what may be untrue, then what keeps people from deciding, then what can wait. */
export const warningCodes = [
  'log-changed',
  'witness-disagrees',
  'notifications-stand-still',
  'mails-fail',
  'reports-lost',
  'mail-server-fails',
  'provider-fails',
  'address-fails',
  'loop-fails',
  'log-stands-still',
  'nodes-differ',
  'provider-untimed',
  'commands-by-part',
  'clock-differs',
  'witness-silent',
  'stream-fails',
  'backup-missing',
  'log-head-not-kept',
  'keys-expire',
] as const satisfies NodeWarning['code'][];
