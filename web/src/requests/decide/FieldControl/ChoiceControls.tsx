import { Checkbox, Radio } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import type { Option } from '#platform/form/schema';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../AnswerForm.module.css';
import type { FieldControlProps, FieldLabels } from './field-props.ts';
import { field as words } from '../words/words.ts';

interface ChoiceProps extends FieldControlProps {
  labels: FieldLabels;
  options: Option[];
}

/** Every option in sight. Where no answer is allowed, that is an option too: a radio button cannot be undone. */
export function OneChoice({ labels, options, isRequired, value, onChange, onLeave }: ChoiceProps) {
  const { 'aria-required': _, ...shown } = labels;
  const all = isRequired ? options : [...options, { value: '', title: words.noAnswer }];
  const group = useRef<HTMLDivElement>(null);
  // Mantine gives these attributes to the element around the group, where they mean nothing.
  useLayoutEffect(() => {
    const radios = group.current?.querySelector('[role=radiogroup]');
    radios?.setAttribute('aria-required', `${isRequired}`);
    radios?.setAttribute('aria-invalid', `${labels.error !== undefined}`);
  }, [isRequired, labels.error]);
  return (
    <Radio.Group ref={group} {...shown} value={Array.isArray(value) ? '' : value} onChange={onChange} onBlur={onLeave}>
      <div className={classes.choice}>
        {all.map((option) => (
          <Radio
            key={option.value}
            value={option.value}
            label={<Revealed text={option.title} />}
            className={classes.option}
          />
        ))}
      </div>
    </Radio.Group>
  );
}

export function ManyChoices({ labels, options, value, onChange, onLeave }: ChoiceProps) {
  const { 'aria-required': _, ...shown } = labels;
  return (
    <Checkbox.Group {...shown} value={Array.isArray(value) ? value : []} onChange={onChange} onBlur={onLeave}>
      <div className={classes.options}>
        {options.map((option) => (
          <Checkbox
            key={option.value}
            value={option.value}
            label={<Revealed text={option.title} />}
            className={classes.option}
          />
        ))}
      </div>
    </Checkbox.Group>
  );
}
