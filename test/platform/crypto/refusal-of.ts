import { Problem } from '#platform/model/problem';

/** All that the outside learns from a refusal. */
export function refusalOf(attempt: () => unknown): unknown {
  try {
    return attempt();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message, errors, cause } = error;
    return { code, message, errors, ...(cause === undefined ? {} : { cause }) };
  }
}
