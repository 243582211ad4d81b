import { Button, Skeleton, Textarea } from '@mantine/core';
import { useState, type SubmitEvent, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { InboxItem } from '#requests/inbox/contract/inbox';
import { filterTexts } from '../inbox/filter-texts.ts';
import { listAddress, readFilters, inboxSearch, type InboxFilters } from '../inbox/inbox-url.ts';
import { Cross } from '../../ui/icons.tsx';
import { Notice, ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { places, risks as riskNames } from '../../ui/words/words.ts';
import { Result } from './TogetherTable.tsx';
import classes from './TogetherPage.module.css';
import type { Outcome } from './use-together.ts';
import { declineAll as words, together } from '../inbox/words/together-words.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { bulkRoutes } from '#requests/voting/contract/votes';
import { call } from '../../client/call.ts';
import { readInbox } from '../inbox/inbox.ts';

/** Declines all requests matching the list's filters, with one reason: declining is safe at every risk. */
export function DeclineAllPage() {
  const [search] = useSearchParams();
  const filters = { ...readFilters(search), view: 'mine' } as const;
  const queue = listAddress(filters);
  const matches = useMatches(filters);
  const narrowed = filterTexts(filters);
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} back={{ to: queue, text: places.inbox }} />
      <p>
        {narrowed.length === 0 ? (
          words.everything
        ) : (
          <Revealed text={words.matching(narrowed.map(({ text }) => text))} />
        )}
      </p>
      {matches.isError && <ProblemNotice error={matches.error} onRetry={() => void matches.refetch()} />}
      {matches.isPending && <Skeleton height={160} aria-label={together.loading} />}
      {matches.data?.items.length === 0 && <p>{words.nothing}</p>}
      {matches.data && matches.data.items.length > 0 && <Decline matches={matches.data} queue={queue} />}
    </div>
  );
}

function Decline({ matches: { items, isCut }, queue }: { matches: Matches; queue: string }) {
  const [comment, setComment] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const { send, outcomes, stop } = useDeclineAll();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setIsMissing(comment.trim() === '');
    if (comment.trim() !== '') send.mutate({ items, comment: comment.trim() });
  };
  const refused = outcomes.filter(({ problem }) => problem !== null);
  const isDone = send.isSuccess || (send.isError && outcomes.length > 0);
  return (
    <>
      <ul className={classes.stats}>
        {kindsOf(items).map(([kind, total]) => (
          <li key={kind}>
            {words.times(total)} <Revealed text={kind} />
          </li>
        ))}
      </ul>
      {isCut && <Notice tone="warn" title={words.cut(items.length)} />}
      {isDone ? (
        <section className={classes.panel} role="status">
          <p className={classes.result}>{words.done(outcomes.length - refused.length, items.length)}</p>
          {outcomes.length < items.length && <p>{words.left(items.length - outcomes.length)}</p>}
          {send.isError && <ProblemNotice error={send.error} />}
          <Link to={queue}>{together.backToInbox}</Link>
        </section>
      ) : (
        <form className={classes.panel} onSubmit={submit} noValidate>
          <Textarea
            label={words.reason}
            description={words.reasonNote}
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
            error={isMissing && comment.trim() === '' && together.commentMissing}
            maxLength={4000}
            rows={2}
            autoComplete="off"
            disabled={send.isPending}
          />
          {send.isError && <ProblemNotice error={send.error} />}
          <div className={page.actions}>
            <Button type="submit" variant="default" leftSection={<Cross />} loading={send.isPending}>
              {words.decline(items.length)}
            </Button>
            {send.isPending && (
              <Button variant="subtle" color="gray" onClick={stop}>
                {words.stop}
              </Button>
            )}
          </div>
          <p role="status" className={page.small}>
            {send.isPending && words.progress(outcomes.length, items.length)}
          </p>
        </form>
      )}
      <Refused refused={refused} items={items} />
    </>
  );
}

/** Requests that could not be declined, with the reason. */
function Refused({ refused, items }: { refused: Outcome[]; items: InboxItem[] }) {
  if (refused.length === 0) return null;
  return (
    <section className={classes.apart}>
      <h2 className={page.subtitle}>{words.refused(refused.length)}</h2>
      <ul>
        {refused.map((outcome) => (
          <li key={outcome.id}>
            <Link to={`/requests/${outcome.id}`}>
              <Revealed text={titleOf(items, outcome.id)} />
            </Link>
            <Result outcome={outcome} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const titleOf = (items: InboxItem[], id: string): string => {
  const item = items.find((other) => other.id === id);
  return item?.message ?? item?.tool ?? id;
};

/** Number of requests by tool and risk, the largest first. */
function kindsOf(items: InboxItem[]): [kind: string, total: number][] {
  const kinds = new Map<string, number>();
  for (const { toolTitle, tool, server, risk } of items) {
    const kind = `${toolTitle ?? tool} · ${server} · ${riskNames[risk]}`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return [...kinds].sort(([, first], [, other]) => other - first);
}

/** Most requests declined with one press; the rest stays for the next. */
const maxDeclined = 1000;
/** Requests that the server takes at a time. */
const batch = 50;

interface Matches {
  items: InboxItem[];
  /** Are there more than these? */
  isCut: boolean;
}

/** All matching requests with the reader's vote, read once: later ones are not declined unseen. */
function useMatches(filters: InboxFilters) {
  return useQuery({
    queryKey: ['decline-all', JSON.stringify(filters)],
    queryFn: ({ signal }) => readAll(filters, signal),
    staleTime: Infinity,
    gcTime: 0,
  });
}

async function readAll(filters: InboxFilters, signal: AbortSignal): Promise<Matches> {
  const items: InboxItem[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readInbox>> = await readInbox(inboxSearch(filters, cursor), signal);
    items.push(...page.items.filter(({ mine }) => mine));
    cursor = page.next;
  } while (cursor !== null && items.length < maxDeclined);
  return { items: items.slice(0, maxDeclined), isCut: cursor !== null || items.length > maxDeclined };
}

/** Declines requests in batches, each with its own vote; it can be stopped between two batches. */
function useDeclineAll() {
  const queries = useQueryClient();
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const isStopped = useRef(false);
  const send = useMutation({
    mutationFn: async ({ items, comment }: { items: InboxItem[]; comment: string }) => {
      isStopped.current = false;
      for (let from = 0; from < items.length && !isStopped.current; from += batch) {
        const some = items.slice(from, from + batch).map(({ id, digest }) => ({ id, digest }));
        const { results } = await call(bulkRoutes.castVotes, { body: { items: some, action: 'decline', comment } });
        setOutcomes((before) => [...before, ...results]);
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['inbox'] }),
  });
  return { send, outcomes, stop: () => void (isStopped.current = true) };
}
