import './without-eval.ts';
import { z } from 'zod';

export { BreakGlassList } from '../../../src/contract/console/deliberation.ts';
export { Inbox, InboxEvent, SignedIn } from '../../../src/contract/console/console.ts';
export { SignedOut } from '../../../src/contract/users/sign-in-provider.ts';

export const Nothing = z.null();
