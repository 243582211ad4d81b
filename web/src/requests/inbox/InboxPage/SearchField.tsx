import { TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import { listAddress, withFilter, type InboxFilters } from '../inbox-url.ts';
import classes from '../FilterBar.module.css';
import { words } from '../words/words.ts';

interface SearchFieldProps {
  name: 'q' | 'requester';
  filters: InboxFilters;
  onType?: (text: string) => void;
}

/** Searches on Enter, so that each search is an address, and once for each search. */
export function SearchField({ name, filters, onType }: SearchFieldProps) {
  const navigate = useNavigate();
  const [text, setText] = useState(filters[name] ?? '');
  const isSearch = name === 'q';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void navigate(listAddress(withFilter(filters, name, text.trim())));
  };
  return (
    <form role={isSearch ? 'search' : undefined} onSubmit={submit} className={isSearch ? classes.search : undefined}>
      <TextInput
        type={isSearch ? 'search' : 'text'}
        aria-label={isSearch ? words.search : words.requesterLabel}
        placeholder={isSearch ? words.searchNote : words.requesterLabel}
        title={isSearch ? words.sealedNote : words.requesterNote}
        value={text}
        maxLength={isSearch ? 200 : 800}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          onType?.(value.trim() === filters[name] ? '' : value.trim());
        }}
        enterKeyHint="search"
        autoComplete="off"
      />
    </form>
  );
}
