/** How many statements of this database wait for a lock; `pg_locks` shows those of all databases, and so of other tests. */
export const lockWaits = `SELECT count(*)::int FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE NOT granted AND datname = current_database()`;
