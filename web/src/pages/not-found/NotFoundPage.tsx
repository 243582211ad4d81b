import { MissingPage } from '../../ui/MissingPage.tsx';

const words = {
  missing: 'There is no page here',
  missingNote: 'The address may be incomplete. Requests can be found in the inbox, also those that have ended.',
  inbox: 'Go to the inbox',
};

export const NotFoundPage = () => <MissingPage words={words} back={{ to: '/inbox', text: words.inbox }} />;
