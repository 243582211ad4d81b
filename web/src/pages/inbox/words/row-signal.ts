export type { CallSignal as RowSignal } from '../../../../../src/contract/console/signal.ts';
