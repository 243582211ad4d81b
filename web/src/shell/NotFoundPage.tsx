import { MissingPage } from './MissingPage.tsx';
import { notFound as words } from '../ui/words/words.ts';

export const NotFoundPage = () => <MissingPage words={words} back={{ to: '/inbox', text: words.inbox }} />;
