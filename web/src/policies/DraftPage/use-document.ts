import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { editPolicy, type Edit } from '../StageFields/edit-policy.ts';
import { readPolicyParts } from '../policy-parts.ts';
import { checkQuery } from '../policy-queries/policy-queries.ts';

/** How long no one types until the server checks. Milliseconds. */
const checkAfter = 300;

/** The text that is edited: its parts for the form, and what the server says of it. Both views change the same text. */
export function useDocument(first: string) {
  const [text, setText] = useState(first);
  const settled = useSettled(text);
  const check = useQuery({ ...checkQuery(settled), enabled: settled.trim() !== '' });
  return {
    text,
    setText,
    parts: readPolicyParts(text),
    edit: (...edits: Edit[]) => setText((before) => editPolicy(before, edits)),
    check,
    /** False while the answer is about an older text. */
    isChecked: settled === text && check.isSuccess && !check.isPlaceholderData,
  };
}

export type EditedDocument = ReturnType<typeof useDocument>;

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), checkAfter);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
