import { refuseVariable } from '../config/config.ts';
import type { Pooling } from '../config/serving.ts';
import { Problem } from '../model/problem.ts';
import { connectClient } from '../store/database/connect-client.ts';
import type { Database } from '../store/database/database.ts';
import { excessOfLogin, missingSettings } from '../store/database/login.ts';
import { pendingMigrations } from '../store/database/migrate.ts';
import { missingProtections } from '../store/database/protections.ts';
import { missingRights } from '../store/database/rights.ts';

/**
 * Prevents reading, signing or sealing in a database that is not up to date or lacks its protection, or under a login
 * that owns it. Problem `database-unavailable` says why there is no connection; `config-invalid` or `migration-failed`
 * says what is missing and how to repair it.
 */
export async function checkDatabase(
  { prisma }: Pick<Database, 'prisma'>,
  url: string,
  { isPooled }: Pick<Pooling, 'isPooled'>,
): Promise<void> {
  await (await connectClient({ connectionString: url })).end(); // throws with the reason if there is no connection
  const excess = await excessOfLogin(prisma);
  if (excess !== null) throw refuseVariable('DATABASE_URL', excess, giveNodeLogin);
  const statements = isPooled ? await missingSettings(prisma) : null;
  if (statements !== null)
    throw refuseVariable('ASSENTRY_DB_POOLER', 'a login without settings of its own', `run "${statements}"`);
  const [pending] = await pendingMigrations(prisma);
  if (pending !== undefined) throw refuse(runMigrate, `The migration ${pending} is not applied yet.`);
  const rights = await missingRights(prisma);
  if (rights.length > 0) throw refuse(runMigrate, rights.join(' '));
  const [missing] = await missingProtections(prisma);
  if (missing !== undefined) throw refuse('', `${missing} ${putBack}`);
}

const giveNodeLogin =
  'run "assentry migrate" with it, and give the address that it prints: nodes and commands run under a login that owns nothing';
const runMigrate = 'Run "assentry migrate" with the DATABASE_URL of the login that owns the database. ';
const putBack =
  'Restore it from prisma/migrations, and run "assentry audit verify": changes made meanwhile may not be in the log.';

const refuse = (remedy: string, fault: string): Problem =>
  new Problem('migration-failed', { detail: `${remedy}${fault}` });
