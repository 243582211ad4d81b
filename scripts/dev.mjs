// `npm run dev`: the server and the console on one address, both reloaded when their source changes.
import { spawn } from 'node:child_process';
import { createServer } from 'vite';

const port = Number(process.env['ASSENTRY_PORT'] ?? 4700);
const url = `http://127.0.0.1:${port}`;
const backend = port + 1;

const vite = await createServer({ configFile: 'vite.config.mjs', server: { ...proxied(), port, strictPort: true } });
await vite.listen();

const server = spawn(
  process.execPath,
  ['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false', 'src/cli/main.ts', 'serve'],
  {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true, // a second signal would kill the server before its database has stopped
    env: {
      ...process.env,
      ASSENTRY_PORT: String(backend),
      ASSENTRY_PUBLIC_URL: url,
      ASSENTRY_ENVIRONMENT: 'trial',
    },
  },
);
server.once('exit', (code) => void vite.close().then(() => process.exit(code ?? 1)));

let isEnding = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (!isEnding) server.kill(signal);
    isEnding = true;
  });
}

/** The console's pages come from Vite; everything that the API serves comes from the server. */
function proxied() {
  const paths = [
    '/api',
    '/v1',
    '/e/',
    '/go/',
    '/scim',
    '/credentials/',
    '/callback',
    '/providers/',
    '/errors/',
    '/chat',
    '/csp-reports',
    '/log',
    '/metrics',
    '/healthz',
    '/readyz',
    '/openapi.json',
  ];
  const target = `http://127.0.0.1:${backend}`;
  return { host: '127.0.0.1', proxy: Object.fromEntries(paths.map((path) => [path, { target }])) };
}
