import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { AddedPerson } from '../../../../../src/contract/people/people.ts';
import { peopleQuery, teamsQuery } from '../../../lib/directory-queries.ts';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import { places } from '../../../ui/words.ts';
import { NewPersonForm } from './NewPersonForm.tsx';
import { PasswordLinkPanel } from './PasswordLinkPanel.tsx';
import { newPerson as words } from '../words.ts';

export function NewPersonPage() {
  const [added, setAdded] = useState<AddedPerson | null>(null);
  const people = useQuery(peopleQuery).data ?? [];
  const teams = useQuery(teamsQuery).data ?? [];
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} back={{ to: '/people', text: places.people }} />
      {added === null ? (
        <NewPersonForm people={people} teams={teams} onAdded={setAdded} />
      ) : (
        <Added {...added} onAgain={() => setAdded(null)} />
      )}
    </div>
  );
}

function Added({ person, link, onAgain }: AddedPerson & { onAgain: () => void }) {
  return (
    <div className={page.form}>
      <PasswordLinkPanel name={person.name} link={link} />
      <div className={page.actions}>
        <Link to={`/people/${person.id}`} className={page.action}>
          {words.open(person.name)}
        </Link>
        <button type="button" className={page.action} onClick={onAgain}>
          {words.again}
        </button>
      </div>
    </div>
  );
}
