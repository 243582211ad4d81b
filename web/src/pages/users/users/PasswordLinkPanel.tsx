import type { PasswordLink, UserEntry } from '../../../../../src/contract/users/users.ts';
import { TimeLeft } from '../../../ui/Moment.tsx';
import page from '../../../ui/page/Page.module.css';
import { ShownOnce } from '../ShownOnce.tsx';
import { access as words } from '../words/words.ts';

interface PasswordLinkPanelProps {
  user: Pick<UserEntry, 'name' | 'email'>;
  link: PasswordLink;
}

/** The link someone sets their password with. */
export function PasswordLinkPanel({ user: { name, email }, link }: PasswordLinkPanelProps) {
  return (
    <ShownOnce title={words.give(name)} note={words.giveNote} label={words.link} value={link.address}>
      <p className={page.small}>
        {words.once} <TimeLeft until={link.expiresAt} />.
      </p>
      <p className={page.small}>
        {words.shared} <code>assentry user link {email}</code>
      </p>
    </ShownOnce>
  );
}
