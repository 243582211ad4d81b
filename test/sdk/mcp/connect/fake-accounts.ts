import type { AssentryClient, FindConnection, OpenElicitation } from '#sdk/client/client';

/** Replaces the part of Assentry that knows accounts at providers; everything else is the real one. */
export interface FakeAccounts {
  client: AssentryClient;
  /** The openings of questions for an account, as they were sent. */
  opened: OpenElicitation[];
  found: FindConnection[];
  /** Tokens that were given out. */
  tokens: string[];
  refused: string[];
  /** The account as the next look finds it; the accept of a question for it makes it `stored`. */
  state: 'stored' | 'missing' | 'refused';
  account: { id: string; label: string };
  hosts: string[];
  /** Milliseconds for which a token lasts. */
  lasts: number;
}

/** A page of Assentry's own stands in for the way to the provider: its accept connects the account. */
export function fakeAccounts(real: AssentryClient): FakeAccounts {
  const questions = new Set<string>();
  const note = <State extends { id: string; status: string }>(state: State): State => {
    if (state.status === 'accepted' && questions.delete(state.id)) accounts.state = 'stored';
    return state;
  };
  const accounts: FakeAccounts = {
    opened: [],
    found: [],
    tokens: [],
    refused: [],
    state: 'missing',
    account: { id: '7', label: 'ada' },
    hosts: [],
    lasts: 60_000,
    client: {
      ...real,
      open: async (request, options) => {
        const { expects, ...rest } = request;
        if (!expects) return real.open(request, options);
        accounts.opened.push(request);
        const opened = await real.open({ ...rest, schema: { type: 'object', properties: {} } }, options);
        if (!opened.joined) questions.add(opened.id);
        return note(opened);
      },
      get: async (...parts) => note(await real.get(...parts)),
      answer: async (...parts) => note(await real.answer(...parts)),
      waitForOutcome: async (...parts) => note(await real.waitForOutcome(...parts)),
      findConnection: async (request) => {
        accounts.found.push(request);
        const { state, account, hosts } = accounts;
        if (state !== 'stored') return { state };
        const { provider, scopes = [] } = request;
        return { state, connection: { id: connectionId, provider, account, scopes, hosts } };
      },
      useConnection: async () => {
        accounts.tokens.push(`secret-${accounts.tokens.length + 1}`);
        return { token: accounts.tokens.at(-1) ?? '', lasts: accounts.lasts };
      },
      refuseConnection: async (id) => {
        accounts.refused.push(id);
        accounts.state = 'refused';
      },
    },
  };
  return accounts;
}

export const connectionId = `crd_${'a'.repeat(22)}` as const;
