// Runs the command line as another user, with what the first one has compiled:
// node as-user.js <uid> <words of the command>
import path from 'node:path';

const [uid] = process.argv.splice(2, 1);
process.setgroups?.([]);
process.setgid?.(Number(uid));
process.setuid?.(Number(uid));
await import(path.resolve('dist/cli/main.js'));
