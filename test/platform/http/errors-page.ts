import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { errorsWords } from '#locales/errors';
import { problemStatus } from '#platform/http/contract/problem';
import { problemSentences, type ProblemCode } from '#platform/model/problem';

/** The text of docs/errors.md: each code with its status, what happened, and what to do. */
export function errorsPage(): string {
  const sections = (Object.keys(problemSentences) as ProblemCode[]).map(
    (code) => `## ${code}\n\n${errorsWords.en.causes[code]} ${problemSentences[code]} (${problemStatus[code]})\n`,
  );
  return `${head}\n${sections.join('\n')}`;
}

const head = `# Errors

<!-- Made by npm run docs:errors; a test compares. -->

A refused call answers \`application/problem+json\` (RFC 9457). Programs go by \`code\`, which never changes its meaning;
\`type\` is the address of the code's page at your Assentry, \`detail\` a sentence for this case, and \`errors\` has the path
of each wrong value. \`errorId\` finds the line in the node's log. The libraries throw the same codes. Each section has what
happened, what to do, and the HTTP status.
`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync('docs/errors.md', errorsPage());
