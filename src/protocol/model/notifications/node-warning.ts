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
  /** Nodes run with different values of these settings. */
  | { code: 'nodes-differ'; settings: string[] }
  /** So many keys of servers expire soon, the first of them at this moment. */
  | { code: 'keys-expire'; keys: number; at: number }
  /** The log, or a row that follows from it, was changed. */
  | { code: 'log-changed' };
