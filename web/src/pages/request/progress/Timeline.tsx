import type { TimelineEntry } from '../../../../../src/contract/console/timeline.ts';
import { Age, When } from '../../../ui/Moment.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import { Section } from '../form/Section.tsx';
import classes from './Timeline.module.css';
import { history, tellEvent } from '../words/words.ts';

export function Timeline({ entries }: { entries: TimelineEntry[] }) {
  return (
    <Section title={history.title}>
      <ol className={classes.entries}>
        {entries.map((entry, at) => (
          <li key={at} className={classes.entry}>
            <span className={classes.when}>
              <Age at={entry.at} />
            </span>
            <div>
              <p>
                <Revealed text={tellEvent(entry.by, entry.event)} />
                {'until' in entry.event && (
                  <>
                    : <When at={entry.event.until} />
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
