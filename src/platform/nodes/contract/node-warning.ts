/** A matter for the operator although the node serves. */
export type NodeWarning =
  /** The machine's clock differs from the database's by this many seconds; less than 0 if it is behind. */
  | { code: 'clock-differs'; seconds: number }
  /** Entries get no places, because the log differs from the signed one; the node's own log has the reason. */
  | { code: 'log-stands-still' }
  /** These witnesses have seen a longer log, or another past. */
  | { code: 'witness-disagrees'; witnesses: string[] }
  /** These streams of the log do not arrive. */
  | { code: 'stream-fails'; streams: string[] }
  /** This many changes wait to be planned as notifications, the first since this moment. */
  | { code: 'notifications-stand-still'; changes: number; since: number }
  /**
   * The mail server takes no mail: this many were tried again, the first since this moment, and the latest failed with this
   * code.
   */
  | { code: 'mails-fail'; mails: number; since: number; fault: string }
  /** The mail server refuses this node, for this reason. */
  | { code: 'mail-server-fails'; fault: string }
  /** These identity providers do not answer. */
  | { code: 'provider-fails'; providers: string[] }
  /** These identity providers sign people in without the time of their proof. */
  | { code: 'provider-untimed'; providers: string[] }
  /** The public address leads to no Assentry, for this reason. */
  | { code: 'address-fails'; fault: string }
  /** There is no complete backup, or the last one is older than a day. */
  | { code: 'backup-missing'; at: number | null }
  /** No head of the log is kept outside the database. */
  | { code: 'log-head-not-kept' }
  /** This work of the node fails again and again. */
  | { code: 'loop-fails'; loops: string[] }
  /** These witnesses have not cosigned for minutes. */
  | { code: 'witness-silent'; witnesses: string[] }
  /** Nodes run with different values of these settings. */
  | { code: 'nodes-differ'; settings: string[] }
  /** These versions in force allow shell commands by their beginning, or by a part of them. */
  | { code: 'commands-by-part'; policies: string[] }
  /** This many keys of servers expire soon, the first at this moment. */
  | { code: 'keys-expire'; keys: number; at: number }
  /** This many reports of services reached no call within a week, the first at this moment. */
  | { code: 'reports-lost'; reports: number; since: number }
  /** The log, or a row that follows from it, was changed. */
  | { code: 'log-changed' };

/** Most urgent first: possible untruths, then obstacles to decisions, then the rest. */
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
