import { Link } from 'react-router';
import { isWaiting, type Changed } from './changes.ts';
import { Notice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { changes as words } from '../../ui/words/change-words.ts';

/** How a change took effect: it waits for a second administrator, or one was enough, or it is saved without a remark. */
export function ChangeNotice({ change, saved }: { change: Changed | undefined; saved?: string }) {
  if (change === undefined) return null;
  if (isWaiting(change))
    return (
      <Notice title={words.waiting}>
        <p>{words.waitingNote}</p>
        <Link to={`/requests/${change.request}`} className={page.action}>
          {words.open}
        </Link>
      </Notice>
    );
  const because = change.alone?.because;
  return (
    <>
      {saved !== undefined && <span className={page.soft}>{saved}</span>}
      {because && <p className={page.small}>{words.alone[because]}</p>}
    </>
  );
}
