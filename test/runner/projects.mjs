import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Files whose inputs seldom change, or that take minutes: MCP's own suites, servers of others, faults, the bench. */
const NIGHTLY = [
  /^test\/(bench|conformance|inspector|matrix)\//,
  /^test\/browser\/(twenty-questions|worst-cases)\./,
  /^test\/chaos\/chaos\./,
  /^test\/gateway\/harness\/real-agents\./,
  /^test\/gateway\/tools\/known-packages\./,
  /^test\/stories\/crowd\./, // of each landing on the system's PostgreSQL
  /^test\/support\/node22\./,
];
/** Files that drive a browser, other people's programs or whole processes of ours, or that try every way there is. */
const WHOLE = [
  /^test\/access\/oidc\/credential-issuers\./,
  /^test\/audit\/(exports\/columns|search\/insights|streams\/killed|verify\/log)\./,
  /^test\/browser\//,
  /^test\/cli\/(apply|dev|doctor|operator|places|policy|serve|start|users|words|workers|wrap)\./,
  /^test\/connect\/(outcomes\/(author-)?)?killed\./,
  /^test\/gateway\/(harness\/hook|http\/(differential|stdio)|merged\/merged|relay\/(differential|ends)|same\/\w+)\./,
  /^test\/lockfiles\./,
  /^test\/notify\/(chat\/)?killed\./,
  /^test\/people\/changes\/change-requests\./,
  /^test\/platform\/embedded\//,
  /^test\/requests\/(deliberation\/(permissions|separation-matrix)|state\/paths)\./,
  /^test\/sdk\/(client\/edge|host\/everything)\./,
  /^test\/sdk\/mcp\/(channels\/(abandoned|delivery)|examples|several-nodes|run\/(left-claims|progress-frames))\./,
  /^test\/sdk\/mcp-v2\/(await|every-channel|interrupted|isolation|relay|tasks)\./,
  /^test\/stories\/(archived-year|clocks|kept-head|demo|documented|killed|nothing-readable|packed|proven-log|restored|ten-lines|witnessed)/,
  /^test\/support\/browser\/browser\./,
];
/** With TEST_POSTGRES, what depends most on the database server runs on the one of the system's packages. */
const STOCK = [
  /^test\/access\/(keys\/servers-store|scim\/scim(-leaver)?|sign-in\/budgets)\./,
  /^test\/audit\/(entries\/(insight-totals|merkle-log)|search\/questions|verify\/(another-past|standing-proof|tampering))\./,
  /^test\/notify\/(planning|webhooks)\./,
  /^test\/people\/(directory\/directory-store|users\/users-store)\./,
  /^test\/policies\/versions\/policies\./,
  /^test\/requests\/(asking\/(claim|grants|open-race|request-states)|deliberation\/edit-race|voting\/vote-race)\./,
  /^test\/requests\/(inbox\/(approvers|inbox)|state\/(due-timers|outbox|reader|statements|tool-calls))\./,
  /^test\/server\/(during-migration|logins|secrets|server-settings|store-faults)\./,
  /^test\/stories\/(compliance|crowd|history)\./,
];
const RELATIVE = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;
const database = path.normalize('test/support/databases/database.ts');
const answers = new Map();

/** Which test files are in which project: `unit` holds what reaches no database, so that it starts none. */
export function sortFiles() {
  const files = readdirSync('test', { recursive: true })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => path.posix.join('test', file.replaceAll('\\', '/')));
  const among = (patterns) => (file) => patterns.some((pattern) => pattern.test(file));
  if (process.env.TEST_POSTGRES !== undefined) return { stock: files.filter(among(STOCK)) };
  const [nightly, others] = [files.filter(among(NIGHTLY)), files.filter((file) => !among(NIGHTLY)(file))];
  const [whole, rest] = [others.filter(among(WHOLE)), others.filter((file) => !among(WHOLE)(file))];
  return { unit: rest.filter((file) => !needsDatabase(file)), system: rest.filter(needsDatabase), whole, nightly };
}

function needsDatabase(file) {
  if (file === database) return true;
  if (answers.has(file)) return answers.get(file);
  answers.set(file, false); // for files that import each other
  const answer = importsOf(file).some(needsDatabase);
  answers.set(file, answer);
  return answer;
}

function importsOf(file) {
  const text = readFileSync(file, 'utf8');
  const paths = [...text.matchAll(RELATIVE)].map(([, name]) => path.join(path.dirname(file), name));
  return paths.filter((name) => name.startsWith('test') && existsSync(name)); // sources import no test
}
