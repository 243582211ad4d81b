import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { auditRoutes, type AuditNames } from '#audit/search/contract';
import { query } from '../../client/call.ts';
import { serversQuery, usersQuery } from '../../people/users/directory-queries.ts';
import classes from './Audit.module.css';
import { isMinute } from './report-search.ts';
import { words } from './words/words.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Revealed } from '../../ui/Revealed.tsx';

interface FieldProps {
  value: string;
  onChange: (event: { currentTarget: { value: string } }) => void;
}

/** Form of the names of tools and policies. */
const namePattern = String.raw`\s*[A-Za-z0-9_.\-]{1,128}\s*`;

interface NameFieldProps extends FieldProps {
  label: string;
  /** Kind of the offered names. */
  names: Exclude<keyof AuditNames, 'servers'>;
}

/** A name to type, with existing ones to choose from. */
export function NameField({ label, names, ...field }: NameFieldProps) {
  const list = useId();
  const offered = useQuery({ ...query(auditRoutes.listAuditNames), staleTime: 60_000 }).data;
  const isFree = names === 'clients';
  return (
    <>
      <TextInput
        label={label}
        list={list}
        autoComplete="off"
        spellCheck={false}
        {...(!isFree && { pattern: namePattern, title: words.wrongName })}
        {...field}
      />
      <datalist id={list}>
        {offered?.[names].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

/** The beginning or the end of a period: a day or, in an address that leads to few requests, a minute. */
export const TimeField = ({ label, ...field }: FieldProps & { label: string; min?: string; max?: string }) =>
  isMinute(field.value) ? (
    <TextInput type="datetime-local" label={`${label} (UTC)`} {...field} />
  ) : (
    <TextInput type="date" label={label} {...field} />
  );

interface HoursFieldProps {
  /** Hours such as `22-6`; empty for any. */
  value: string;
  zone: string;
  onChange: (value: string) => void;
}

/** Hours of the day, from one until another, which may be on the next day. */
export function HoursField({ value, zone, onChange }: HoursFieldProps) {
  const [since = '', until = ''] = value.split('-');
  const change = (first: string, last: string): void => {
    if (first === '' && last === '') onChange('');
    else onChange(`${first || '0'}-${last || '24'}`);
  };
  const hours = (first: number) =>
    Array.from({ length: 24 }, (_, at) => String(at + first)).map((hour) => ({
      value: hour,
      label: `${hour.padStart(2, '0')}:00`,
    }));
  const any = { value: '', label: words.anyHour };
  return (
    <fieldset className={classes.hours}>
      <legend>{words.hours(zone)}</legend>
      <NativeSelect
        aria-label={words.hourFrom}
        data={[any, ...hours(0)]}
        value={since}
        onChange={({ currentTarget }) => change(currentTarget.value, currentTarget.value === '' ? '' : until)}
      />
      <span aria-hidden>–</span>
      <NativeSelect
        aria-label={words.hourTo}
        data={[any, ...hours(1)]}
        value={until}
        onChange={({ currentTarget }) => change(currentTarget.value === '' ? '' : since, currentTarget.value)}
      />
    </fieldset>
  );
}

/** A server, or all. */
export function ServerField(field: FieldProps) {
  const servers = useQuery(serversQuery).data ?? [];
  const choices = [
    { value: '', label: words.everyServer },
    ...servers.map(({ name }) => ({ value: name, label: name })),
  ];
  return <NativeSelect label={words.server} data={withChosen(choices, field.value)} {...field} />;
}

/** A person, or anyone. */
export function PersonField({ isNeeded, ...field }: FieldProps & { isNeeded: boolean }) {
  const users = useQuery(usersQuery).data ?? [];
  const none = { value: '', label: isNeeded ? words.choosePerson : words.anyone };
  const choices = [none, ...users.map(({ id, name }) => ({ value: id, label: name }))];
  const data = withChosen(choices, field.value);
  return <NativeSelect label={words.person} required={isNeeded} withAsterisk={false} data={data} {...field} />;
}

interface Choice {
  value: string;
  label: string;
}

/** Adds the chosen value while its name is loading, so that the search never looks wider than it is. */
const withChosen = (choices: Choice[], chosen: string): Choice[] =>
  choices.some(({ value }) => value === chosen) ? choices : [...choices, { value: chosen, label: chosen }];

interface NeverThereProps {
  /** Filters with a value that never existed. */
  unknown: string[];
  valueOf: (filter: string) => string;
}

/** Replaces an answer emptied by a typing error: it makes no claim about the intended value. */
export const NeverThere = ({ unknown, valueOf }: NeverThereProps) => (
  <Notice tone="warn" title={words.noAnswer}>
    {unknown.map((filter) => (
      <p key={filter}>
        <Revealed text={words.neverThere(filter, valueOf(filter))} />
      </p>
    ))}
  </Notice>
);
