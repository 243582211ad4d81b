import { z } from 'zod';

/** What a tool of a server that no one knows seems to do. */
export const lookGroups = ['reads', 'unsure', 'writes', 'sends'] as const;

/** What says so: our table, its hint, its name, its description, a free-form argument; a claim alone, or nothing. */
export const lookReasons = ['table', 'hint', 'name', 'description', 'argument', 'claim', 'nothing'] as const;

/** A tool in the request in which people look at a server for the first time, as the gateway sends it. */
const LookedTool = z.object({
  name: z.string(),
  group: z.enum(lookGroups),
  because: z.enum(lookReasons),
  word: z.string().meta({ description: 'The verb or argument found; empty for other reasons.' }),
  definition: z.looseObject({ name: z.string() }),
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description: 'Of this definition, as calls of the tool bring it.' }),
});
export type LookedTool = z.infer<typeof LookedTool>;

/** Arguments of that request; other requests of the gateway about definitions have none of these. */
export const LookedServer = z.looseObject({ server: z.string(), tools: z.array(LookedTool).min(1) });
export type LookedServer = z.infer<typeof LookedServer>;

/** Its answer: what is in neither list is held. */
export const LookAnswer = z.object({
  believe: z.array(z.string()).default([]),
  block: z.array(z.string()).default([]),
});
export type LookAnswer = z.infer<typeof LookAnswer>;
