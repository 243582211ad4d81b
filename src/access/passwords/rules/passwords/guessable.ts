import { commonPhrases, commonWords } from './common-phrases.ts';

/** Guesses of someone who tries common passwords, words and patterns first: 10 to this power are enough. */
const fewestGuesses = 9;
/** Letters next to a common phrase that make it hard to guess. */
const minRestLength = 8;
/** Characters that are looked at: the search takes longer than linear time. */
const lookedAt = 64;

/** What others know of the person whose password it is. */
export interface PasswordOwner {
  email: string;
  name: string;
}

/**
 * Whether the password is one of those that are stolen or chosen most often, or made of them, of phrases that everyone
 * knows, of its owner's name and address, keys in a row or dates. The lists are loaded when a password is set for the
 * first time.
 */
export async function isGuessable(password: string, owner?: PasswordOwner): Promise<boolean> {
  const check = await (loading ??= loadLists());
  const own = owner ? partsOf(owner) : [];
  return holdsPhrase(password) || check(password.slice(0, lookedAt), own).guessesLog10 < fewestGuesses;
}

/** A phrase that everyone knows, however it is spaced, with little more than a year behind it. */
function holdsPhrase(password: string): boolean {
  const letters = password.toLowerCase().replaceAll(/[^\p{L}]/gu, '');
  return commonPhrases.some((phrase) => letters.includes(phrase) && letters.length - phrase.length < minRestLength);
}

/** The name and the address, whole and in their words. */
function partsOf({ email, name }: PasswordOwner): string[] {
  const texts = [email, name, email.split('@')[0] ?? ''];
  const words = texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u)).filter((word) => word.length > 2);
  return [...texts, ...texts.map((text) => text.replaceAll(/[^\p{L}\p{N}]/gu, '')), ...words, 'assentry'];
}

type Check = (password: string, own: string[]) => { guessesLog10: number };
let loading: Promise<Check> | undefined;

async function loadLists(): Promise<Check> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const lists = { ...dictionary, commonPhrases, commonWords };
  const factory = new ZxcvbnFactory({ dictionary: lists, graphs: adjacencyGraphs });
  return (password, own) => factory.check(password, own);
}
