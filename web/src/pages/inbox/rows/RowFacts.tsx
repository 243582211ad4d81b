import type { InboxItem } from '#protocol/contract/console/console';
import { Revealed } from '../../../ui/Revealed.tsx';
import classes from './RowFacts.module.css';

/** Of an address, what matters begins with its host. */
const shortened = (value: string): string => value.replace(/^\s*[a-z][\w+.-]*:\/\/([^/?#]*@)?/i, '');

/** The key facts of a request: columns of its row, so that those of one tool stand under each other, or a line of values. */
export function RowFacts({ facts }: Pick<InboxItem, 'facts'>) {
  const stored = facts.filter(({ value }) => value !== null && value !== '');
  return (
    <dl className={classes.facts}>
      {stored.map(({ label, paths, value }) => (
        <div key={`${label} ${paths[0]}`}>
          <dt>
            <Revealed text={label} />
          </dt>
          <dd>
            <Revealed text={shortened(value ?? '')} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
