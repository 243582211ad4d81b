import { Textarea, TextInput } from '@mantine/core';
import { useId, useState, type ReactNode } from 'react';
import page from '../../ui/Page.module.css';

interface TextPartProps {
  label: string;
  description?: ReactNode;
  value: string;
  suggestions?: string[];
  isMono?: boolean;
  isLong?: boolean;
  className?: string | undefined;
  /** An empty text takes the value away. */
  onChange: (text: string) => void;
}

/** While it is typed in, what stands in it is what was typed, not what became of it in the policy. */
export function TextPart({
  value,
  suggestions = [],
  isMono = false,
  isLong = false,
  onChange,
  ...shown
}: TextPartProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const list = useId();
  const props = {
    ...shown,
    value: typed ?? value,
    onChange: (event: { currentTarget: { value: string } }) => {
      setTyped(event.currentTarget.value);
      onChange(event.currentTarget.value.trim());
    },
    onBlur: () => setTyped(null),
    autoComplete: 'off',
    spellCheck: false,
    ...(isMono && { classNames: { input: page.mono ?? '' } }),
  };
  if (isLong) return <Textarea {...props} autosize={false} rows={2} />;
  return (
    <>
      <TextInput {...props} {...(suggestions.length > 0 && { list })} />
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  );
}
