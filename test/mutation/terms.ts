import { faultsOf, type Fault } from './fault.ts';

const first = 'stricter: (first) => first,';
const tests = ['test/policies/deciding/combine.properties.test.ts'];
const faultOf = (name: string, stricter: string, becomes = first): Fault[] =>
  faultsOf(`src/policies/terms/${name}.ts`, tests, [[stricter, becomes]]);

/** Of each term, that two policies get the first one's; of a term that is the first one's, that they get the other's. */
export const termFaults: Fault[] = [
  ...faultOf('requester', 'stricter: stricterRequester,'),
  ...faultOf('risk', 'stricter: higherRisk<Risk | null>,'),
  ...faultOf('deadline', 'stricter: shorter,'),
  ...faultOf('on-timeout', "(first === 'deny' ? 'deny' : other)", 'first'),
  ...faultOf('reminders', 'stricter: ofFirst,', 'stricter: (_first, other) => other,'),
  ...faultOf('quiet-hours', 'stricter: ofFirst,', 'stricter: (_first, other) => other,'),
  ...faultOf('justification', 'requester: allOf(first.requester, other.requester)', 'requester: first.requester'),
  ...faultOf('justification', 'approver: allOf(first.approver, other.approver)', 'approver: first.approver'),
  ...faultOf('confirmation', 'stricter: allOf<ConfirmationRule>,'),
  ...faultOf('fresh-sign-in', 'stricter: shorter,'),
  ...faultOf('presence', 'stricterPresence(first.needed, other.needed)', 'first.needed'),
  ...faultOf('presence', 'first.hasDefault || other.hasDefault', 'first.hasDefault'),
  ...faultsOf('src/people/directory/contract/presence.ts', tests, [
    ["first.acr !== other.acr ? 'passkey' : first", 'first.acr !== other.acr ? other : first'],
  ]),
  ...faultOf('reading-time', 'stricter: longerReading,'),
  ...faultOf('pace', 'stricter: allOf<PaceRule>,'),
  ...faultOf('not-before', '=> first && other', '=> first'),
  ...faultOf('editable', 'stricter: neither,'),
  ...faultOf('facts', '(first.length > 0 ? first : other)', 'first'),
  ...faultOf('undo', 'stricter: longer,'),
  ...faultOf('grant', 'stricter: neither,'),
  ...faultOf('chat', 'stricter: bothTell,'),
  ...faultOf('notify', 'stricter: bothNotify,'),
  ...faultsOf('src/policies/document/rules/term.ts', tests, [
    ['Math.min(first, other)', 'Math.max(first, other)'],
    ['Math.max(first, other)', 'Math.min(first, other)'],
  ]),
];
