import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { PersonEntry } from '../../../../../src/contract/people/people.ts';
import { peopleQuery } from '../../../lib/directory-queries.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { MissingPage } from '../../../ui/MissingPage.tsx';
import { Age } from '../../../ui/Moment.tsx';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import classes from '../People.module.css';
import { PersonForm } from './PersonForm.tsx';
import { SignInAccess } from './SignInAccess.tsx';
import { people, person as words } from '../words.ts';

const back = { to: '/people', text: people.title };

export function PersonPage() {
  const { id } = useParams();
  return (
    <Loaded query={useQuery(peopleQuery)}>
      {(people) => {
        const person = people.find((one) => one.id === id);
        return person === undefined ? (
          <MissingPage words={words} back={back} />
        ) : (
          <Known key={person.id} person={person} people={people} />
        );
      }}
    </Loaded>
  );
}

function Known({ person, people }: { person: PersonEntry; people: PersonEntry[] }) {
  return (
    <div className={page.stack}>
      <PageHead
        title={person.name}
        heading={<Revealed text={person.name} />}
        lead={<Revealed text={person.email} />}
        back={back}
      />
      <div className={classes.columns}>
        <PersonForm person={person} people={people} />
        <div className={classes.aside}>
          <SignInAccess person={person} />
          <section className={classes.side}>
            <h2 className={page.subtitle}>{words.groups}</h2>
            {person.teams.length === 0 ? (
              <p className={page.soft}>{words.noGroups}</p>
            ) : (
              <ul>
                {person.teams.map(({ id, name }) => (
                  <li key={id}>
                    <Link to={`/people/groups/${id}`}>{name}</Link>
                  </li>
                ))}
              </ul>
            )}
            <p className={page.small}>
              {words.since} <Age at={person.createdAt} />
            </p>
          </section>
        </div>
      </div>
    </div>
  );
}
