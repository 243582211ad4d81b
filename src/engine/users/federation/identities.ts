import { auditEntry } from '../../../audit/entry.ts';
import { newId } from '../../../crypto/random.ts';
import { nameAt } from '../../../model/identity.ts';
import { SignInProblem } from '../../../model/sign-in-problem.ts';
import type { SignInProvider } from '../../../model/sign-in-provider.ts';
import type { SignedInUser } from '../../../model/user.ts';
import type { StoredIdentity } from '../../../store/users/federation.ts';
import { hashOfName } from '../../access-watch.ts';
import { refuseTakenSubject } from '../change-user.ts';
import { userIn } from '../in-directory.ts';
import type { FederationEngine } from './begin-attempt.ts';

type Identity = Pick<StoredIdentity, 'issuer' | 'subject'>;

/** What stands for an identity in the log. */
export const identityHash = ({ ring }: Pick<FederationEngine, 'ring'>, identity: Identity): string =>
  hashOfName(ring, 'identity', nameAt(identity));

/**
 * Connects an identity that the person has just proven. It is a name of theirs at MCP clients from then on, so that they
 * never approve what they ask for under it. Who issued the credential of this session may have connected an identity of
 * their own: sign-ins with it count for them as well.
 */
export async function connectIdentity(
  engine: FederationEngine,
  { issuer: provider }: SignInProvider,
  user: SignedInUser,
  { issuer, subject }: Identity,
): Promise<void> {
  const at = engine.now();
  const event = { type: 'user.provider-connected', user: user.id, provider } as const;
  await engine.directory.change((directory) => {
    const { subjects } = userIn(directory, user.id);
    const next = [...new Set([...subjects, nameAt({ issuer, subject })])];
    refuseTaken(() => refuseTakenSubject(directory, user.id, next));
    const add = { issuer, subject, linkedById: user.issuer ?? null, createdAt: at };
    return {
      write: { type: 'identity', id: user.id, add, subjects: next },
      entry: auditEntry(
        newId('entry'),
        at,
        { kind: 'user', id: user.id },
        { ...event, identity: identityHash(engine, { issuer, subject }) },
      ),
    };
  });
}

function refuseTaken(check: () => void): void {
  try {
    check();
  } catch (cause) {
    throw new SignInProblem('identity-taken', { cause });
  }
}
