// Places the groups of the console: `node scripts/house/plan-web.mjs < units.json > plan.json`.
import { placeWeb } from './areas.mjs';
import { execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
const { members, nouns } = JSON.parse(readFileSync(0, 'utf8'));
const plan = {};
const newOf = new Map();
const put = (to, froms) => {
  if (plan[to]) throw new Error(`${to} twice: ${plan[to]} and ${froms}`);
  plan[to] = froms;
  for (const f of froms) newOf.set(f, to);
};
for (const [u, fs] of Object.entries(members)) {
  if (/^web\/src\/[^/]+$/.test(u)) {
    put(u, fs);
    continue;
  }
  const { area, role } = placeWeb(u);
  if (role === 'words') {
    const base = path.basename(u);
    let to = `web/src/${area}/words/${base}`;
    if (plan[to]) to = `web/src/${area}/words/${path.basename(path.dirname(u)).replace('words', 'shared')}/${base}`;
    put(to, fs);
    continue;
  }
  const ext = fs.some((f) => f.endsWith('x')) ? '.tsx' : '.ts';
  const main = fs.find((f) => /Page\.tsx$/.test(f)) ?? u;
  const noun = nouns[u] ?? path.basename(main).replace(/\.tsx?$/, '');
  put(`web/src/${area}/${noun}${ext}`, fs);
}
const styles = execSync("git ls-files 'web/src/**.css' 'web/src/**.svg'", { encoding: 'utf8' }).trim().split('\n');
for (const css of styles) {
  const base = path.basename(css);
  const users = execSync(`grep -rl "/${base}'" web/src || true`, { encoding: 'utf8' }).trim().split('\n').filter(Boolean);
  const own = users.find((f) => path.dirname(f) === path.dirname(css) && newOf.has(f)) ?? users.find((f) => newOf.has(f));
  if (!own) {
    console.error(`${css}: no importer`);
    put(css.replace('/ui/shell/', '/shell/'), [css]);
    continue;
  }
  const to = path.dirname(newOf.get(own));
  put(to === 'web/src' ? css : `${to}/${base}`, [css]);
}
console.log(JSON.stringify(plan, null, 1));
