import { useClipboard } from '@mantine/hooks';
import { useEffect } from 'react';
import { useAnnounce } from '../shell/announcer.tsx';
import page from './Page.module.css';
import { copying as words } from './words/change-words.ts';

/** Copies a text and tells the result, also if the browser refused. */
export function CopyButton({ text }: { text: string }) {
  const { copy, copied, error } = useClipboard();
  const announce = useAnnounce();
  useEffect(() => {
    if (copied) announce(words.copied);
  }, [copied, announce]);
  return (
    <>
      <button type="button" className={page.action} onClick={() => copy(text)}>
        {copied ? words.copied : words.copy}
      </button>
      {error !== null && <p role="alert">{words.failed}</p>}
    </>
  );
}
