/** What differs between two starts of a server. */
export interface Start {
  /** Where it goes: another one is another server. */
  place: 'staging' | 'production';
  /** Of the package: another one is the same server. */
  version: string;
  /** Another one is the same server. */
  secret: string;
  cwd: string;
}

export interface StartedServer {
  words: string[];
  own?: Record<string, string>;
  inherited?: Record<string, string>;
}

type Form = (start: Start) => StartedServer;

const database = ({ place, secret }: Start): string => `postgresql://app:${secret}@${place}.example.com:5432/app`;
const address = ({ place, secret }: Start): string => `https://${place}.example.com/mcp?api_key=${secret}`;
const words = (...list: string[]): StartedServer => ({ words: list });

/** Ways in which people start servers, each with a place, a version and a secret. */
export const forms: Record<string, Form> = {
  npx: (s) => words('npx', '-y', `@scope/server-postgres${s.version}`, database(s)),
  'npx with a package of its own': (s) => words('npx', `--package=@scope/db${s.version}`, 'db', database(s)),
  'npm exec': (s) => words('npm', 'exec', '--', `server-postgres${s.version}`, database(s)),
  'pnpm dlx': (s) => words('pnpm', 'dlx', `server-postgres${s.version}`, database(s)),
  bunx: (s) => words('bunx', `server-postgres${s.version}`, '--url', database(s)),
  'cmd and npx': (s) => words('cmd', '/c', 'npx', '-y', `server-postgres${s.version}`, database(s)),
  uvx: (s) => words('uvx', `mcp-server-postgres${s.version}`, `--dsn=${database(s)}`),
  'uvx from': (s) => words('uvx', '--from', `git+https://github.com/x/db${s.version}`, 'db', database(s)),
  'uv tool run': (s) => words('uv', 'tool', 'run', `db${s.version}`, database(s)),
  'uv in a folder': (s) => words('uv', '--directory', `/srv/${s.place}`, 'run', 'server.py'),
  'uv run': (s) => words('uv', 'run', '--directory', '/srv/db', 'server.py', database(s)),
  'pipx run': (s) => words('pipx', 'run', `db${s.version}`, database(s)),
  'poetry run': (s) => words('poetry', '-C', `/srv/${s.place}`, 'run', 'server'),
  node: (s) => words('node', '/srv/db/index.js', database(s)),
  'node with variables': (s) => ({
    words: ['node', '/srv/db/index.js'],
    own: { MODE: s.place, API_KEY: s.secret },
  }),
  'node with a file of variables': (s) => words('node', `--env-file=/srv/${s.place}.env`, '/srv/db/index.js'),
  'inherited variables': (s) => ({
    words: ['npx', `server-postgres${s.version}`],
    inherited: { DATABASE_URL: database(s), DB_PASSWORD: s.secret, TERM_SESSION_ID: s.secret },
  }),
  'inherited host': (s) => ({
    words: ['uvx', `server-postgres${s.version}`],
    inherited: { PGHOST: `${s.place}.example.com`, PGPASSWORD: s.secret, OLDPWD: s.secret },
  }),
  'a profile': (s) => ({ words: ['uvx', `aws${s.version}`], inherited: { AWS_PROFILE: s.place } }),
  'tsx by npx': (s) => words('npx', `tsx${s.version}`, `/srv/${s.place}/server.ts`),
  python: (s) => words('python3', `/srv/${s.place}/server.py`),
  'a module of Python': (s) =>
    words('python', '-m', 'db_server', '--host', `${s.place}.example.com`, '--token', s.secret),
  'java -jar': (s) => words('java', '-Xmx1g', '-jar', '/srv/db.jar', `--url=jdbc:${database(s)}`),
  'dotnet run': (s) => words('dotnet', 'run', '--project', `/srv/${s.place}`),
  'go run': (s) => words('go', 'run', `github.com/x/db${s.version}`, database(s)),
  'a script of a shell': (s) => words('bash', `/srv/${s.place}.sh`),
  'a line for a shell': (s) => words('sh', '-c', `exec npx -y server-postgres${s.version} '${database(s)}'`),
  'a variable in a line for a shell': (s) => ({
    words: ['bash', '-lc', 'npx server-postgres $TARGET'],
    inherited: { TARGET: s.place },
  }),
  'mcp-remote': (s) =>
    words('npx', '-y', `mcp-remote${s.version}`, address(s), '--header', `Authorization: Bearer ${s.secret}`),
  'supergateway to an address': (s) => words('npx', '-y', `supergateway${s.version}`, '--sse', address(s)),
  'supergateway to a command': (s) =>
    words('npx', 'supergateway', '--stdio', `npx -y server-postgres${s.version} ${database(s)}`),
  smithery: (s) => words('npx', '-y', `@smithery/cli${s.version}`, 'run', `@x/${s.place}`, '--key', s.secret),
  'mcp-proxy': (s) => words('uvx', `mcp-proxy${s.version}`, address(s)),
  'mcp-proxy to a command': (s) => words('mcp-proxy', '--', 'npx', `server-postgres${s.version}`, database(s)),
  'op run': (s) => words('op', 'run', `--env-file=/srv/${s.place}.env`, '--', 'npx', `server-postgres${s.version}`),
  'doppler run': (s) => words('doppler', 'run', '-c', s.place, '--', 'npx', `server-postgres${s.version}`),
  env: (s) => words('env', `PGHOST=${s.place}`, `PGPASSWORD=${s.secret}`, 'npx', `server-postgres${s.version}`),
  ssh: (s) => words('ssh', '-T', `${s.place}.example.com`, 'npx', `server-postgres${s.version}`),
  'a command behind ssh': (s) => words('ssh', 'db.example.com', `npx server-postgres${s.version} ${database(s)}`),
  wsl: (s) => words('wsl', '-d', 'Ubuntu', '--', 'npx', `server-postgres${s.version}`, database(s)),
  'docker run': (s) => words('docker', 'run', '-i', '--rm', `mcp/postgres${s.version.replace('@', ':')}`, database(s)),
  'docker with variables': (s) =>
    words(
      'docker',
      'run',
      '-i',
      '-e',
      `PGHOST=${s.place}`,
      '-e',
      `PGPASSWORD=${s.secret}`,
      `mcp/db${s.version.replace('@', ':')}`,
    ),
  'docker with inherited variables': (s) => ({
    words: ['docker', 'run', '-i', '-e', 'TARGET', 'mcp/db'],
    inherited: { TARGET: s.place },
  }),
  'docker with a folder': (s) => words('docker', 'run', '-i', '-v', `/srv/${s.place}:/data`, 'mcp/sqlite'),
  'docker mcp': (s) => words('docker', 'mcp', 'gateway', 'run', '--servers', s.place),
  'a program': (s) => words(`/srv/${s.place}/bin/server`),
  'a connection string': (s) =>
    words('npx', 'mssql', `Server=${s.place};Database=app;Password=${s.secret};Encrypt=true`),
  'settings in JSON': (s) => words('npx', 'db', '--config', JSON.stringify({ host: s.place, password: s.secret })),
  'a header that is no secret': (s) =>
    words('npx', 'mcp-remote', 'https://x.example/mcp', '--header', `X-Tenant: ${s.place}`),
  'a live key and one for tests': (s) => ({
    words: ['npx', `@stripe/mcp${s.version}`],
    own: { STRIPE_SECRET_KEY: `sk_${s.place === 'staging' ? 'test' : 'live'}_51${s.secret}51abcdefghij` },
  }),
  'a relative file': () => words('node', './server.js'),
  'a relative folder': () => words('npx', 'server-files', '.'),
  'a relative file of data': () => words('uvx', 'mcp-server-sqlite', '--db-path', 'data.db'),
  'a script of the project': () => words('npm', 'start'),
};

/** These go elsewhere by their working directory, not by a word. */
export const isByFolder = (form: string): boolean => /relative|of the project/.test(form);
