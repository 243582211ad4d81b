import { z } from 'zod';
import { changed, WaitingChange, type MadeAlone } from '#people/changes/contract';

/** What was changed at once, or the request that waits for a second administrator. */
export type Changed<T> = (T & { alone?: MadeAlone | undefined }) | WaitingChange;

export const isWaiting = (change: unknown): change is WaitingChange => WaitingChange.safeParse(change).success;

/** The answer to a change of who may decide. */
export const orWaiting = <S extends z.ZodRawShape>(entry: z.ZodObject<S>) => z.union([WaitingChange, changed(entry)]);
