import type { Language } from '#platform/text/language';

interface Sentences {
  summary: (tool: string, server: string) => string;
}

/** What stands in an incident. */
export const sentences: Record<Language, Sentences> = {
  en: { summary: (tool, server) => `No one has decided yet: ${tool} of ${server}` },
  de: { summary: (tool, server) => `Noch nicht entschieden: ${tool} von ${server}` },
  fr: { summary: (tool, server) => `Pas encore décidé : ${tool} de ${server}` },
};
