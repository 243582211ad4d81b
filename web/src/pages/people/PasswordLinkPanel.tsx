import { TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import type { PasswordLink } from '../../../../src/contract/people.ts';
import { useAnnounce } from '../../lib/announcer.tsx';
import { TimeLeft } from '../../ui/Moment.tsx';
import { Notice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import classes from './People.module.css';
import { access as words } from './words.ts';

/** The link somebody sets their password with, while this page stays open and never again. It takes the focus. */
export function PasswordLinkPanel({ name, link }: { name: string; link: PasswordLink }) {
  const clipboard = useClipboard();
  const announce = useAnnounce();
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), [link.address]);
  const copy = () => {
    clipboard.copy(link.address);
    announce(words.copied);
  };
  return (
    <Notice ref={panel} tone="good" title={words.give(name)}>
      <p>{words.giveNote}</p>
      <div className={classes.link}>
        <TextInput
          aria-label={words.link}
          readOnly
          value={link.address}
          onFocus={(event) => event.currentTarget.select()}
          classNames={{ input: page.mono }}
        />
        <button type="button" className={page.action} onClick={copy}>
          {clipboard.copied ? words.copied : words.copy}
        </button>
      </div>
      {clipboard.error !== null && <p role="alert">{words.copyFailed}</p>}
      <p className={page.small}>
        {words.once} <TimeLeft until={link.expiresAt} />.
      </p>
    </Notice>
  );
}
