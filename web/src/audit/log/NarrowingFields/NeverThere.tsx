import { Notice } from '../../../ui/Notice/Notice.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { words } from '../words/words.ts';

interface NeverThereProps {
  /** The filters whose value is nothing that was ever there. */
  unknown: string[];
  valueOf: (filter: string) => string;
}

/** In place of an empty answer that a typing error has emptied: nothing is said about what was meant. */
export const NeverThere = ({ unknown, valueOf }: NeverThereProps) => (
  <Notice tone="warn" title={words.noAnswer}>
    {unknown.map((filter) => (
      <p key={filter}>
        <Revealed text={words.neverThere(filter, valueOf(filter))} />
      </p>
    ))}
  </Notice>
);
