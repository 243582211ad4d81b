import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { PersonEntry } from '../../../../src/contract/people.ts';
import { peopleQuery } from '../../lib/directory-queries.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { Age } from '../../ui/Moment.tsx';
import page from '../../ui/Page.module.css';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import classes from './People.module.css';
import { PersonForm } from './PersonForm.tsx';
import { SignInAccess } from './SignInAccess.tsx';
import { person as words } from './words.ts';

export function PersonPage() {
  const { id } = useParams();
  return (
    <Loaded query={useQuery(peopleQuery)}>
      {(people) => {
        const person = people.find((one) => one.id === id);
        return person === undefined ? <Missing /> : <Known key={person.id} person={person} people={people} />;
      }}
    </Loaded>
  );
}

function Known({ person, people }: { person: PersonEntry; people: PersonEntry[] }) {
  return (
    <div className={page.stack}>
      <header>
        <Link to="/people" className={page.back}>
          <span aria-hidden="true">←</span> {words.back}
        </Link>
        <PageHeading title={person.name} className={page.title}>
          <Revealed text={person.name} />
        </PageHeading>
        <p className={page.soft}>
          <Revealed text={person.email} />
        </p>
      </header>
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

function Missing() {
  return (
    <>
      <PageHeading title={words.missing}>{words.missing}</PageHeading>
      <p>{words.missingNote}</p>
      <Link to="/people">{words.back}</Link>
    </>
  );
}
