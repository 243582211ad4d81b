import { createEvidence } from '#audit/entries/rules/evidence';
import { createRules } from '#policies/deciding/verbs/rules';
import { createStore } from '#platform/database/store';
import { openInstallation } from './installation.ts';
import { openWorkloads } from '#access/workloads/wiring';
import { readKeptPlaces } from '#audit/tree/wiring/head';
import { openSignIn } from '#access/oidc/wiring';
import { openConnect } from '#connect/connections/wiring';
import { createOperator, type Operator } from './operator.ts';
import { surroundingsOf, type ServerOptions } from './options.ts';

/** The operator's verbs without serving. They work while nodes run and, if they may create, before the first one. */
export async function openOperator(
  options: ServerOptions & { mayCreate?: boolean },
): Promise<Operator & { close(): Promise<void> }> {
  const installation = await openInstallation({ ...options, onError: () => {} });
  const store = createStore(installation.database, {
    evidence: createEvidence(installation.ring, () => {}),
    onCommit() {},
  });
  const publicUrl = (): string => options.publicUrl ?? `http://${options.host}:${options.port}`;
  const surroundings = surroundingsOf(options);
  const operator = createOperator({
    ...store,
    ring: installation.ring,
    rules: createRules(store, surroundings.environment, { onUnreadable: () => {}, onCommandsByPart: () => {} }),
    ...surroundings,
    ...openWorkloads(options, installation.clock.now),
    ...openSignIn(options, installation.clock.now),
    ...openConnect(options, { ...store, ring: installation.ring, now: installation.clock.now, publicUrl }),
    now: installation.clock.now,
    publicUrl,
  });
  return {
    ...operator,
    verifyLog: async (request) => operator.verifyLog({ ...request, places: await readKeptPlaces(options) }),
    close: () => installation.close(),
  };
}
