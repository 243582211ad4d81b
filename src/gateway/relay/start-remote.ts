import type { AssentryClient } from '#sdk/client/client';
import { autoKey } from '#connect/providers/auto';
import { localPrincipal } from '../identity/caller.ts';
import { ConnectedAccounts } from '../upstreams/accounts.ts';
import { PersonCredentials } from '../upstreams/credentials.ts';
import { HttpUpstream } from '../upstreams/http.ts';
import type { ServerProcess } from '../upstreams/stdio.ts';
import { maxMessageBytes } from '../upstreams/upstream.ts';
import { openRemote } from './remote.ts';

interface RemoteServer {
  /** Name for people. */
  server: string;
  url: string;
  /** Headers of each request, by names in small letters. */
  headers: Record<string, string>;
  client: Promise<AssentryClient>;
  warn(sentence: string): void;
}

/** Milliseconds until the server must begin to answer. */
const timeout = 300_000;

/** A server at an address, for the one person of this machine; they connect what it needs on a page of Assentry. */
export function startRemote({ server, url, headers, client, warn }: RemoteServer): ServerProcess {
  const account = { provider: autoKey, scopes: [], isLocal: true as const };
  const accounts = new ConnectedAccounts({ ...account, server, url, client });
  const manner = { header: 'authorization', prefix: 'Bearer ', account };
  const people = new PersonCredentials(manner, accounts, (sentence) => warn(`${server}: ${sentence}`));
  const limits = { timeout, calls: 1, sharePerCaller: 1, size: maxMessageBytes };
  const isOwn = headers['authorization'] !== undefined;
  const upstream = new HttpUpstream(
    { name: server, url, headers, ...limits },
    { onlyIfRefused: true, ...(!isOwn && { people }) },
  );
  const caller = { principal: localPrincipal(), token: null };
  return openRemote({ upstream, caller, untilAnswered: (signal) => accounts.untilAnswered(caller, signal) });
}
