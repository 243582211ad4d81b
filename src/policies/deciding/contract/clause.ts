import type { Presence } from '#people/directory/contract/presence';
import type { PersonalChannel } from '#notify/chat/contract';
import type { Audience, Mode, Risk } from '#requests/asking/contract/elicitation';
import type { Role } from '#people/directory/contract/permission';
import type { Meaning } from '#requests/voting/contract/stages';

/**
 * One clause of a policy, as data; the console, chat and the command line word it. Times are milliseconds, moments
 * milliseconds since 1970.
 */
export type PolicyClause =
  | { kind: 'applies'; to: ClauseMatch; when: string | null }
  /** The next clauses are about one of several rules: the first whose condition is true; null is always true. */
  | { kind: 'rule'; position: number; when: string | null }
  | { kind: 'retired'; reason: string }
  | { kind: 'unreadable' }
  /** It allows shell commands by their beginning, or by a part of them, which a new version may not. */
  | { kind: 'commands-by-part' }
  | { kind: 'denied'; reason: string }
  /** `ceiling`: the highest risk that needs no approval; null if this request needs none. `until`: the end of that; null for none. */
  | { kind: 'allowed'; ceiling: Risk | null; until?: number | null | undefined }
  /** The share of allowed calls that a person looks at later. */
  | { kind: 'sampled'; percent: number }
  | { kind: 'requester' }
  /** The requester answers, up to this risk. */
  | { kind: 'confirmed'; ceiling: Risk }
  /** The request needs more than the policy says, or more than it would need without a policy. */
  | { kind: 'raised'; because: RaisedBecause }
  | { kind: 'checked-requester' }
  | { kind: 'frozen'; window: string }
  /** `position` counts from one; null if there is one stage only. */
  | { kind: 'stage'; position: number | null; name: string; complete: 'all' | 'any'; groups: ClauseGroup[] }
  /** `stage` is null if there is one stage only. */
  | { kind: 'escalation'; stage: string | null; steps: ClauseStep[]; rounds: number; end: 'wait' | 'deny' }
  | { kind: 'separation'; excluded: SeparatedPerson[] }
  /** The risk that the console shows instead of the computed one. */
  | { kind: 'risk'; risk: Risk }
  | { kind: 'deadline'; after: number; outcome: 'expire' | 'deny' }
  | { kind: 'reminders'; after: number[]; quiet: QuietHours | null }
  | { kind: 'justification'; from: 'requester' | 'approver'; minLength: number; like: string | null }
  /** The text that approvers type: the value at this JSON Pointer into the arguments, or the given text. */
  | { kind: 'confirmation'; path: string | null; text: string | null }
  | { kind: 'fresh-sign-in'; within: number }
  /** The proof that an approval needs of its person. */
  | { kind: 'presence'; needed: Exclude<Presence, 'none'> }
  /** An approval counts only this long after the request was shown. */
  | { kind: 'reading-time'; within: number }
  /** A pause after so many approvals of one person, or so many hasty ones in a row. */
  | { kind: 'pace'; approvals: number | null; hasty: number | null; within: number }
  | { kind: 'start' }
  | { kind: 'editable'; arguments: string[] }
  | { kind: 'undo'; within: number }
  /** Content is erased this long after the end of a request. */
  | { kind: 'kept'; within: number }
  | { kind: 'facts'; labels: string[] }
  | { kind: 'grant'; longest: number; uses: number | null; budget: ClauseBudget | null; same: string[] }
  /** `channel` is null if each approver gets a message of their own. */
  | { kind: 'chat'; channel: string | null; vote: boolean }
  /** `channels` is null for all. */
  | { kind: 'notify'; channels: PersonalChannel[] | null; urgent: boolean }
  | { kind: 'freeze'; window: string; from: number; until: number; approvers: ApproverSource[] };

export const raisedBecauses = ['unknown-tool', 'unaccepted-definition', 'unchecked-requester'] as const;
export type RaisedBecause = (typeof raisedBecauses)[number];

/** Null and an empty list fit any request. */
export interface ClauseMatch {
  tool: string[] | null;
  server: string[] | null;
  mode: Mode[] | null;
  risk: Risk[] | null;
  annotations: { name: string; value: string | number | boolean }[];
  audience: Audience | null;
}

export interface ClauseGroup {
  name: string;
  need: Share;
  approvers: ApproverSource[];
  meaning: Meaning;
  /** How many people must decline to end it. */
  deny: number;
}

/** A number of persons, or a percentage of those who may vote when the stage starts. */
export type Share = { count: number } | { percent: number };

export type ApproverSource =
  | { kind: 'anyone' }
  | { kind: 'user'; email: string }
  | { kind: 'group'; name: string }
  | { kind: 'role'; role: Role }
  | { kind: 'manager' }
  | { kind: 'owner' }
  | { kind: 'cel'; expression: string };

export interface ClauseStep {
  after: number;
  mode: 'add' | 'replace' | 'stage';
  approvers: ApproverSource[];
  /** How many must approve from then on; null leaves it as it is. */
  approve: number | null;
  /** The stage that takes its place from then on; absent if only the persons change. */
  stage?: { name: string; complete: 'all' | 'any'; groups: ClauseGroup[] } | undefined;
}

export const separatedPersons = ['requester', 'agent-owner', 'editor', 'author', 'earlier-voters'] as const;
export type SeparatedPerson = (typeof separatedPersons)[number];

/** Minutes after midnight of the time zone; `until` may be earlier than `from`. */
export interface QuietHours {
  from: number;
  until: number;
  timeZone: string;
}

interface ClauseBudget {
  argument: string;
  total: number;
}
