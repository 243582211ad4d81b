import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useAnnounce } from '../../../shell/use-hotkeys/announcer.tsx';
import { fieldFaults } from '../../../ui/field-faults.ts';
import { factor as words } from '../../../ui/words/factor-words.ts';

interface CodeParts<T> {
  send(code: string): Promise<T>;
  /** What is announced once the code has counted. */
  done: string;
  onDone(answer: T): void;
}

/** A form with one field for a code: what the field shows, and what becomes of the code. */
export function useCode<T>({ send, done, onDone }: CodeParts<T>) {
  const [code, setCode] = useState('');
  const [isTried, setIsTried] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const announce = useAnnounce();
  const sent = useMutation({
    mutationFn: () => send(code.trim()),
    onSuccess: (answer) => {
      announce(done);
      onDone(answer);
    },
    onError: () => input.current?.focus(),
  });
  const isWrong = 'code' in fieldFaults(sent.error);
  const submit = () => {
    setIsTried(true);
    if (code.trim() === '') return input.current?.focus();
    sent.mutate();
  };
  const error = (isWrong && words.codeWrong) || (isTried && code.trim() === '' && words.codeMissing);
  return {
    field: { ref: input, value: code, onChange: setCode, error },
    submit,
    isSending: sent.isPending,
    /** What went wrong apart from the code itself; null if nothing did. */
    problem: sent.isError && !isWrong ? sent.error : null,
    reset: sent.reset,
  };
}
