import { personOf, type Accounts } from '#people/accounts/contract';
import { type VoteAction, actions, relayChannels } from '../../asking/contract/elicitation.ts';
import { z } from 'zod';
import { FormContent, Moment } from '../../asking/contract/open.ts';
import { NamedUser } from '#people/users/contract';

/**
 * One person's vote; `for` is the person they vote for, `issuer` the one who issued the credential it was cast with.
 */
export interface Ballot {
  by: string;
  for?: string | undefined;
  issuer?: string | undefined;
  action: VoteAction;
}

export interface GroupTally {
  /** Seats that are filled. In a stage that needs all its groups a person fills one seat of one group. */
  have: number;
  need: number;
  refusals: number;
}

/** Parts of a stage by which its votes are counted. */
type CountedStage = Pick<Stage, 'complete' | 'groups' | 'accounts'>;

/** The state of a stage: complete, refused, or null if votes are missing. Only distinct natural persons count. */
export function verdictOf(stage: CountedStage, votes: readonly Ballot[]): 'complete' | 'refused' | null {
  const tallies = tally(stage, votes);
  const isRefused = tallies.map(({ refusals }, at) => refusals >= (stage.groups[at]?.deny ?? 1));
  const isFull = tallies.map(({ have, need }, at) => have >= need && !isRefused[at]);
  if (stage.complete === 'all') {
    if (isRefused.includes(true)) return 'refused';
    return isFull.length > 0 && !isFull.includes(false) ? 'complete' : null;
  }
  if (isFull.includes(true)) return 'complete';
  return isRefused.includes(false) ? null : 'refused';
}

/** The count of each group, in the order of the stage's groups. */
export function tally(stage: CountedStage, votes: readonly Ballot[]): GroupTally[] {
  const { complete, groups } = stage;
  const counted = distinct(stage, votes);
  const accepting = counted.filter(({ action }) => action === 'accept').map(speaksFor);
  const declining = counted.filter(({ action }) => action === 'decline').map(speaksFor);
  const seated = complete === 'all' ? seatAll(groups, accepting) : groups.map((group) => seatOne(group, accepting));
  return groups.map((group, at) => ({
    have: seated[at] ?? 0,
    need: group.approve,
    refusals: declining.filter((user) => isIn(group, user)).length,
  }));
}

/**
 * Could these persons complete the stage, if all of them accepted? Of each group only as many are tried as the stage has
 * seats: a further member could only take a seat that one of them can take. Someone with several accounts takes one seat,
 * with any of them.
 */
export function canComplete(
  { complete, groups, excluded }: Stage,
  users: ReadonlySet<string>,
  accounts?: Accounts,
): boolean {
  const seats = groups.reduce((sum, { approve }) => sum + approve, 0);
  const gone = new Set(excluded.map((user) => personOf(accounts, user)));
  function* personsAmong(members: Iterable<string>): Generator<string> {
    for (const user of members) {
      const person = personOf(accounts, user);
      if (users.has(user) && !gone.has(person)) yield person;
    }
  }
  const tried = groups.map((group) => {
    const members = group.approvers === 'anyone' ? users : group.approvers;
    return { ...group, approvers: firstOf(personsAmong(members), seats, () => true) };
  });
  const persons = new Set(tried.flatMap(({ approvers }) => approvers));
  const ballots = [...persons].map((by) => ({ by, action: 'accept' as const }));
  return verdictOf({ complete, groups: tried }, ballots) === 'complete';
}

/** The first of whom this is true, each once; no more are tried than needed. */
export function firstOf(users: Iterable<string>, max: number, isWanted: (user: string) => boolean): string[] {
  const chosen = new Set<string>();
  for (const user of users) {
    if (chosen.size >= max) break;
    if (isWanted(user)) chosen.add(user);
  }
  return [...chosen];
}

/** May this vote be cast here at all? Neither the voter nor the person they vote for may be excluded. */
export const isEligible = ({ groups, excluded }: Stage, ballot: Pick<Ballot, 'by' | 'for' | 'issuer'>): boolean =>
  !usersOf(ballot).some((user) => excluded.includes(user)) && groups.some((group) => isIn(group, speaksFor(ballot)));

/** Is this vote in a group that is complete by itself? */
export function isInFullGroup(stage: Stage, votes: readonly Ballot[], ballot: Pick<Ballot, 'by' | 'for'>): boolean {
  const counts = tally(stage, votes);
  return stage.groups.some((group, at) => {
    const { have, need, refusals } = counts[at] ?? { have: 0, need: group.approve, refusals: 0 };
    return have >= need && refusals < group.deny && isIn(group, speaksFor(ballot));
  });
}

/** Meanings of an accepting vote as a signature: those of the groups in which it can fill a seat. */
export const meaningsOf = ({ groups }: Stage, ballot: Pick<Ballot, 'by' | 'for'>): Meaning[] => {
  return [...new Set(groupsOf({ groups }, ballot).map(({ meaning }) => meaning))];
};

/** The groups in which this vote can fill a seat. */
export const groupsOf = ({ groups }: Pick<Stage, 'groups'>, ballot: Pick<Ballot, 'by' | 'for'>): ApproverGroup[] =>
  groups.filter((group) => isIn(group, speaksFor(ballot)));

/** Everyone a ballot counts for: the voter, the person they vote for, and the issuer of the credential. */
export const usersOf = ({ by, for: absent, issuer }: Pick<Ballot, 'by' | 'for' | 'issuer'>): string[] => [
  ...new Set([by, absent, issuer].filter((user) => user !== undefined)),
];

/** The voter and the person they vote for: both must be allowed to vote. */
export const votersIn = ({ by, for: absent }: Pick<Ballot, 'by' | 'for'>): string[] =>
  absent === undefined ? [by] : [by, absent];

const speaksFor = (ballot: Pick<Ballot, 'by' | 'for'>): string => ballot.for ?? ballot.by;

const isIn = ({ approvers }: ApproverGroup, user: string): boolean =>
  approvers === 'anyone' || approvers.includes(user);

/** Everyone a ballot counts for, under each account that they have. */
export const accountsIn = (
  { accounts = [] }: Pick<Stage, 'accounts'>,
  ballot: Pick<Ballot, 'by' | 'for' | 'issuer'>,
): string[] => [
  ...new Set(usersOf(ballot).flatMap((user) => [user, ...(accounts.find((all) => all.includes(user)) ?? [])])),
];

/** A natural person in a ballot, on either side of a delegation, is in no other ballot. */
function distinct(stage: CountedStage, votes: readonly Ballot[]): Ballot[] {
  const counted = new Set<string>();
  return votes.filter((vote) => {
    const users = accountsIn(stage, vote);
    const isNew = !users.some((user) => counted.has(user));
    if (isNew) for (const user of users) counted.add(user);
    return isNew;
  });
}

const seatOne = (group: ApproverGroup, users: string[]): number =>
  Math.min(group.approve, users.filter((user) => isIn(group, user)).length);

/** As many seats as fit, one seat per person: a maximum matching, grown along augmenting paths. */
function seatAll(groups: ApproverGroup[], users: string[]): number[] {
  const seats = groups.map((): string[] => []);
  const isMember = groups.map(({ approvers }) => (approvers === 'anyone' ? null : new Set(approvers)));
  const seat = (user: string, tried: Set<number>): boolean =>
    groups.some(({ approve }, at) => {
      const sitters = seats[at];
      if (!sitters || tried.has(at) || isMember[at]?.has(user) === false) return false;
      tried.add(at);
      if (sitters.length < approve) return sitters.push(user) > 0;
      const moved = sitters.findIndex((other) => seat(other, tried));
      if (moved < 0) return false;
      sitters[moved] = user;
      return true;
    });
  for (const user of users) seat(user, new Set());
  return seats.map(({ length }) => length);
}

/** Meaning of a person's accepting vote (21 CFR 11.50), shown next to the printed name. */
export const meanings = ['approved', 'reviewed', 'responsible', 'witnessed'] as const;
export type Meaning = (typeof meanings)[number];

/** A step of a policy. Its persons are fixed when it starts. */
export interface Stage {
  name: string;
  /** Whether all of its groups must be complete, or any. */
  complete: 'all' | 'any';
  groups: ApproverGroup[];
  /** Persons who may not vote here in any case: the requester, and whom the policy separates. */
  excluded: string[];
  /** Voters of earlier stages may not vote here. */
  freshVoters: boolean;
  escalation?: Escalation;
  /** Set once a step of its escalation has put a stage in its place: which step, and the steps that brought others since. */
  replacement?: { step: number; since: number[] };
  /** Everyone with several accounts among those whom votes count for, each with all of their accounts: they count once. */
  accounts?: string[][];
  /** Set if no policy but an approver asked for this stage: the one person it needs. */
  added?: string;
}

export interface ApproverGroup {
  name: string;
  /** How many distinct persons must accept; at least one. */
  approve: number;
  /** How many distinct persons refuse it; at least one. */
  deny: number;
  /** Ids of the persons who may vote, or everyone who may vote at all. */
  approvers: string[] | 'anyone';
  meaning: Meaning;
}

/** Steps while no one decides. `end` takes effect when the last step has lasted as long as the wait before it. */
export interface Escalation {
  /** In order; `after` is in milliseconds from the start of the stage, or of the round. */
  steps: EscalationStep[];
  /** How many rounds of steps there are; at least one. */
  loops: number;
  end: 'wait' | 'deny';
}

/** Parts of a stage that decide it. */
export type StageInPlace = Pick<Stage, 'name' | 'complete' | 'groups'>;

export interface EscalationStep {
  after: number;
  mode: 'add' | 'replace' | 'stage';
  /** Everyone whom the step brings, also by its stage. */
  approvers: string[];
  /** The stage that takes its place from then on; without it, only the persons change. */
  stage?: StageInPlace;
  /** How many must accept in each group from then on. If that is another number, the stage begins again: nothing completes by itself. */
  approve?: number;
  /** Set once these persons were asked. */
  taken?: boolean;
}

/** How one request goes on, as its page shows it. */
const stageStates = ['complete', 'current', 'waiting'] as const;

export const ShownStage = z
  .object({
    name: z.string(),
    state: z.enum(stageStates),
    complete: z.enum(['all', 'any']),
    /** Did an approver ask for this stage? */
    added: z.boolean(),
    groups: z.array(
      z.object({
        name: z.string(),
        meaning: z.enum(meanings),
        have: z.int(),
        need: z.int(),
        refusals: z.int(),
        /** How many refusals end it. */
        deny: z.int(),
        /** People who can still answer; null is everyone who may vote. At most 100 are named. */
        open: z.array(NamedUser).nullable(),
      }),
    ),
  })
  .meta({ id: 'ShownStage' });
export type ShownStage = z.infer<typeof ShownStage>;

/** Changes of an edit: arguments of the tool, before and after. */
export const ShownRevision = z
  .object({
    revision: z.int(),
    by: z.string(),
    at: Moment,
    changes: z.array(z.object({ name: z.string(), before: z.unknown(), after: z.unknown() })),
  })
  .meta({ id: 'ShownRevision' });

export const ShownRemark = z
  .object({
    id: z.string(),
    kind: z.enum(['comment', 'question', 'reply']),
    /** Null is the requester, through the server that asked. */
    by: z.string().nullable(),
    person: z.string().nullable(),
    text: z.string(),
    /** The form of the reply to a question. */
    schema: z.unknown().nullable(),
    /** The answer of a reply. */
    answer: z
      .object({ action: z.enum(actions), content: FormContent.nullable(), channel: z.enum(relayChannels) })
      .nullable(),
    replyTo: z.string().nullable(),
    at: Moment,
  })
  .meta({ id: 'ShownRemark' });
export type ShownRemark = z.infer<typeof ShownRemark>;
