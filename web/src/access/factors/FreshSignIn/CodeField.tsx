import { TextInput } from '@mantine/core';
import type { Ref } from 'react';

interface CodeFieldProps {
  ref: Ref<HTMLInputElement>;
  /** The form that it belongs to, by id, if that is not the one around it. */
  form?: string;
  label: string;
  note: string;
  value: string;
  onChange(value: string): void;
  error: string | false;
}

/** Takes a one-time code; phones offer it from the app. */
export const CodeField = ({ ref, form, label, note, value, onChange, error }: CodeFieldProps) => (
  <TextInput
    ref={ref}
    form={form}
    label={label}
    description={note}
    name="one-time-code"
    autoComplete="one-time-code"
    autoCapitalize="off"
    spellCheck={false}
    maxLength={40}
    size="md"
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    error={error}
  />
);
