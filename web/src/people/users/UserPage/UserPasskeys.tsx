import { useQuery } from '@tanstack/react-query';
import { readPasskeysOf } from '../../../access/passkeys/passkeys.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import page from '../../../ui/Page.module.css';
import { PasskeyFacts } from '../../../access/passkeys/PasskeyFacts.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../../../settings/Users.module.css';
import { access as words } from '../../../settings/words/words.ts';

/** The passkeys of a person, for those who look after people: which stay on their device, and which are copied. */
export function UserPasskeys({ id }: { id: string }) {
  const queryKey = ['directory', 'users', id, 'passkeys'];
  const query = useQuery({ queryKey, queryFn: ({ signal }) => readPasskeysOf(id, signal) });
  return (
    <section className={classes.side}>
      <h2 className={page.subtitle}>{words.passkeys}</h2>
      <Loaded query={query}>
        {({ passkeys }) =>
          passkeys.length === 0 ? (
            <p className={page.soft}>{words.noPasskeys}</p>
          ) : (
            <ul>
              {passkeys.map((passkey) => (
                <li key={passkey.id}>
                  <Revealed text={passkey.name} />
                  <PasskeyFacts passkey={passkey} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
