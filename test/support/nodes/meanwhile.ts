import type { TwoNodes } from './two-nodes.ts';

type Transactor = TwoNodes['nodes'][0]['engine']['transactor'];

export interface Meanwhile {
  /** Does this once, over another connection, after the first node has decided and before its statement is sent. */
  next(change: () => Promise<unknown>): void;
  /** Leaves the first node as it was. */
  end(): void;
}

/** Comes between what the first node has read and what it writes. */
export function createMeanwhile({ nodes }: TwoNodes): Meanwhile {
  const { transactor } = nodes[0].engine;
  const plain = { ...transactor };
  const end = (): void => void Object.assign(transactor, plain);
  return {
    end,
    next(change) {
      const first = <T>(act: () => Promise<T>): Promise<T> => {
        end();
        return change().then(act);
      };
      Object.assign(transactor, {
        open: (opening: Parameters<Transactor['open']>[0]) => first(() => plain.open(opening)),
        change: (step: Parameters<Transactor['change']>[0]) => first(() => plain.change(step)),
      });
    },
  };
}
