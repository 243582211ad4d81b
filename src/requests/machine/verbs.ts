import { machineShape } from './rules/step.ts';

let cachedShape: ReturnType<typeof machineShape> | undefined;

/** The statechart as this process runs it; it does not change while the process runs. */
export const showMachine = () => (cachedShape ??= machineShape());
