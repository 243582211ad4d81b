import { Revealed } from '../../../ui/Revealed.tsx';
import classes from './Policies.module.css';

/** What a policy says, in plain words. */
export const Sentences = ({ sentences }: { sentences: string[] }) => (
  <ul className={classes.sentences}>
    {sentences.map((sentence) => (
      <li key={sentence}>
        <Revealed text={sentence} />
      </li>
    ))}
  </ul>
);
