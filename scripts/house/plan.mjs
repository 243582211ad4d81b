// Names the groups: `node scripts/house/plan.mjs < units.json > plan.json`, by subject, role and, if a role has several files, noun.
import { place } from './areas.mjs';
import { readFileSync } from 'node:fs';
import path from 'node:path';
const units = JSON.parse(readFileSync(0, 'utf8'));
const groups = new Map();
for (const [u, fs] of Object.entries(units)) {
  const { area, role } = place(u);
  const k = `${area}:${role}`;
  if (!groups.has(k)) groups.set(k, []);
  groups.get(k).push([u, fs]);
}
const plan = {};
for (const [k, us] of groups) {
  const [area, role] = k.split(':');
  for (const [u, fs] of us) {
    const base = path.basename(u, '.ts');
    let to;
    if (role === 'x') to = `src/${area}/${base}.ts`;
    else if (us.length === 1) to = `src/${area}/${role}.ts`;
    else to = `src/${area}/${role}/${base}.ts`;
    if (plan[to]) to = to.replace(/\.ts$/, `-${Object.keys(plan).length}.ts`);
    plan[to] = fs;
  }
}
console.log(JSON.stringify(plan, null, 1));
