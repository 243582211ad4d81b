import { readFileSync } from 'node:fs';
import { Problem } from '../../model/problem/problem.ts';

/** The system user that PostgreSQL runs as; undefined means the user of this process. */
export type ServerAccount = { uid: number; gid: number } | undefined;

/** PostgreSQL refuses to run as root, and initdb needs a user with a name: this takes one that most systems have. */
export function findServerAccount(): ServerAccount {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (user) return { uid: Number(user[2]), gid: Number(user[3]) };
  throw new Problem('database-unavailable', {
    detail:
      'PostgreSQL does not run as root, and this system has neither a user "postgres" nor "nobody". ' +
      'Start Assentry as an ordinary user, or set DATABASE_URL.',
  });
}
