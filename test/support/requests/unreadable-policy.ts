import { auditEntry } from '#audit/entries/rules/entry';
import { newId } from '#platform/crypto/random';
import { digestDocument } from '#policies/verbs/read';
import type { RunningServer } from '#server/server';
import type { PolicyWrite } from '#policies/store/policies';

type Node = Pick<RunningServer, 'engine'>;

/** What an upgrade may leave: version 1 was published when this document could still be read, or watches in shadow. */
export async function leaveUnreadable({ engine }: Node, name: string, as: 'published' | 'shadow'): Promise<void> {
  const document = `policy: ${name}\nsince: 2031\ndeny: { reason: No. }\n`;
  const id = newId('policy');
  const at = Date.now();
  const reviewed = { reviewerId: null, reviewedAt: null, publishedAt: null, authorId: null, note: '' };
  const version = {
    version: 1,
    state: 'approved',
    document,
    digest: digestDocument(document),
    createdAt: at,
    ...reviewed,
  };
  await write(engine, name, {
    type: 'version',
    policy: id,
    name,
    version: version as Extract<PolicyWrite, { type: 'version' }>['version'],
    isPublished: as === 'published',
  });
  if (as === 'shadow') await write(engine, name, { type: 'shadow', policy: id, version: 1 });
}

const write = (engine: Node['engine'], name: string, change: PolicyWrite): Promise<void> =>
  engine.policies.change([name], () => ({
    write: change,
    entry: auditEntry(
      newId('entry'),
      Date.now(),
      { kind: 'operator' },
      { type: 'policy.shadowed', policy: name, version: 1 },
    ),
  }));
