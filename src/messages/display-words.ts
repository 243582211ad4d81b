import type { FieldFault, FieldRule } from '#platform/model/field-fault';
import type { Lookalike } from '#platform/text/lookalikes';
import type { PolicyClause } from '#policies/deciding/contract/clause';
import type { ProblemCode } from '#platform/model/problem';
import type { RefusalCode } from '#requests/inbox/contract/refusal';
import type { Requester } from '#people/directory/contract/user';

/** Words that several displays share: the console, the hosted pages, chat, the command line. */
export interface DisplayWords {
  problems: Record<ProblemCode, string>;
  refusals: Record<RefusalCode, string>;
}

/** What is said of requests, policies and answers. Before the sign-in the console needs none of it. */
export interface SentenceWords {
  clause(clause: PolicyClause): string;
  fault(fault: FieldFault): string;
  rule(rule: FieldRule): string;
}

/** What is said of people and characters wherever a stored text is shown. */
export interface TextWords {
  /** How certain the requester's identity is. */
  verification(requester: Pick<Requester, 'verified' | 'verifiedBy'>): string;
  /** What is shown next to a word that may imitate another. */
  lookalike(word: Lookalike): string;
  /** Names of the better known hidden characters. */
  hiddenNames: Record<string, string>;
}
