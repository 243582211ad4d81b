import { destroying, reading, wordsOfName, writing } from '../../known-tools/tool-verbs.ts';
import { annotationsOf, type ToolDefinition } from './definition.ts';

const denied = /^(?:not|never|no|without|cannot|nor|neither|can['’]t|doesn['’]t|don['’]t|won['’]t)$/;

/**
 * What of a definition contradicts its word that the tool only reads: the verb by which its name or its description says
 * that it writes, sends, deletes or runs something. Null without such a word, or such a claim.
 */
export function doubtfulClaim(tool: ToolDefinition): string | null {
  if (annotationsOf(tool).readOnlyHint !== true) return null;
  const { description } = tool;
  return verbOfName(tool.name) ?? (typeof description === 'string' ? verbOfText(description) : null);
}

function verbOfName(name: string): string | null {
  const words = wordsOfName(name);
  const first = words.find((word) => reading.test(word) || writing.test(word) || destroying.test(word));
  return words.find((word) => destroying.test(word)) ?? (first !== undefined && writing.test(first) ? first : null);
}

/** Of the first sentence every verb counts that is not denied, of the others the one that they begin with. */
function verbOfText(text: string): string | null {
  const [first = [], ...rest] = text
    .split(/[.!?:;\n]+/)
    .map((sentence) => sentence.toLowerCase().match(/[a-z]+(?:['’]t)?/g) ?? [])
    .filter((words) => words.length > 0);
  const destroyed = first.find(
    (word, at) =>
      destroying.test(plainVerb(word)) && !first.slice(Math.max(0, at - 4), at).some((near) => denied.test(near)),
  );
  const begins = [first, ...rest].map(([word = '']) => word).find((word) => isSaid(word));
  return destroyed ?? begins ?? (writing.test(plainVerb(first[0] ?? '')) ? (first[0] ?? null) : null);
}

/** In the third person it says what the tool does; in the imperative it may say what to do with the result. */
const isSaid = (word: string): boolean =>
  word.endsWith('s') && (writing.test(plainVerb(word)) || destroying.test(plainVerb(word)));

const plainVerb = (word: string): string =>
  [word.replace(/ies$/, 'y'), word.replace(/s$/, ''), word.replace(/es$/, '')].find(
    (stem) => writing.test(stem) || destroying.test(stem),
  ) ?? word;

/** The same definition without the claim. */
export function withoutClaim(tool: ToolDefinition): ToolDefinition {
  const { readOnlyHint: _, ...annotations } = tool['annotations'] as Record<string, unknown>;
  return { ...tool, annotations };
}
