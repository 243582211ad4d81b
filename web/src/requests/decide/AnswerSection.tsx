import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { DecisionState } from './use-decision.ts';
import { decide as answerSectionWords, field as words, decide } from './words/words.ts';
import classes from './AnswerForm.module.css';
import { standsInCard } from './decision-table.ts';
import { LookForm, useLook } from './LookSection.tsx';
import { firstLook } from './words/look-words.ts';
import { Section } from './Section.tsx';
import type { FormContent } from '#requests/asking/contract/open';
import type { z } from 'zod';
import { Revealed } from '../../ui/Revealed.tsx';
import answerListClasses from './AnswerList.module.css';
import unseen from '../../shell/Unseen.module.css';
import type { AnswerState } from './use-answer.ts';
import { Checkbox, Radio, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { type Option, countCharacters, fieldKind, isText, optionsOf, type FieldSchema } from '#platform/form/schema';
import { describeTimeZone } from '../../ui/local-time.ts';

/** Questions of the tool, in the main column if there is room; nothing without questions. */
export function AnswerSection({ detail, decision }: { detail: ElicitationDetail; decision: DecisionState }) {
  const { answer, votesFor } = decision;
  const { schema, isBroken } = answer.form;
  const looked = useLook(detail);
  if ((Object.keys(schema.properties).length === 0 && !isBroken) || standsInCard(schema)) return null;
  if (looked !== null && !isBroken) {
    return (
      <Section title={firstLook.title}>
        <div data-answer="">
          <LookForm tools={looked} answer={answer} isAnswerable={detail.can.vote.allowed || votesFor !== null} />
        </div>
      </Section>
    );
  }
  const required = schema.required ?? [];
  const count = required.filter((name) => Object.hasOwn(answer.content, name)).length;
  return (
    <Section title={answerSectionWords.form}>
      <div data-answer="" className={classes.section}>
        {required.length > 0 && (
          <p className={classes.description}>{answerSectionWords.given(count, required.length)}</p>
        )}
        <AnswerForm answer={answer} isAnswerable={detail.can.vote.allowed || votesFor !== null} />
      </div>
    </Section>
  );
}

/** Answers, one field a line. */
export const AnswerList = ({ content }: { content: z.infer<typeof FormContent> }) => (
  <dl className={answerListClasses.answer}>
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

/** A control for each field of the tool's form. Nothing here submits: a decision is always a pressed verb. */
export function AnswerForm({ answer, isAnswerable }: { answer: AnswerState; isAnswerable: boolean }) {
  const { schema, isBroken } = answer.form;
  const fields = Object.entries(schema.properties);
  if (isBroken) return <p>{answerSectionWords.formBroken}</p>;
  if (fields.length === 0) return null;
  return (
    <fieldset className={classes.form} disabled={!isAnswerable}>
      <legend className={schema.title === undefined ? unseen.unseen : classes.legend}>
        {schema.title === undefined ? answerSectionWords.form : <Revealed text={schema.title} />}
      </legend>
      {schema.description !== undefined && (
        <p className={classes.description}>
          <Revealed text={schema.description} />
        </p>
      )}
      {fields.map(([name, field]) => (
        <FieldControl
          key={name}
          name={name}
          field={field}
          isRequired={schema.required?.includes(name) === true}
          value={Object.hasOwn(answer.draft, name) ? (answer.draft[name] ?? '') : ''}
          fault={answer.faultOf(name)}
          onChange={(value) => answer.setField(name, value)}
          onLeave={() => answer.touch(name)}
        />
      ))}
    </fieldset>
  );
}

interface ChoiceProps extends FieldControlProps {
  labels: FieldLabels;
  options: Option[];
}

/** All options in sight. If no answer is allowed, that is an option too: a radio button cannot be unset. */
function OneChoice({ labels, options, isRequired, value, onChange, onLeave }: ChoiceProps) {
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

function ManyChoices({ labels, options, value, onChange, onLeave }: ChoiceProps) {
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

/** Control for the field. The tool's texts are shown as text, with hidden characters. */
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
/** Length in characters above which the field has several lines. */
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

interface FieldControlProps {
  name: string;
  field: FieldSchema;
  isRequired: boolean;
  value: string | string[];
  fault: string | undefined;
  onChange: (value: string | string[]) => void;
  onLeave: () => void;
}

interface FieldLabels {
  label: ReactNode;
  description: ReactNode;
  error: ReactNode;
  'aria-required': boolean;
}
