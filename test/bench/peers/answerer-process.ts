import { clock, ownCpu } from './clocks.ts';
import type { Place } from './peer.ts';
import { peers, type PeerName } from './peers.ts';

// Answers what its parent has asked: answerer-process.js <peer> <place as JSON>

export type ToAnswerer = { reference: string } | 'usage';

export interface FromAnswerer {
  /** Answered; when it began, in milliseconds of the clock that all processes share. */
  answered?: { reference: string; began: number };
  /** Microseconds of CPU since the start of the process. */
  cpu?: number;
}

const [, , name = '', place = ''] = process.argv;
const peer = await peers[name as PeerName].load();
const answerer = await peer.startAnswerer(JSON.parse(place) as Place);
const tell = (message: FromAnswerer): void => void process.send?.(message);

process.on('message', (message: ToAnswerer) => {
  if (message === 'usage') return tell({ cpu: ownCpu() });
  void answer(message.reference);
});
process.once('disconnect', () => process.exit(0));
tell({});

async function answer(reference: string): Promise<void> {
  const began = clock();
  await answerer.answer(reference);
  tell({ answered: { reference, began } });
}
