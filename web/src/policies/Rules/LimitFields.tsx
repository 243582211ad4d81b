import { Checkbox, NativeSelect } from '@mantine/core';
import type { Edit } from '../StageFields/edit-policy.ts';
import { separationNames } from '../policy-parts.ts';
import { choicesOf, form as words } from '../words/words.ts';
import type { RuleProps } from '../StageFields/form-props.ts';
import { PaceFields } from './PaceFields.tsx';
import classes from '../PolicyForm.module.css';
import { TextPart } from '../StageFields/TextPart.tsx';

/** How long people have, who of them cannot vote, and how fast they may. */
export function LimitFields({ rule, edit }: RuleProps) {
  const path = [...rule.path, 'require'];
  return (
    <fieldset className={classes.fields}>
      <legend className={classes.legend}>{words.limits}</legend>
      <div className={classes.counts}>
        <TextPart
          label={words.deadline}
          description={words.deadlineNote}
          value={rule.deadline}
          onChange={(text) => edit([[...path, 'deadline'], text || undefined])}
        />
        <NativeSelect
          label={words.onTimeout}
          description={words.onTimeoutNote}
          value={rule.onTimeout || 'expire'}
          data={choicesOf(words.timeouts)}
          onChange={({ currentTarget }) => edit([[...path, 'onTimeout'], currentTarget.value])}
        />
      </div>
      <Checkbox.Group
        label={words.separation}
        description={words.separationNote}
        value={separationNames.filter((name) => rule.separation[name])}
        onChange={(chosen) =>
          edit(
            ...separationNames.map((name): Edit => [[...path, 'separation', name], chosen.includes(name) || undefined]),
          )
        }
      >
        <div className={classes.options}>
          {separationNames.map((name) => (
            <Checkbox key={name} value={name} label={words.separations[name]} className={classes.option} />
          ))}
        </div>
      </Checkbox.Group>
      <PaceFields rule={rule} edit={edit} />
    </fieldset>
  );
}
