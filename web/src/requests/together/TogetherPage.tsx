import { revealText } from '#platform/text/visible-text';
import { Skeleton, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import { Link, useSearchParams, useNavigate } from 'react-router';
import { Cross, Tick } from '../../ui/icons.tsx';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { firstLineOf } from '../inbox/first-line.ts';
import { listAddress, readFilters } from '../inbox/inbox-url.ts';
import { ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { Revealed, revealBy } from '../../ui/Revealed.tsx';
import classes from './TogetherPage.module.css';
import { places } from '../../ui/words/words.ts';
import { toolOf } from '../inbox/bulk.ts';
import { Result, TogetherTable } from './TogetherTable.tsx';
import { countDone, useTogether, type Action } from './use-together.ts';
import { together as words } from '../inbox/words/together-words.ts';
import { useHotkeys } from '../../shell/use-hotkeys.tsx';

revealBy(revealText); // no look-alike stays unmarked here, not for a moment

/** Several requests of one tool with complete arguments, decided with one press. */
export function TogetherPage() {
  const [search] = useSearchParams();
  const ids = (search.get('ids') ?? '').split(',').filter((id) => id !== '');
  const queue = listAddress(readFilters(search));
  const state = useTogether(ids);
  useTogetherKeys(queue);
  const { bulk, isRead, send } = state;
  const [out, setOut] = useState<ReadonlySet<string>>(new Set());
  const isIncluded = (id: string): boolean => !out.has(id);
  const turn = (id: string): void =>
    setOut(new Set(out.has(id) ? [...out].filter((other) => other !== id) : [...out, id]));
  const counted = bulk.together.length > 0 ? bulk.together : ofOneTool(bulk.declinable);
  const [first] = counted;
  const outcomes = send.data?.results ?? [];
  const included = (details: ElicitationDetail[]) => details.filter(({ id }) => isIncluded(id));
  return (
    <div className={page.stack}>
      <PageHead
        title={words.title}
        heading={first && <Revealed text={words.titleOf(counted.length, first.tool.title ?? first.tool.name)} />}
        lead={words.lead}
        back={{ to: queue, text: places.inbox }}
      />
      {!isRead && <Skeleton height={160} aria-label={words.loading} />}
      {isRead && state.missing > 0 && <p className={page.soft}>{words.missing(state.missing)}</p>}
      {isRead && bulk.together.length === 0 && <p>{words.none}</p>}
      {bulk.together.length > 0 && (
        <TogetherTable
          details={bulk.together}
          outcomes={outcomes}
          isIncluded={isIncluded}
          onTurn={send.isIdle || send.isError ? turn : undefined}
        />
      )}
      {bulk.declinable.length > 0 && (
        <Decide state={state} together={included(bulk.together)} declinable={included(bulk.declinable)} queue={queue} />
      )}
      {bulk.apart.length > 0 && (
        <section className={classes.apart}>
          <h2 className={page.subtitle}>{words.apart}</h2>
          <ul>
            {bulk.apart.map(({ detail, why }) => (
              <li key={detail.id}>
                <Link to={`/requests/${detail.id}`}>
                  <Revealed text={firstLineOf(detail.message)} />
                </Link>
                <p className={page.soft}>{words.reasons[why]}</p>
                <Result outcome={outcomes.find(({ id }) => id === detail.id)} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** All requests, or none if they are of several tools: then no name fits all. */
function ofOneTool(details: ElicitationDetail[]): ElicitationDetail[] {
  const tools = new Set(details.map(toolOf));
  return tools.size === 1 ? details : [];
}

interface DecideProps {
  state: ReturnType<typeof useTogether>;
  together: ElicitationDetail[];
  declinable: ElicitationDetail[];
  /** Address of the list in which they were selected. */
  queue: string;
}

function Decide({ state: { send }, together, declinable, queue }: DecideProps) {
  const [comment, setComment] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const id = useId();
  const reason = comment.trim();
  const decide = (action: Action) => {
    setIsMissing(action === 'decline' && reason === '');
    const details = action === 'accept' ? together : declinable;
    if (action === 'accept' || reason !== '') send.mutate({ action, comment: reason, details });
  };
  if (send.isSuccess) {
    const done = countDone(send.data.results);
    return (
      <div className={classes.panel}>
        <p className={classes.result}>{words.done(done, send.data.results.length)}</p>
        <Link to={queue}>{words.backToInbox}</Link>
      </div>
    );
  }
  if (declinable.length === 0) return null;
  const permission = send.isPending ? { allowed: false, reason: words.sending } : { allowed: true, reason: null };
  const sending = send.isPending ? send.variables.action : null;
  return (
    <section className={classes.panel} aria-label={words.decide} data-decide-together="">
      <Textarea
        label={words.comment}
        description={words.commentNote}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
        error={isMissing && reason === '' && words.commentMissing}
        maxLength={4000}
        rows={2}
        autoComplete="off"
      />
      {send.isError && <ProblemNotice error={send.error} />}
      <p className={page.small}>{words.consequence}</p>
      <div className={page.actions}>
        {together.length > 0 && (
          <ReasonedButton
            permission={permission}
            reasonId={id}
            isSending={sending === 'accept'}
            icon={<Tick />}
            onPress={() => decide('accept')}
          >
            {words.approve(together.length)}
          </ReasonedButton>
        )}
        <ReasonedButton
          permission={permission}
          reasonId={id}
          isSending={sending === 'decline'}
          icon={<Cross />}
          onPress={() => decide('decline')}
        >
          {words.decline(declinable.length)}
        </ReasonedButton>
      </div>
      <p id={id} className={page.small}>
        {permission.reason}
      </p>
    </section>
  );
}

/**
 * Keys of the page. No letter decides several requests: `a` leads to the button, `d` to the comment, and `/` back to the queue.
 */
function useTogetherKeys(queue: string): void {
  const navigate = useNavigate();
  useHotkeys('together', (key) => {
    if (key === 'a') find('button')?.focus();
    else if (key === 'd') find('textarea')?.focus();
    else if (key === '/') void navigate(queue);
    else return false;
    return true;
  });
}

/** The first such control in the panel that decides all. */
const find = (control: 'button' | 'textarea'): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-decide-together] ${control}`);
