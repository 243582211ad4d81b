import { Problem } from '#platform/model/problem/problem';

/** Under this name something else runs than was accepted. */
export const otherServer = (server: string): Problem =>
  new Problem('forbidden', {
    detail: `Ask an approver to accept what ${server} runs now: it is something else than before. Nothing was run.`,
  });
