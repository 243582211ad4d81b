import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { ReportId } from '../../../../src/model/report.ts';
import { serversQuery, usersQuery } from '../../lib/directory-queries.ts';
import page from '../../ui/page/Page.module.css';
import classes from './Audit.module.css';
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

interface FieldProps {
  value: string;
  onChange: (event: { currentTarget: { value: string } }) => void;
}

function ServerField(field: FieldProps) {
  const servers = useQuery(serversQuery).data ?? [];
  const choices = [
    { value: '', label: words.everyServer },
    ...servers.map(({ name }) => ({ value: name, label: name })),
  ];
  return <NativeSelect label={words.server} data={choices} {...field} />;
}

function PersonField({ isNeeded, ...field }: FieldProps & { isNeeded: boolean }) {
  const users = useQuery(usersQuery).data ?? [];
  const none = { value: '', label: isNeeded ? words.choosePerson : words.anyone };
  const choices = [none, ...users.map(({ id, name }) => ({ value: id, label: name }))];
  return <NativeSelect label={words.person} required={isNeeded} withAsterisk={false} data={choices} {...field} />;
}
