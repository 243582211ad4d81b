import { signIn } from './session.ts';
import { useEntrance } from './use-entrance.ts';

/** Signs in by password or by link, then goes where the person was headed. */
export const useSignIn = (next: string) => useEntrance(signIn, next);

export type SignInMutation = ReturnType<typeof useSignIn>;
