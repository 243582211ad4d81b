import type { ElicitationContext } from '../machine/context.ts';
import type { ElicitationMachineState } from './step.ts';

/** A state as its row stores it: without what the row's columns say, and without defaults. */
export type StoredState = Omit<ElicitationMachineState, 'context'> & { context: Partial<ElicitationContext> };

type Columns = Pick<
  ElicitationContext,
  'audience' | 'mode' | 'openedAt' | 'deadlineAt' | 'revision' | 'caller' | 'cause'
>;

/** What `fullState` reads back next to the same columns. */
export function storedState({ context, ...state }: ElicitationMachineState, row: Columns): StoredState {
  const implied: Record<string, unknown> = impliedBy(row);
  const rest = Object.entries(context).filter(([name, value]) => !isSame(value, implied[name]));
  return { ...state, context: Object.fromEntries(rest) };
}

/** The whole state. One that was stored whole stays as it is. */
export const fullState = ({ context, ...state }: StoredState, row: Columns): ElicitationMachineState => ({
  ...state,
  context: { ...impliedBy(row), ...context } as ElicitationContext,
});

const impliedBy = ({ audience, mode, openedAt, deadlineAt, revision, caller, cause }: Columns) => ({
  ...defaults,
  audience,
  mode,
  openedAt,
  deadlineAt,
  revision,
  caller,
  cause,
});

// It never changes: what was stored is read with it. SQL reads `stages`, `stage` and `votes`, so they are always stored.
const defaults = {
  onTimeout: 'expire',
  notBefore: null,
  undo: null,
  reminders: [],
  escalated: 0,
  watch: null,
  inquiry: null,
  remarks: 0,
  breakGlassBy: null,
} satisfies Partial<ElicitationContext>;

const isSame = (value: unknown, other: unknown): boolean =>
  value === other || (isEmptyList(value) && isEmptyList(other));
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
