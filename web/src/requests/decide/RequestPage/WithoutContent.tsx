import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { RequestRecord } from '#audit/search/contract';
import { readRecord } from '../../../audit/log/audit.ts';
import { describeDuration, describeMoment } from '../../../ui/relative-time.ts';
import { Fact, FactList } from '../../../ui/FactList.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { RiskMark, StatusMark } from '../../../ui/marks.tsx';
import page from '../../../ui/Page.module.css';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../WithoutContent.module.css';
import { withoutContent as words } from '../words/words.ts';

/** What the log says of a request to administrators and reviewers, who need no reason for it: everything but its content. */
export function WithoutContent({ id }: { id: string }) {
  const record = useQuery({ queryKey: ['record', id], queryFn: ({ signal }) => readRecord(id, signal) });
  return <Loaded query={record}>{(loaded) => <Facts record={loaded} />}</Loaded>;
}

function Facts({ record }: { record: RequestRecord }) {
  const { id, server, tool, policy, openedAt, closedAt, votes, names, override } = record;
  return (
    <section aria-label={words.title} className={classes.facts}>
      <h2 className={page.subtitle}>{words.title}</h2>
      <p className={classes.marks}>
        <StatusMark {...record} /> <RiskMark risk={record.risk} />
      </p>
      <FactList>
        <Fact name={words.tool}>
          <Revealed text={`${tool} · ${server}`} />
        </Fact>
        <Fact name={words.policy}>
          <Revealed text={policy} />
        </Fact>
        <Fact name={words.asked}>{describeMoment(openedAt)}</Fact>
        {closedAt !== null && (
          <Fact name={words.ended}>{words.after(describeMoment(closedAt), describeDuration(closedAt - openedAt))}</Fact>
        )}
        {override !== null && <Fact name={words.override}>{describeMoment(override.at)}</Fact>}
        <Fact name={words.votes}>
          {votes.length === 0 && words.noVotes}
          <ul>
            {votes.map(({ at, by, action, voidAt }) => (
              <li key={`${by} ${at}`}>
                <Revealed
                  text={words.vote({
                    name: names[by] ?? by,
                    action,
                    when: describeMoment(at),
                    after: describeDuration(at - openedAt),
                    isVoid: voidAt !== null,
                  })}
                />
              </li>
            ))}
          </ul>
        </Fact>
      </FactList>
      <Link to={`/audit/requests/${id}`}>{words.timeline}</Link>
    </section>
  );
}
