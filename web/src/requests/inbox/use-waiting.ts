import { createContext, use } from 'react';

export const WaitingContext = createContext(0);

/** How many requests wait for the signed-in person; none before the sign-in. */
export const useWaiting = (): number => use(WaitingContext);
