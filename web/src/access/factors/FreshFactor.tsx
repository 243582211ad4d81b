import { isProblemOf } from '../../client/call-api.ts';
import { Notice } from '../../ui/Notice.tsx';
import {
  FreshSignInOrProblem,
  PasskeyConfirmation,
  SigningProblem,
  usePasskeyConfirmation,
  CodeForm,
} from './FreshSignIn.tsx';
import page from '../../ui/Page.module.css';
import { fresh as words } from '../../ui/words/passkey-words.ts';

/** Problem of a change to sign-in factors; each missing proof can be given here. */
export const FreshFactorsOrProblem = ({ error, onDone }: { error: unknown; onDone: () => void }) =>
  isProblemOf(error, 'second-factor-needed') ? (
    <FreshFactor onDone={onDone} />
  ) : (
    <FreshSignInOrProblem error={error} onDone={onDone} />
  );

/** Asks a person with a second factor to prove it again, after the first. The person presses the same button afterwards. */
function FreshFactor({ onDone }: { onDone: () => void }) {
  const confirm = usePasskeyConfirmation(onDone);
  return (
    <div role="alert">
      <Notice tone="warn" title={words.factor}>
        <p>{words.note}</p>
        {confirm.isError && <SigningProblem error={confirm.error} />}
        <div className={page.actions}>
          <PasskeyConfirmation confirm={confirm} />
        </div>
        <CodeForm onDone={onDone} />
      </Notice>
    </div>
  );
}
