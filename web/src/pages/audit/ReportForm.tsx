import { Button, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import type { ReportId } from '../../../../src/model/report.ts';
import page from '../../ui/page/Page.module.css';
import classes from './Audit.module.css';
import { PersonField, ServerField } from './NarrowingFields.tsx';
import { fieldsOf, isAboutMoment, type ReportDraft } from './report-search.ts';
import { words } from './words/words.ts';

interface ReportFormProps {
  id: ReportId;
  draft: ReportDraft;
  onShow: (draft: ReportDraft) => void;
}

/** What a question is narrowed by. */
export function ReportForm({ id, draft: first, onShow }: ReportFormProps) {
  const [draft, setDraft] = useState(first);
  const field = (name: keyof ReportDraft) => ({
    value: draft[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setDraft({ ...draft, [name]: value }),
  });
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    onShow(draft);
  };
  return (
    <form onSubmit={onSubmit} className={classes.form}>
      {isAboutMoment(id) ? (
        <TextInput type="datetime-local" required withAsterisk={false} label={words.at} {...field('to')} />
      ) : (
        <>
          <TextInput type="date" required withAsterisk={false} label={words.from} max={draft.to} {...field('from')} />
          <TextInput type="date" required withAsterisk={false} label={words.to} min={draft.from} {...field('to')} />
        </>
      )}
      {fieldsOf[id].includes('tool') && <TextInput label={words.tool} autoComplete="off" {...field('tool')} />}
      {fieldsOf[id].includes('server') && <ServerField {...field('server')} />}
      {fieldsOf[id].includes('policy') && <TextInput label={words.policy} autoComplete="off" {...field('policy')} />}
      {fieldsOf[id].includes('person') && <PersonField isNeeded={id === 'access'} {...field('person')} />}
      <Button type="submit" variant="default" className={classes.show}>
        {words.show}
      </Button>
      {!isAboutMoment(id) && <p className={`${page.small} ${classes.hint}`}>{words.period}</p>}
    </form>
  );
}
