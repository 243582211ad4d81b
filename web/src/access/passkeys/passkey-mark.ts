import { isKept, keep } from '../../ui/kept-choice.ts';

const mark = 'assentry-way';

/** Has a passkey signed in this browser before? Then it is offered first. */
export const hasUsedPasskey = (): boolean => isKept(mark, 'passkey');

export const notePasskey = (): void => keep(mark, 'passkey');
