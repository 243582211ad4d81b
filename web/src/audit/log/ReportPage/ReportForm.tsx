import { Button, NativeSelect, TextInput } from '@mantine/core';
import { Fragment, useState, type ReactNode, type SubmitEvent } from 'react';
import { requestOutcomes, type ReportId, type reportFilters } from '#audit/reports/contract/report';
import { textFields } from '../../../ui/field-faults.ts';
import page from '../../../ui/Page.module.css';
import classes from '../Audit.module.css';
import { HoursField, NameField, PersonField, ServerField, TimeField } from '../NarrowingFields/NarrowingFields.tsx';
import { fieldsOf, isAboutMoment, type ReportDraft } from '../report-search.ts';
import { outcomeNames, words } from '../words/words.ts';

interface ReportFormProps {
  id: ReportId;
  draft: ReportDraft;
  onShow: (draft: ReportDraft) => void;
}

/** What ids of requests consist of. */
const requestPattern = String.raw`\s*eli_[\w\-]+\s*`;

const outcomes = [
  { value: '', label: words.everyone },
  ...requestOutcomes.map((outcome) => ({ value: outcome, label: outcomeNames[outcome] })),
];

/** What a question is narrowed by. */
export function ReportForm({ id, draft: first, onShow }: ReportFormProps) {
  const [draft, setDraft] = useState(first);
  const field = textFields(draft, (part) => setDraft({ ...draft, ...part }));
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    onShow(draft);
  };
  const plain = { autoComplete: 'off', spellCheck: false };
  const hours = (value: string): void => setDraft({ ...draft, hours: value });
  const fields: Record<(typeof reportFilters)[number], ReactNode> = {
    tool: <NameField label={words.tool} names="tools" {...field('tool')} />,
    server: <ServerField {...field('server')} />,
    policy: <NameField label={words.policy} names="policies" {...field('policy')} />,
    person: <PersonField isNeeded={id === 'access'} {...field('person')} />,
    client: <NameField label={words.client} names="clients" {...field('client')} />,
    requester: <TextInput label={words.requester} title={words.requesterNote} {...plain} {...field('requester')} />,
    request: (
      <TextInput
        label={words.request}
        {...plain}
        pattern={requestPattern}
        title={words.wrongRequest}
        {...field('request')}
      />
    ),
    outcome: <NativeSelect label={words.outcome} data={outcomes} {...field('outcome')} />,
    hours: <HoursField value={draft.hours} zone={draft.zone} onChange={hours} />,
  };
  return (
    <form onSubmit={onSubmit} className={classes.form}>
      {isAboutMoment(id) ? (
        <TextInput type="datetime-local" required withAsterisk={false} label={words.at} {...field('to')} />
      ) : (
        <>
          <TimeField label={words.from} max={draft.to} {...field('from')} />
          <TimeField label={words.to} min={draft.from} {...field('to')} />
        </>
      )}
      {fieldsOf[id].map((name) => (
        <Fragment key={name}>{fields[name]}</Fragment>
      ))}
      <Button type="submit" variant="default" className={classes.show}>
        {words.show}
      </Button>
      {!isAboutMoment(id) && <p className={`${page.small} ${classes.hint}`}>{words.period}</p>}
    </form>
  );
}
