import { createContext, use } from 'react';

export const WaitingContext = createContext(0);

/** Number of requests that wait for the signed-in person; 0 before the sign-in. */
export const useWaiting = (): number => use(WaitingContext);
