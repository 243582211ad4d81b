import './without-eval.ts';
import { z } from 'zod';

export { BreakGlassList } from '#protocol/contract/console/deliberation';
export { Inbox, InboxEvent, SignedIn } from '#protocol/contract/console/console';
export { SignedOut } from '#protocol/contract/users/sign-in-provider';

export const Nothing = z.null();
