import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useRef, useState, type SubmitEvent, useEffect } from 'react';
import { Problem } from '#platform/model/problem';
import { formatProblem, Notice } from '../../ui/Notice.tsx';
import { failures, words } from './words/sign-in/words.ts';
import type { SetPassword, SetUp, SignedIn, SignIn } from '#requests/inbox/contract/inbox';
import { isProblemOf, callApi } from '../../client/call-api.ts';
import type { ConfirmPassword } from '#requests/deliberation/contract/deliberation';
import { signInWaysAnswer } from '../../requests/inbox/plain-answers.ts';
import {
  queryOptions,
  useMutation,
  useQueryClient,
  MutationCache,
  QueryCache,
  QueryClient,
} from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { isOwnPath } from '#platform/model/own-path';

interface PasswordFormProps {
  enter: SignInMutation;
  /** Sentences for some problems. */
  own?: typeof failures;
  /** Set if another way comes first. */
  isSecond?: boolean;
}

export function PasswordForm({ enter, own = failures, isSecond = false }: PasswordFormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isTried, setIsTried] = useState(false);
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (email.trim() === '') return emailInput.current?.focus();
    if (password === '') return passwordInput.current?.focus();
    enter.mutate({ email: email.trim(), password }, { onError: () => passwordInput.current?.focus() });
  };
  return (
    <form onSubmit={submit} noValidate>
      {enter.isError && 'email' in enter.variables && <Failure error={enter.error} own={own} />}
      <TextInput
        ref={emailInput}
        label={words.email}
        type="email"
        name="email"
        autoComplete="username"
        size="md"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={isTried && email.trim() === '' && words.emailMissing}
      />
      <PasswordInput
        ref={passwordInput}
        label={words.password}
        name="password"
        autoComplete="current-password"
        size="md"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={isTried && password === '' && words.passwordMissing}
      />
      <Button type="submit" variant={isSecond ? 'default' : 'filled'} size="md" loading={enter.isPending}>
        {words.submit}
      </Button>
    </form>
  );
}

function Failure({ error, own }: { error: unknown; own: typeof failures }) {
  const sentence = error instanceof Problem ? (own[error.code] ?? formatProblem(error)) : own.unavailable;
  return (
    <div role="alert">
      <Notice tone="danger" title={sentence} />
    </div>
  );
}

/** The part behind the `#` of the opened page; it is removed from the address, which is shared and kept. */
export function useFragment(): { link: string | null; next: string | null } {
  const [fragment] = useState(() => readFragment(location.hash));
  useEffect(() => {
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search);
  }, []);
  return fragment;
}

export const signIn = (body: SignIn) =>
  callApi('/api/session', { method: 'POST', body, answer: (answers) => answers.SignedIn });

export const setUp = (body: SetUp): Promise<SignedIn> =>
  confirmed(body, callApi('/api/setup', { method: 'POST', body, answer: (answers) => answers.SignedIn }));

export const setPassword = (body: SetPassword): Promise<SignedIn> =>
  confirmed(body, callApi('/api/password', { method: 'POST', body, answer: (answers) => answers.SignedIn }));

/**
 * Confirms the password after a link, which proves no identity. A person who continues with a second factor need not type the
 * new password twice.
 */
async function confirmed({ password }: { password: string }, entering: Promise<SignedIn>): Promise<SignedIn> {
  const signedIn = await entering;
  if (signedIn.unfinished) await confirmPassword({ password }).catch(() => null); // otherwise the next page asks for it
  return signedIn;
}

const readSignInWays = (signal: AbortSignal) => callApi('/api/sign-in', { answer: signInWaysAnswer, signal });

/** Signs out. Null if the browser need not visit a provider to end its session there. */
export const signOut = () =>
  callApi('/api/session', { method: 'DELETE', answer: (answers) => answers.SignedOut.nullable() });

export const confirmPassword = (body: ConfirmPassword) =>
  callApi('/api/session/confirm', { method: 'POST', body, answer: (answers) => answers.Nothing });

/** The signed-in person; null for no one, which ask-early.js reports itself where there is no cookie. */
async function readSession(signal: AbortSignal): Promise<SignedIn | null> {
  try {
    return await callApi('/api/session', { answer: (answers) => answers.SignedIn.nullable(), signal });
  } catch (error) {
    if (isProblemOf(error, 'unauthenticated')) return null;
    throw error;
  }
}

/** Ways to sign in, a setting that stays the same. */
export const waysQuery = queryOptions({
  queryKey: ['sign-in-ways'],
  queryFn: ({ signal }) => readSignInWays(signal),
  staleTime: 300_000,
});

/** A way to sign in: after it, the person continues to their target page. */
export function useEntrance<Body>(enter: (body: Body) => Promise<SignedIn>, next = '/') {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: enter,
    onSuccess: async (signedIn) => {
      queries.setQueryData(sessionQuery.queryKey, signedIn);
      if (isServerPage(next)) location.replace(next);
      else await navigate(next, { replace: true });
    },
  });
}

const maxRetries = 2;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => readSession(signal),
  // Signed out in one tab, signed in again in another: coming back asks at once.
  staleTime: ({ state }) => (state.data ? 60_000 : 0),
});

/** Client of all pages' queries and changes; a signed-out or incomplete session in one answer counts for all of them. */
export function makeQueryClient(): QueryClient {
  const noteSignedOut = (error: unknown) => {
    if (isProblemOf(error, 'unauthenticated')) client.setQueryData(sessionQuery.queryKey, null);
    // Each page leads to the missing step, once the session names it.
    if (isProblemOf(error, 'second-factor-needed')) void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: noteSignedOut }),
    mutationCache: new MutationCache({ onError: noteSignedOut }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < maxRetries && isProblemOf(error, 'unavailable'),
        staleTime: 5_000,
        networkMode: 'always',
      },
      // Whether a lost decision arrived is for the person to see, not for a loop to guess.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}

/** Target after signing in: a page of this console, or its start. A link must not lead anywhere else. */
export function safeNext(next: string | null): string {
  if (next === null || !isOwnPath(next)) return '/';
  const path = new URL(next, 'http://console.invalid').pathname;
  return ['/signin', '/setup', '/password', '/second-factor'].includes(path) ? '/' : next;
}

/** Is it a page of the server itself, which the console cannot show? */
export const isServerPage = (path: string): boolean => /^\/(?:e|go|credentials)\//.test(path);

/** The secret a one-time link carries behind the `#`, which no server ever sees. */
export function readFragment(hash: string): { link: string | null; next: string | null } {
  const fragment = new URLSearchParams(hash.replace(/^#/, ''));
  return { link: fragment.get('link'), next: fragment.get('next') };
}

/** Signs in by password or by link, then goes where the person was headed. */
export const useSignIn = (next: string) => useEntrance(signIn, next);

export type SignInMutation = ReturnType<typeof useSignIn>;
