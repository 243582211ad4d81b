import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { serversQuery, usersQuery } from '../../lib/directory-queries.ts';
import { words } from './words/words.ts';

interface FieldProps {
  value: string;
  onChange: (event: { currentTarget: { value: string } }) => void;
}

/** A server to choose, or every one. */
export function ServerField(field: FieldProps) {
  const servers = useQuery(serversQuery).data ?? [];
  const choices = [
    { value: '', label: words.everyServer },
    ...servers.map(({ name }) => ({ value: name, label: name })),
  ];
  return <NativeSelect label={words.server} data={withChosen(choices, field.value)} {...field} />;
}

/** A person to choose, or anyone. */
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

/** What is chosen is shown as it is while its name is on its way, so that the search is never narrower than it looks. */
const withChosen = (choices: Choice[], chosen: string): Choice[] =>
  choices.some(({ value }) => value === chosen) ? choices : [...choices, { value: chosen, label: chosen }];
