// `node scripts/proof-pages.mjs [--check]`: writes docs/security-requirements.md and docs/attacks.md from test/proofs, or
// fails if they are out of date.

import { readFileSync, writeFileSync } from 'node:fs';

const states = ['Holds', 'Partly', 'Not yet', 'Does not apply'];

const pages = {
  'docs/security-requirements.md': requirementsPage(read('security-requirements')),
  'docs/attacks.md': attacksPage(read('attacks')),
};

for (const [file, text] of Object.entries(pages)) {
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is out of date: run node scripts/proof-pages.mjs.`);
    process.exitCode = 1;
  }
}

function read(name) {
  return JSON.parse(readFileSync(`test/proofs/${name}.json`, 'utf8'));
}

function requirementsPage(sections) {
  const all = sections.flatMap(({ requirements }) => requirements);
  const [holds, partly, notYet, notApplicable] = states.map((state) => all.filter((row) => row.state === state).length);
  return `# Security requirements

<!-- Written by scripts/proof-pages.mjs from test/proofs/security-requirements.json. -->

The ${all.length} requirements that Assentry is checked against, each with its tests or the reason why it does not hold: ${holds} hold,
${partly} hold partly, ${notYet} do not hold yet, ${notApplicable} do not apply. Tests are files under \`test/\`, without \`.test.ts\`; the titles of the
tests are in \`test/proofs/security-requirements.json\`, and \`npm test\` checks that they exist.

Ids: AI integrity of approvals, MT MCP and its tokens, CB callbacks, WB console, AU sign-in, AZ access, CR cryptography,
WH other services, AV availability, AD audit log, CF configuration.

${sections
  .map(({ title, requirements }) =>
    part(title, [
      ['id', 'requirement', 'state', 'tests, or why not'],
      ...requirements.map((row) => [row.id, row.requirement, row.state, evidenceOf(row)]),
    ]),
  )
  .join('\n')}`;
}

function evidenceOf({ proofs, reason }) {
  const files = [...new Set(proofs.map(({ file }) => `\`${file}\``))];
  return [files.join(', '), reason].filter(Boolean).join('. ');
}

function attacksPage(sections) {
  return `# Attacks and what stops them

<!-- Written by scripts/proof-pages.mjs from test/proofs/attacks.json. -->

Each attack has tests that try it: \`test/proofs/attacks.json\` names them, and \`npm test\` checks that they exist.
[Security](security.md) says what each promise rests on.

${sections
  .map(({ title, attacks }) =>
    part(title, [['attack', 'what stops it'], ...attacks.map(({ attack, stop }) => [attack, stop])]),
  )
  .join('\n')}`;
}

function part(title, [head, ...rows]) {
  const lines = [head, head.map(() => '---'), ...rows].map(
    (row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return `## ${title}\n\n<!-- prettier-ignore-start -->\n\n${lines.join('\n')}\n\n<!-- prettier-ignore-end -->\n`;
}
