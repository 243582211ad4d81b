import { Checkbox, NativeSelect } from '@mantine/core';
import { separationNames } from '../text/policy-parts.ts';
import { choicesOf, form as words } from '../text/words.ts';
import type { PartProps } from './form-props.ts';
import { PaceFields } from './PaceFields.tsx';
import classes from './PolicyForm.module.css';
import { TextPart } from './TextPart.tsx';

/** How long people have, who of them cannot vote, and how fast they may. */
export function LimitFields({ parts, edit }: PartProps) {
  return (
    <fieldset className={classes.fields}>
      <legend className={classes.legend}>{words.limits}</legend>
      <div className={classes.counts}>
        <TextPart
          label={words.deadline}
          description={words.deadlineNote}
          value={parts.deadline}
          onChange={(text) => edit([['require', 'deadline'], text || undefined])}
        />
        <NativeSelect
          label={words.onTimeout}
          description={words.onTimeoutNote}
          value={parts.onTimeout || 'expire'}
          data={choicesOf(words.timeouts)}
          onChange={({ currentTarget }) => edit([['require', 'onTimeout'], currentTarget.value])}
        />
      </div>
      <Checkbox.Group
        label={words.separation}
        description={words.separationNote}
        value={separationNames.filter((name) => parts.separation[name])}
        onChange={(chosen) =>
          edit(
            ...separationNames.map(
              (name) =>
                [['require', 'separation', name], chosen.includes(name) || undefined] as [string[], true | undefined],
            ),
          )
        }
      >
        <div className={classes.options}>
          {separationNames.map((name) => (
            <Checkbox key={name} value={name} label={words.separations[name]} className={classes.option} />
          ))}
        </div>
      </Checkbox.Group>
      <PaceFields pace={parts.pace} edit={edit} />
    </fieldset>
  );
}
