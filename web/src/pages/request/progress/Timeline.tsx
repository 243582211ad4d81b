import type { TimelineEntry } from '../../../../../src/contract/console/console.ts';
import { Age, When } from '../../../ui/Moment.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import { Section } from '../form/Section.tsx';
import classes from './Timeline.module.css';
import { history } from '../words/words.ts';

export function Timeline({ entries }: { entries: TimelineEntry[] }) {
  return (
    <Section title={history.title}>
      <ol className={classes.entries}>
        {entries.map((entry) => (
          <li key={`${entry.at} ${entry.type} ${entry.text}`} className={classes.entry}>
            <span className={classes.when}>
              <Age at={entry.at} />
            </span>
            <div>
              <p>
                <Revealed text={entry.text} />
                {entry.about !== null && (
                  <>
                    : <When at={entry.about} />
                  </>
                )}
              </p>
              {entry.comment !== null && (
                <p className={classes.comment}>
                  <Revealed text={entry.comment} />
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
