import { NativeSelect } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { accountPairRoutes, type AccountPair, type DecidePair } from '#people/accounts/contract';
import type { UserEntry } from '#people/users/contract';
import { call, query } from '../../client/call.ts';
import { useUser } from '../users/use-user.ts';
import { ChangeNotice } from '../changes/ChangeNotice.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { allowed, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import unseen from '../../shell/Unseen.module.css';
import { chooseUser } from '../../ui/words/words.ts';
import classes from '../../settings/Users.module.css';
import { useSave } from '../../settings/use-save.ts';
import { userChoices } from '../users/user-choices.ts';
import { pairs as words } from './words/words.ts';

const pairsQuery = queryOptions({
  ...query(accountPairRoutes.listPairs),
  select: ({ pairs }) => pairs,
});

/** Accounts that belong or may belong to one person; on a person's page only theirs, with a way to name another. */
export function AccountPairs({ of, users = [] }: { of?: string; users?: UserEntry[] }) {
  const save = useSave((body: DecidePair) => call(accountPairRoutes.decidePair, { body }));
  return (
    <section className={page.form}>
      <h2 className={page.subtitle}>{words.title}</h2>
      <p className={page.small}>{words.lead}</p>
      {save.isError && <ProblemNotice error={save.error} />}
      <ChangeNotice change={save.data} />
      <Loaded query={useQuery(pairsQuery)}>
        {(pairs) => {
          const shown = pairs.filter((pair) => of === undefined || pair.user.id === of || pair.other.id === of);
          if (shown.length === 0) return <p className={page.soft}>{of === undefined ? words.none : words.noneOf}</p>;
          return (
            <ul className={classes.members}>
              {shown.map((pair) => (
                <Pair
                  key={`${pair.user.id} ${pair.other.id}`}
                  pair={pair}
                  isSending={save.isPending}
                  say={(answer) => save.mutate({ user: pair.user.id, other: pair.other.id, answer })}
                />
              ))}
            </ul>
          );
        }}
      </Loaded>
      {of !== undefined && (
        <AnotherAccount
          users={users.filter(({ id }) => id !== of)}
          isSending={save.isPending}
          name={(id) => save.mutate({ user: of, other: id, answer: 'one-person' })}
        />
      )}
    </section>
  );
}

interface PairProps {
  pair: AccountPair;
  isSending: boolean;
  say: (answer: AccountPair['answer']) => void;
}

function Pair({ pair: { user, other, sign, answer }, isSending, say }: PairProps) {
  const about = <span className={unseen.unseen}>{words.about(user.name, other.name)}</span>;
  const choices: [AccountPair['answer'], string][] =
    answer === null
      ? [
          ['one-person', words.onePerson],
          ['two-people', words.twoPeople],
        ]
      : [[null, words.undecided]];
  return (
    <li>
      {[user, other].map(({ id, name, email }) => (
        <p key={id}>
          <Link to={`/settings/people/${id}`}>
            <Revealed text={name} />
          </Link>{' '}
          <span className={classes.second}>
            <Revealed text={email} />
          </span>
        </p>
      ))}
      <p className={page.small}>{answer ? words.answer(answer) : sign && words.sign(sign)}</p>
      <div className={page.actions}>
        {choices.map(([choice, label]) => (
          <ReasonedButton key={label} {...allowed} isQuiet isSending={isSending} onPress={() => say(choice)}>
            {label} {about}
          </ReasonedButton>
        ))}
      </div>
    </li>
  );
}

interface AnotherAccountProps {
  users: UserEntry[];
  isSending: boolean;
  name: (id: string) => void;
}

function AnotherAccount({ users, isSending, name }: AnotherAccountProps) {
  const [chosen, setChosen] = useState('');
  const me = useUser();
  return (
    <div className={classes.pick}>
      <NativeSelect
        label={words.another}
        value={chosen}
        data={[{ value: '', label: chooseUser }, ...userChoices({ users, me: me?.id })]}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <ReasonedButton {...allowed} isQuiet isSending={isSending} onPress={() => chosen !== '' && name(chosen)}>
        {words.onePerson}
      </ReasonedButton>
    </div>
  );
}
