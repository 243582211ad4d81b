import type { FormContent } from '#requests/asking/contract/open';
import type { z } from 'zod';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../AnswerList.module.css';

/** What was answered, a line a field. */
export const AnswerList = ({ content }: { content: z.infer<typeof FormContent> }) => (
  <dl className={classes.answer}>
    {Object.entries(content).map(([name, value]) => (
      <div key={name}>
        <dt>
          <Revealed text={name} />
        </dt>
        <dd>
          <Revealed text={Array.isArray(value) ? value.join(', ') : `${value}`} />
        </dd>
      </div>
    ))}
  </dl>
);
