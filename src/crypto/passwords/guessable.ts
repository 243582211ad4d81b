/** Guesses of someone who tries common passwords, words and patterns first: 10 to this power are enough. */
const fewestGuesses = 8;
/** Characters that are looked at: the search takes longer than linear time. */
const lookedAt = 64;

/**
 * Whether the password is one of those that are stolen or chosen most often, or made of them, of names, keys in a row or
 * dates. The lists are loaded when a password is set for the first time.
 */
export async function isGuessable(password: string): Promise<boolean> {
  const check = await (loading ??= loadLists());
  return check(password.slice(0, lookedAt)).guessesLog10 < fewestGuesses;
}

let loading: ReturnType<typeof loadLists> | undefined;

async function loadLists(): Promise<(password: string) => { guessesLog10: number }> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const factory = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return (password) => factory.check(password);
}
