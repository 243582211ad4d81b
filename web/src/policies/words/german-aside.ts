import type { Risk } from '#requests/asking/contract/elicitation';
import type { PolicyAside } from '#policies/contract/policy';
import type { formatAside as english } from '#messages/english-aside';
import { formatsIn } from '#platform/text/formats';

const { all } = formatsIn('de');

/** Why a policy that was tried does not decide a call, and what to do about it. */
export const formatAside: typeof english = (aside) => `Diese Richtlinie zählt hier nicht: ${because(aside)}`;

function because(aside: PolicyAside): string {
  switch (aside.kind) {
    case 'other-calls':
      return 'Sie gilt (match) für andere Aufrufe.';
    case 'condition':
      return aside.clauses.length === 0
        ? 'Ihre Bedingung trifft nicht zu.'
        : `Das trifft nicht zu: ${all(aside.clauses)}.`;
    case 'failed':
      return `Ihre Bedingung ließ sich nicht auswerten. ${aside.failure}`;
    case 'ceiling':
      return `Sie reicht bis zu ${risks[aside.ceiling]} Risiko, und dieser Aufruf hat ${risk[aside.risk]} Risiko. Damit sie gilt, schreiben Sie: ceiling: ${aside.risk}`;
    case 'other-failed':
      return `Nichts läuft ohne Rückfrage, solange sich ${aside.policy} nicht auswerten lässt.`;
    case 'outranked':
      return `${aside.policy} entscheidet.`;
  }
}

const risk: Record<Risk, string> = { low: 'niedriges', medium: 'mittleres', high: 'hohes' };
const risks: Record<Risk, string> = { low: 'niedrigem', medium: 'mittlerem', high: 'hohem' };
