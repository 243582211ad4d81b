import type { ElicitationState } from '../../contract/servers/elicitation.ts';
import type { RoundQuestion } from '../question/incoming-call.ts';
import type { FormQuestion } from '../question/question.ts';

/** What a run leaves to be asked when it ends: by its client, which calls again with the answers, or by the agent. */
export class Handover {
  /** The question that the agent is to put to its person, of those that are open. */
  toTell: { question: FormQuestion; opened: ElicitationState } | undefined;
  /** Resolves once all is handed over; the first of a turn's questions sees to it. */
  done: Promise<Error> | undefined;
  readonly #steps = new Set<string>();
  readonly #parked = new Map<string, RoundQuestion>();

  /** Questions are handed over in the order in which they come here, whichever the orchestrator answered first. */
  expect(step: string): void {
    this.#steps.add(step);
  }

  park(step: string, question: RoundQuestion): void {
    this.#parked.set(step, question);
  }

  get parked(): ReadonlyMap<string, RoundQuestion> {
    const inOrder = [...this.#steps].flatMap((step): [string, RoundQuestion][] => {
      const question = this.#parked.get(step);
      return question ? [[step, question]] : [];
    });
    return new Map(inOrder);
  }
}
