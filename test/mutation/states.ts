import { faultsOf, type Fault } from './fault.ts';

/** In the states of calls on the side of the caller: a run of a tool, and a call that the gateway holds. */
export const stateFaults: Fault[] = [
  ...faultsOf(
    'src/sdk/mcp/run/run.ts',
    ['test/sdk/mcp/run/run-state.test.ts'],
    [
      [
        "asking: { ask: 'asking', accept: 'approved' }",
        "asking: { ask: 'asking', accept: 'approved', claim: 'claiming' }",
      ],
      ["accept: 'uncertain', claim: 'reclaiming'", "accept: 'uncertain', claim: 'claimed'"],
      ["claim: 'queued', released: 'claiming'", "claim: 'queued', released: 'claimed'"],
      ["claimed: { ask: 'releasing'", "claimed: { ask: 'claimed'"],
      [
        "refused: { ask: 'refused', accept: 'refused', claim: 'refused'",
        "refused: { ask: 'refused', accept: 'refused', claim: 'claiming'",
      ],
      ["if (event === 'claim') return at === 'running';", ''],
      ["if (event === 'give-back' || event === 'claimed-unused') return at === 'finished';", ''],
      ["if (end.at === 'ended') return end;", ''],
      ["if (end.at === 'finished') return end;", ''],
      [" && end.leaving !== 'withdrawn'", ''],
      ["['claimed', 'uncertain', 'reclaiming', 'unused']", "['claimed', 'unused']"],
      ['end.next.continues !== undefined', 'true'],
    ],
  ),
  ...faultsOf(
    'src/sdk/mcp/run/run.ts',
    ['test/sdk/mcp/run/take-execution.test.ts'],
    [['this.#releasing.then(claim)', 'claim()']],
  ),
  ...faultsOf(
    'src/gateway/http/call.ts',
    ['test/gateway/http/call-state.test.ts'],
    [
      ["return state.at === 'held' ? { at: 'forwarded' } : null;", "return { at: 'forwarded' };"],
      ["return state.at === 'held' ? { at: 'lost' } : state;", "return { at: 'lost' };"],
      ["state.at === 'lost' || state.at === 'answered' || (", "state.at === 'lost' || ("],
      [" || (state.at === 'left' && state.why !== 'end')", ''],
      ["if (state.at === 'lost' || state.at === 'answered') return state;", ''],
      ["return why === 'end' && state.why !== 'end' ? { ...state, why } : state;", 'return state;'],
      ["('hasRun' in state && state.hasRun)", 'false'],
    ],
  ),
  ...faultsOf(
    'src/gateway/http/call.ts',
    ['test/gateway/http/calls.test.ts'],
    [["this.#dispatch('forward');", "await null; this.#dispatch('forward');"]],
  ),
  ...faultsOf(
    'src/gateway/calls/serve-call.ts',
    ['test/gateway/serve-call.test.ts'],
    [['free?.pass.isGood && serving.tools.isCurrent(definition)', 'free?.pass.isGood']],
  ),
];
