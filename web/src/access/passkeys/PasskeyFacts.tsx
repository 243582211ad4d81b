import type { OwnPasskey } from '#access/passkeys/contract/passkeys';
import { Age } from '../../ui/Moment.tsx';
import classes from './PasskeyFacts.module.css';
import { passkeys as words } from '../../ui/words/passkey-words.ts';

/** Storage of a passkey, with its dates of creation and last use. */
export function PasskeyFacts({ passkey: { addedAt, usedAt, isBackedUp, isSyncable } }: { passkey: OwnPasskey }) {
  return (
    <>
      <span className={classes.fact}>
        {isBackedUp ? words.kept.synced : isSyncable === false ? words.kept.device : words.kept.syncable}
      </span>
      <span className={classes.fact}>
        {words.added} <Age at={addedAt} /> · {usedAt === null ? words.unused : words.used}{' '}
        {usedAt !== null && <Age at={usedAt} />}
      </span>
    </>
  );
}
