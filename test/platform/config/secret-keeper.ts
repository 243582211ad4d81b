import { once } from 'node:events';
import { keepSecret } from '#platform/config/secrets';

// A process that, once its standard input ends, keeps a secret and says which:
// node secret-keeper.js <directory>

process.stdin.resume();
process.stdout.write('ready\n');
await once(process.stdin, 'end');
process.stdout.write(JSON.stringify(await keepSecret(process.argv[2] ?? '')));
