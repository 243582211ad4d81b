import type { ElicitationDetail } from '../../../../src/contract/console.ts';
import { Disc, Ring } from '../../ui/icons.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import classes from './PolicySection.module.css';
import { Section } from './Section.tsx';
import { policy as words } from './words.ts';

export function PolicySection({ detail: { policy, progress } }: { detail: ElicitationDetail }) {
  return (
    <Section title={words.title}>
      <p>
        <Revealed text={policy.sentence} />
      </p>
      <p className={classes.line}>
        <span className={classes.soft}>
          {words.name} <Revealed text={policy.name} />
        </span>
        {progress !== null && (
          <>
            <span className={classes.soft}>{words.stage(progress)}</span>
            <span className={classes.pips}>
              {Array.from({ length: Math.min(progress.need, mostPips) }, (_, at) =>
                at < progress.have ? <Disc key={at} /> : <Ring key={at} />,
              )}
              {words.have(progress)}
            </span>
          </>
        )}
      </p>
    </Section>
  );
}

/** Beyond this the words alone are easier to read. */
const mostPips = 8;
