import type { RequestRecord } from '#audit/search/contract';
import { RiskMark, StatusMark } from '../../../ui/marks.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { columns as heads, log, record as words } from '../words/words.ts';
import { namePolicy } from '../../../ui/words/words.ts';
import { Code, Fact, FactList } from '../../../ui/FactList.tsx';
import { Instant } from '../Instant/Instant.tsx';

/** Who asked for what under which policy, and how it ended. */
export function RecordFacts({ record }: { record: RequestRecord }) {
  const { id, server, tool, risk, policy, digest, revision, status, cause, openedAt, deadlineAt, closedAt } = record;
  return (
    <FactList>
      <Fact name={log.request}>
        <Code text={id} />
      </Fact>
      <Fact name={log.outcome}>
        <StatusMark status={status} cause={cause} />
      </Fact>
      <Fact name={heads['tool'] ?? ''}>
        <Revealed text={tool} />, <RiskMark risk={risk} />
      </Fact>
      <Fact name={heads['server'] ?? ''}>
        <Revealed text={server} />
      </Fact>
      <Fact name={words.requester}>
        <Requester record={record} />
      </Fact>
      <Fact name={heads['policy'] ?? ''}>{words.policy(namePolicy(policy))}</Fact>
      <Fact name={heads['asked_at'] ?? ''}>
        <Instant at={openedAt} />
      </Fact>
      <Fact name={closedAt === null ? words.deadline : (heads['decided_at'] ?? '')}>
        <Instant at={closedAt ?? deadlineAt} />
      </Fact>
      <Fact name={log.digest}>
        <Code text={digest} /> {words.revision(revision)}
      </Fact>
      <Passed record={record} />
    </FactList>
  );
}

function Requester({ record: { requester, requesters, names } }: { record: RequestRecord }) {
  const people = requesters.map((id) => names[id] ?? id);
  return (
    <>
      <Revealed text={people.length === 0 ? words.unknown : words.people(people)} /> <Code text={requester} />
    </>
  );
}

/** How it came past the stages of its policy, if it did. */
function Passed({ record: { override, grant, names } }: { record: RequestRecord }) {
  const nameOf = (person: string | null): string => (person === null ? '' : (names[person] ?? person));
  return (
    <>
      {grant && (
        <Fact name={heads['grant_id'] ?? ''}>
          {grant.isGiven ? words.given : words.used} <Code text={grant.id} />
        </Fact>
      )}
      {override && (
        <Fact name={words.override}>
          <Revealed text={nameOf(override.by)} />, <Instant at={override.at} />
        </Fact>
      )}
      {override && (
        <Fact name={words.review}>
          {override.review === null ? words.reviewDue : words.found(override.review.isJustified)}{' '}
          {override.review && <Revealed text={nameOf(override.review.by)} />}{' '}
          <Instant at={override.review?.at ?? override.reviewDueAt} />
        </Fact>
      )}
    </>
  );
}
