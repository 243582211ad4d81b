import './without-eval.ts';
import { z } from 'zod';

export { BreakGlassList } from '#requests/deliberation/contract/deliberation';
export { Inbox, InboxEvent, SignedIn } from '#requests/inbox/contract/inbox';
export { SignedOut } from '#access/oidc/contract/sign-in-provider';

export const Nothing = z.null();
