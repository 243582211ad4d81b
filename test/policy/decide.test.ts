import { describe, expect, test } from '@jest/globals';
import { decide } from '../../src/policy/decide.ts';
import { resolveStages } from '../../src/policy/resolve-stages.ts';
import { directoryOf, factsOf, person } from './people.ts';
import { bookOf } from './policies.ts';

const allow = 'policy: small\nwhen: request.args.amount < 10000\nallow: { ceiling: medium }';
const deny = 'policy: never\nmatch: { tool: transfer }\npriority: -5\ndeny: { reason: Not today. }';
const finance =
  'policy: finance\nwhen: request.args.amount > 1000\nrequire: { stages: [{ name: Finance, approve: 2, approvers: { group: finance } }] }';

describe('deciding', () => {
  test('P2 a deny that applies wins, whatever the priority', () => {
    const verdict = decide(bookOf(allow, deny, finance), factsOf());
    expect(verdict).toMatchObject({ outcome: 'deny', policy: 'never@1', reason: 'Not today.', stages: [] });
  });

  test('what requires comes before what allows', () => {
    expect(decide(bookOf(allow, finance), factsOf())).toMatchObject({ outcome: 'require', policy: 'finance@1' });
  });

  test('the stages get their persons, and never the requester', () => {
    const directory = directoryOf(
      person('rita', { groups: ['finance'] }),
      person('ada', { groups: ['finance'] }),
      person('ben', { groups: ['finance'] }),
    );
    const { stages } = decide(bookOf(finance), factsOf());
    expect(resolveStages(stages, directory, factsOf())).toMatchObject({
      ok: true,
      stages: [{ name: 'Finance', excluded: ['rita'], groups: [{ approve: 2, deny: 1, approvers: ['ada', 'ben'] }] }],
    });
  });
});
