import { useState } from 'react';
import page from '../ui/Page.module.css';
import { allowed, ReasonedButton } from '../ui/ReasonedButton.tsx';
import unseen from '../shell/Unseen.module.css';
import { useEscape } from './use-escape.ts';

interface ConfirmedButtonProps {
  /** Name of its subject: only read aloud, because the row shows it. */
  name: string;
  /** Texts of the act, its consequences, and the two buttons. */
  words: { act: string; note: string; confirm: string; keep: string };
  isSending?: boolean;
  onConfirm: () => void;
}

/** Button that explains the act first; a second button does it. */
export function ConfirmedButton({ name, words, isSending = false, onConfirm }: ConfirmedButtonProps) {
  const [isAsked, setIsAsked] = useState(false);
  useEscape(isAsked, () => setIsAsked(false));
  const label = <span className={unseen.unseen}>{name}</span>;
  return (
    <>
      {isAsked && <p className={page.small}>{words.note}</p>}
      <ReasonedButton
        {...allowed}
        isQuiet
        isSending={isSending}
        onPress={() => (isAsked ? onConfirm() : setIsAsked(true))}
      >
        {isAsked ? words.confirm : words.act} {label}
      </ReasonedButton>
      {isAsked && (
        <ReasonedButton {...allowed} isQuiet onPress={() => setIsAsked(false)}>
          {words.keep} {label}
        </ReasonedButton>
      )}
    </>
  );
}
