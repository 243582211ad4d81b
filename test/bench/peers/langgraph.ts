import { Annotation, Command, interrupt, START, StateGraph } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { randomUUID } from 'node:crypto';
import type { Peer, Place } from './peer.ts';

/** A graph that interrupts itself. It goes on in the process that answers; nothing wakes the one that asked. */
export const langGraph: Peer = {
  async startAsker(place) {
    const { graph, saver } = openGraph(place);
    await saver.setup();
    return {
      async ask(question) {
        const reference = randomUUID();
        await graph.invoke({ question }, { configurable: { thread_id: reference } });
        return { reference };
      },
    };
  },
  startAnswerer(place) {
    const { graph } = openGraph(place);
    return Promise.resolve({
      async answer(reference) {
        const { answer } = await graph.invoke(new Command({ resume: 'accept' }), {
          configurable: { thread_id: reference },
        });
        if (answer !== 'accept') throw new TypeError('It was not accepted.');
      },
    });
  },
};

function openGraph({ databaseUrl }: Place) {
  const saver = PostgresSaver.fromConnString(databaseUrl);
  const state = Annotation.Root({ question: Annotation<string>(), answer: Annotation<string>() });
  const graph = new StateGraph(state)
    .addNode('ask', ({ question }) => ({ answer: interrupt<string, string>(question) }))
    .addEdge(START, 'ask')
    .compile({ checkpointer: saver });
  return { graph, saver };
}
