import type { InboxItem } from '#requests/inbox/contract/inbox';
import { Digits } from '../../../ui/Digits/Digits.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../RowFacts.module.css';

/** Of an address, what matters begins with its host. */
const shortened = (value: string): string => value.replace(/^\s*[a-z][\w+.-]*:\/\/([^/?#]*@)?/i, '');

/** A number alone, or with its currency: its digits are in triples, as on the page of the request. */
const isNumber = (value: string): boolean => /^-?\d+(?:\.\d+)?(?: [A-Z]{3})?$/.test(value);

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
          <dd>{isNumber(value ?? '') ? <Digits text={value ?? ''} /> : <Revealed text={shortened(value ?? '')} />}</dd>
        </div>
      ))}
    </dl>
  );
}
