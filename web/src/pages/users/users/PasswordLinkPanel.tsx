import type { PasswordLink } from '../../../../../src/contract/users/users.ts';
import { TimeLeft } from '../../../ui/Moment.tsx';
import page from '../../../ui/page/Page.module.css';
import { ShownOnce } from '../ShownOnce.tsx';
import { access as words } from '../words/words.ts';

/** The link someone sets their password with. */
export function PasswordLinkPanel({ name, link }: { name: string; link: PasswordLink }) {
  return (
    <ShownOnce title={words.give(name)} note={words.giveNote} label={words.link} value={link.address}>
      <p className={page.small}>
        {words.once} <TimeLeft until={link.expiresAt} />.
      </p>
    </ShownOnce>
  );
}
