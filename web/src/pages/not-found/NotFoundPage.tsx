import { Link } from 'react-router';
import { PageHeading } from '../../ui/PageHeading.tsx';

const words = {
  title: 'There is no page here',
  note: 'The address may be incomplete. Requests can be found in the inbox, also those that have ended.',
  inbox: 'Go to the inbox',
};

export function NotFoundPage() {
  return (
    <>
      <PageHeading title={words.title}>{words.title}</PageHeading>
      <p>{words.note}</p>
      <p>
        <Link to="/inbox">{words.inbox}</Link>
      </p>
    </>
  );
}
