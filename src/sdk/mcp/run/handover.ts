import type { ElicitationState } from '#protocol/contract/servers/elicitation';
import type { RoundQuestion } from '../question/incoming-call.ts';
import type { FormQuestion } from '../question/question.ts';

/**
 * The questions that a run leaves when it ends: for its client, which calls again with the answers, or for the agent.
 */
export class Handover {
  /** The question that the agent is to put to its person, of those that are open. */
  toTell: { question: FormQuestion; opened: ElicitationState } | undefined;
  /** Resolves when everything is handed over, which the first of a turn's questions does. */
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
