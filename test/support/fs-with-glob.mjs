import { register } from 'node:module';

// The conformance suite imports fs.globSync, which Node 20 has not; none of the scenarios run here calls it.
const fs = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];`;
const hooks = `
  const fs = 'data:text/javascript,' + encodeURIComponent(${JSON.stringify(fs)});
  export const resolve = (specifier, context, next) =>
    specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
      ? { url: fs, shortCircuit: true }
      : next(specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
