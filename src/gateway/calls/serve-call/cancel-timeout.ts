/** How long an upstream has to answer a call that was cancelled; after that its outcome is unknown. */
export const cancelTimeoutMs = 10_000;
