import { LinkPage } from '../../ui/shell/LinkPage.tsx';
import { AdministratorForm } from './AdministratorForm.tsx';
import { words } from './words.ts';

export const SetUpPage = () => <LinkPage words={words}>{(link) => <AdministratorForm link={link} />}</LinkPage>;
