import { randomHex } from '../../../client/digest/hex.ts';
import { errorIdOf } from '../../../client/transport/problem-response.ts';
import type { Mode } from '#requests/asking/contract/elicitation';
import type { Problem } from '#platform/model/problem';
import { ElicitationNotSupportedError } from '../errors/errors.ts';
import type { ToolResult } from '../call/incoming-call.ts';

export const text = (...lines: string[]): ToolResult['content'] => [{ type: 'text', text: lines.join('\n') }];

/** What the model reads when a tool ends with a problem. */
export function problemResult(problem: Problem): ToolResult {
  const errorId = errorIdOf(problem) ?? `err_${randomHex(8)}`;
  const details = problem.errors.length > 0 ? [`Details: ${JSON.stringify(problem.errors)}`] : [];
  const mode = problem instanceof ElicitationNotSupportedError && { mode: problem.mode };
  return { content: text(problem.message, ...details), isError: true, _meta: { code: problem.code, errorId, ...mode } };
}

/** What the client would have to declare, for a result that says that it could not be asked. */
export function lackingMode(result: unknown): Mode | null {
  const { _meta: meta = {} } = (result ?? {}) as { _meta?: { code?: unknown; mode?: unknown } };
  if (meta.code !== 'ELICITATION_NOT_SUPPORTED') return null;
  return meta.mode === 'url' ? 'url' : 'form';
}

/** As the SDKs show an error of the tool itself; kept for a caller that was not there. */
export const failureResult = (error: unknown): ToolResult => ({
  content: text(error instanceof Error ? error.message : String(error)),
  isError: true,
});

export const isToolResult = (value: unknown): value is ToolResult =>
  typeof value === 'object' && value !== null && 'content' in value && Array.isArray(value.content);
