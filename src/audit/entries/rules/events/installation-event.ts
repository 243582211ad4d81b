/** What happened to the installation as a whole. */
export type InstallationEvent =
  /** The secret was activated, so that every node seals with it, or retired. */
  { type: 'secret.activated' | 'secret.retired'; kid: string } | DatabaseRestored | LogVerified | NodeConfigured;

/**
 * The database was put back to this moment, and what came after the first `size` entries is gone. `lost` is the longest
 * head that was known before, if the operator declared that the backup is older.
 */
export interface DatabaseRestored {
  type: 'database.restored';
  madeAt: number;
  size: number;
  lost?: { size: number; root: string };
}

/** The first `size` entries were verified; `isWhole` is false if they, or rows that follow from them, were changed. */
interface LogVerified {
  type: 'log.verified';
  size: number;
  isWhole: boolean;
}

/** A node started under other settings than the node that started before. */
export interface NodeConfigured {
  type: 'node.configured';
  version: string;
  settings: NodeSettings;
}

/** What changes who may decide, who is told, and what is kept. Secrets by their key ids, other sides by their names. */
export interface NodeSettings {
  environment: string;
  /** What applies without a policy; times in milliseconds. */
  unknownTools: string;
  requester: string;
  readingTime: number;
  /** Absent in entries of earlier versions. */
  secondFactor?: string;
  sessions: { idle: number; longest: number };
  limits: { perServer: number; perRequester: number; perApprover: number };
  secrets: string[];
  /** Servers whose callers' access tokens are checked. */
  checkedServers: string[];
  /** Whose word about a caller's address is taken. */
  trustedProxies: string[];
  publicUrl: string | null;
  mailServer: string | null;
  votesInChat: boolean;
  /** Networks that are not public and that webhooks may reach. */
  webhookNetworks: string[];
  witnesses: string[];
  /** The names of the streams of the log. */
  streams: string[];
  keepsHead: boolean;
  copiesHeads: boolean;
  /** The bucket of copies that no one can change for so many days. */
  lockedCopies: { bucket: string; days: number } | null;
}
