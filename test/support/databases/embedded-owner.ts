import { startEmbeddedDatabase } from '#platform/embedded/database';

// A process of its own that uses an embedded database until its standard input ends, or until it is killed:
// node embedded-owner.js <directory> [uid]

const [directory = '', uid] = process.argv.slice(2);
if (uid !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}
const database = await startEmbeddedDatabase({ directory, env: process.env });
process.stdout.write(`${JSON.stringify({ url: database.url(), owned: database.owned })}\n`);
process.stdin.resume();
process.stdin.once('end', () => void database.stop().then(() => process.exit(0)));
