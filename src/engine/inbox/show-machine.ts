import { machineShape, type MachineShape } from '../../machine/shape.ts';

let cachedShape: MachineShape | undefined;

/** The statechart as this process runs it; it does not change while the process runs. */
export const showMachine = (): MachineShape => (cachedShape ??= machineShape());
