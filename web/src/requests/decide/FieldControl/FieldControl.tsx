import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { countCharacters } from '#platform/form/schema';
import { fieldKind, isText, optionsOf } from '#platform/form/schema';
import type { FieldSchema } from '#platform/form/schema';
import { describeTimeZone } from '../../../ui/local-time.ts';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../AnswerForm.module.css';
import { ManyChoices, OneChoice } from './ChoiceControls.tsx';
import type { FieldControlProps, FieldLabels } from './field-props.ts';
import { decide, field as words } from '../words/words.ts';

/** The control that fits the field. Everything the tool wrote is shown as text, with its hidden characters. */
export const FieldControl = (props: FieldControlProps) => (
  <div data-fault={props.fault !== undefined}>
    <Control {...props} />
  </div>
);

function Control(props: FieldControlProps) {
  const { field, value, onChange } = props;
  const labels = labelsOf(props);
  const kind = fieldKind(field);
  if (kind === 'multi-select') return <ManyChoices {...props} labels={labels} options={optionsOf(field)} />;
  if (kind === 'boolean') return <OneChoice {...props} labels={labels} options={yesOrNo} />;
  const shared = {
    ...labels,
    value: Array.isArray(value) ? '' : value,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
    onBlur: props.onLeave,
    autoComplete: 'off',
  };
  if (kind === 'single-select') {
    const options = optionsOf(field);
    if (options.length <= maxRadios) return <OneChoice {...props} labels={labels} options={options} />;
    const choices = options.map(({ value: of, title }) => ({ value: of, label: title }));
    return <NativeSelect {...shared} data={[{ value: '', label: words.choose }, ...choices]} />;
  }
  if (kind === 'text' && isText(field) && (field.maxLength ?? 0) > maxLineLength)
    return <Textarea {...shared} rows={3} />;
  return <TextInput {...shared} {...inputKinds[kind]} />;
}

const maxRadios = 6;
/** Characters; if a tool allows more, several lines are likely. */
const maxLineLength = 200;

const yesOrNo = [
  { value: 'true', title: words.yes },
  { value: 'false', title: words.no },
];

// Never type=email or url: the browser trims and rewrites those, and its own messages would mix with ours.
const inputKinds = {
  text: { type: 'text' },
  email: { type: 'text', inputMode: 'email' },
  uri: { type: 'text', inputMode: 'url' },
  date: { type: 'date' },
  'date-time': { type: 'datetime-local' },
  number: { type: 'text', inputMode: 'decimal' },
  integer: { type: 'text', inputMode: 'numeric' },
} as const;

function labelsOf({ name, field, isRequired, value, fault }: FieldControlProps): FieldLabels {
  return {
    label: (
      <>
        <Revealed text={field.title ?? name} />
        {!isRequired && <span className={classes.optional}> ({decide.optional})</span>}
      </>
    ),
    description: describe(field, value),
    error: fault,
    'aria-required': isRequired,
  };
}

function describe(field: FieldSchema, value: string | string[]): ReactNode {
  const notes: string[] = [];
  if (fieldKind(field) === 'date-time') notes.push(words.zone(describeTimeZone(String(value))));
  if (isText(field) && field.maxLength !== undefined && !Array.isArray(value)) {
    notes.push(words.counted(countCharacters(value), field.maxLength));
  }
  if (field.description === undefined && notes.length === 0) return undefined;
  return (
    <>
      {field.description !== undefined && <Revealed text={field.description} />}
      {field.description !== undefined && notes.length > 0 && ' '}
      {notes.join(' ')}
    </>
  );
}
