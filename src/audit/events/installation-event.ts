/** What happened to the installation as a whole. */
export type InstallationEvent =
  /** The secret was activated, so that every node seals with it, or retired. */
  { type: 'secret.activated' | 'secret.retired'; kid: string } | DatabaseRestored;

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
