import type { ElicitationState } from '#requests/asking/contract/open';
import type { RoundQuestion } from '../../question/call/incoming-call.ts';
import type { FormQuestion } from '../../question/question/question.ts';

/**
 * The questions that a run leaves when it ends: for its client, which calls again with the answers, or for the agent.
 */
export class Handover {
  #forAgent: { question: FormQuestion; opened: ElicitationState } | undefined;
  #done: Promise<Error> | undefined;
  readonly #steps = new Set<string>();
  readonly #forClient = new Map<string, RoundQuestion>();

  /** Questions are handed over in the order in which they come here, whichever the orchestrator answered first. */
  expect(step: string): void {
    this.#steps.add(step);
  }

  /** The question that the agent is to put to its person: the first of those that are open. */
  get forAgent(): { readonly question: FormQuestion; readonly opened: ElicitationState } | undefined {
    return this.#forAgent;
  }

  addForAgent(question: FormQuestion, opened: ElicitationState): void {
    this.#forAgent ??= { question, opened };
  }

  addForClient(step: string, question: RoundQuestion): void {
    this.#forClient.set(step, question);
  }

  /** The first of a turn's questions hands everything over; resolves with the error that ends them all. */
  once(handOver: () => Promise<Error>): Promise<Error> {
    this.#done ??= handOver();
    return this.#done;
  }

  /** By step, in the order in which they were asked. */
  get forClient(): ReadonlyMap<string, RoundQuestion> {
    const inOrder = [...this.#steps].flatMap((step): [string, RoundQuestion][] => {
      const question = this.#forClient.get(step);
      return question ? [[step, question]] : [];
    });
    return new Map(inOrder);
  }
}
