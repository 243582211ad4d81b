import { Link } from 'react-router';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { PolicyClause } from '#policies/deciding/contract/clauses';
import { sentences } from '../../../language/sentences.ts';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { isBuiltInPolicy, namePolicy, nameStage } from '../../../ui/words/words.ts';
import { Explanation } from './Explanation.tsx';
import classes from '../PolicySection.module.css';
import { RequestPath } from './RequestPath.tsx';
import { Section } from '../Section.tsx';
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

/** What the policy requires; first what allowed the request instead, if something did. */
function Sentences({ policy: { name, basis, terms } }: { policy: ElicitationDetail['policy'] }) {
  return (
    <ul className={classes.sentences}>
      {basis === 'grant' && <li>{words.grant}</li>}
      {basis === 'break-glass' && <li>{words.breakGlass}</li>}
      {terms.map((term, at) => (
        <li key={at}>
          <Revealed text={sentences.clause(named(term, name))} />
        </li>
      ))}
    </ul>
  );
}

/** With the name of its stage in the reader's language, if it is the built-in policy's. */
const named = (clause: PolicyClause, policy: string): PolicyClause =>
  clause.kind === 'stage' ? { ...clause, name: nameStage(clause.name, policy) } : clause;

/** `name@version` leads to that version; the built-in policy has no page. */
function PolicyName({ pin }: { pin: string }) {
  const [name = pin, version] = pin.split('@');
  if (version === undefined || isBuiltInPolicy(pin)) return <Revealed text={namePolicy(pin)} />;
  return <Link to={`/policies/${name}?version=${version}`}>{pin}</Link>;
}
