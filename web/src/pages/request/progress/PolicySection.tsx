import { Link } from 'react-router';
import type { ElicitationDetail } from '../../../../../src/contract/console/console.ts';
import { Revealed } from '../../../ui/Revealed.tsx';
import { Explanation } from './Explanation.tsx';
import classes from './PolicySection.module.css';
import { RequestPath } from './RequestPath.tsx';
import { Section } from '../form/Section.tsx';
import { policy as words } from '../words/words.ts';

/** Which policy this is about, what it requires, and how far that has come. */
export function PolicySection({ detail }: { detail: ElicitationDetail }) {
  const { policy } = detail;
  return (
    <Section title={words.title}>
      <Sentences policy={policy} />
      <RequestPath detail={detail} />
      <p className={classes.soft}>
        {words.name} <PolicyName pin={policy.name} />
      </p>
      <Explanation policy={policy} />
    </Section>
  );
}

function Sentences({ policy: { sentence, sentences } }: { policy: ElicitationDetail['policy'] }) {
  const said = sentences.length > 0 ? sentences : [sentence];
  return (
    <ul className={classes.sentences}>
      {said.map((one) => (
        <li key={one}>
          <Revealed text={one} />
        </li>
      ))}
    </ul>
  );
}

/** `name@version` leads to that version; the built-in policy has no page. */
function PolicyName({ pin }: { pin: string }) {
  const [name = pin, version] = pin.split('@');
  if (version === undefined || name === 'built-in') return <Revealed text={pin} />;
  return <Link to={`/policies/${name}?version=${version}`}>{pin}</Link>;
}
