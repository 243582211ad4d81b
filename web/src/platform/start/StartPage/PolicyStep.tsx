import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { firstPolicy } from '#platform/model/names';
import { policiesQuery } from '../../../people/users/directory-queries.ts';
import { gallery } from '../../../ui/words/gallery-words.ts';
import classes from '../Start.module.css';
import { Step } from './Step.tsx';
import { policy as words } from '../words/words.ts';
import { galleryNames } from '../../../ui/words/gallery-names.ts';

/** The first policy of one's own, from an example that is near to it. */
export const PolicyStep = ({ place }: { place: number }) => (
  <Step
    place={place}
    words={words}
    query={useQuery(policiesQuery)}
    isDone={(policies) => policies.some(({ name }) => name !== firstPolicy)}
  >
    {() => (
      <ul className={classes.gallery}>
        {galleryNames.map((name) => (
          <li key={name}>
            <Link to={`/new-policy?from=${name}`} className={classes.example}>
              <strong>{gallery[name].title}</strong>
              <span>{gallery[name].note}</span>
            </Link>
          </li>
        ))}
      </ul>
    )}
  </Step>
);
