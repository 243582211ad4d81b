import { Checkbox } from '@mantine/core';
import { form as words } from '../words/words.ts';
import type { RuleProps } from '../StageFields/form-props.ts';
import classes from '../PolicyForm.module.css';
import { TextPart } from '../StageFields/TextPart.tsx';

const first = { approvals: 10, hasty: 5, within: '5m' };

/** When a person who approves one request after the other must pause. */
export function PaceFields({ rule: { path: holder, pace }, edit }: Pick<RuleProps, 'rule' | 'edit'>) {
  const path = [...holder, 'require', 'pace'];
  const setCount = (name: 'approvals' | 'hasty') => (text: string) =>
    edit([[...path, name], text === '' ? undefined : /^\d+$/.test(text) ? Number(text) : text]);
  return (
    <div className={classes.escalation}>
      <Checkbox
        label={words.pace}
        description={words.paceNote}
        checked={pace !== null}
        onChange={(event) => edit([path, event.currentTarget.checked ? first : undefined])}
      />
      {pace !== null && (
        <div className={classes.step}>
          <div className={classes.counts}>
            <TextPart
              label={words.paceApprovals}
              description={words.paceApprovalsNote}
              value={pace.approvals}
              onChange={setCount('approvals')}
            />
            <TextPart
              label={words.paceWithin}
              description={words.paceWithinNote}
              value={pace.within}
              onChange={(text) => edit([[...path, 'within'], text || undefined])}
            />
          </div>
          <TextPart
            label={words.paceHasty}
            description={words.paceHastyNote}
            value={pace.hasty}
            onChange={setCount('hasty')}
          />
        </div>
      )}
    </div>
  );
}
