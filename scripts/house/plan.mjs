// Names the groups: `node scripts/house/plan.mjs < units.json > plan.json`, by subject, role and, if a role has several files, noun.
import { place, roleless } from './areas.mjs';
import { readFileSync } from 'node:fs';
import path from 'node:path';
const { members, nouns } = JSON.parse(readFileSync(0, 'utf8'));
const kept = /^src\/(cli\/main|server\/server|sdk\/(client\/client|mcp\/assentry(-v2)?|host\/assentry-host|agents\/assentry-agents|testing\/assentry-testing))\.ts$/;
const groups = new Map();
for (const [u, fs] of Object.entries(members)) {
  const { area, role } = place(u);
  const k = `${area}:${role}`;
  if (!groups.has(k)) groups.set(k, []);
  groups.get(k).push([u, fs]);
}
const plan = {};
for (const [k, us] of groups) {
  const [area, role] = k.split(':');
  for (const [u, fs] of us) {
    const noun = nouns[u] ?? path.basename(u, '.ts');
    let to;
    if (kept.test(u)) to = u;
    else if (role === 'x' || roleless.test(area)) to = `src/${area}/${noun}.ts`;
    else if (us.length === 1) to = `src/${area}/${role}.ts`;
    else to = `src/${area}/${role}/${noun}.ts`;
    if (plan[to]) {
      console.error(`${to} twice: ${plan[to]} and ${fs}`);
      to = to.replace(/\.ts$/, `-${Object.keys(plan).length}.ts`);
    }
    plan[to] = fs;
  }
}
console.log(JSON.stringify(plan, null, 1));
