import { LinkPage } from '../../../shell/PlainPage/LinkPage.tsx';
import { AdministratorForm } from './AdministratorForm.tsx';
import { words } from '../words/set-up/words.ts';

export const SetUpPage = () => <LinkPage words={words}>{(link) => <AdministratorForm link={link} />}</LinkPage>;
