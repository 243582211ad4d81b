import { LinkPage } from '../../../shell/PlainPage/LinkPage.tsx';
import { NewPasswordForm } from './NewPasswordForm.tsx';
import { words } from '../words/words.ts';

/** Where the link leads that an administrator hands over. */
export const PasswordPage = () => <LinkPage words={words}>{(link) => <NewPasswordForm link={link} />}</LinkPage>;
