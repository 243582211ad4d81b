import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { searchLog } from '../audit.ts';
import { Notice } from '../../../ui/Notice/Notice.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import classes from '../Audit.module.css';
import { logDraftIn, logQueryOf, logSearchOf } from './log-search.ts';
import { LogEntries } from './LogEntries.tsx';
import { LogForm } from './LogForm.tsx';
import { NeverThere } from '../NarrowingFields/NeverThere.tsx';
import { log, words } from '../words/words.ts';

/** A search in the log. Its address holds what is searched for. */
export function LogPage() {
  const [search, setSearch] = useSearchParams();
  const draft = logDraftIn(search);
  const query = logQueryOf(draft);
  return (
    <div className={classes.page}>
      <PageHead title={log.title} lead={log.lead} back={{ to: '/audit', text: words.back }} />
      <LogForm key={search.toString()} draft={draft} onSearch={(next) => setSearch(logSearchOf(next))} />
      {query ? <Answer query={query} /> : <Notice tone="warn" title={log.wrongAddress} />}
    </div>
  );
}

function Answer({ query }: { query: URLSearchParams }) {
  const answer = useInfiniteQuery({
    queryKey: ['log', query.toString()],
    queryFn: ({ pageParam, signal }) => searchLog(query, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  });
  return (
    <Loaded query={answer}>
      {({ pages }) => (
        <section aria-label={log.entries} className={classes.answer}>
          {pages[0]?.entries.length === 0 ? (
            <Nothing unknown={pages[0].unknown} query={query} />
          ) : (
            <LogEntries pages={pages} />
          )}
          {answer.hasNextPage && (
            <Button
              variant="default"
              className={classes.show}
              loading={answer.isFetchingNextPage}
              onClick={() => void answer.fetchNextPage()}
            >
              {log.more}
            </Button>
          )}
        </section>
      )}
    </Loaded>
  );
}

const Nothing = ({ unknown, query }: { unknown: string[]; query: URLSearchParams }) =>
  unknown.length > 0 ? <NeverThere unknown={unknown} valueOf={(filter) => query.get(filter) ?? ''} /> : <Empty />;

const Empty = () => (
  <div className={page.empty} role="status">
    <h2 className={page.subtitle}>{log.empty}</h2>
    <p>{log.emptyNote}</p>
  </div>
);
