export { Problem } from '#protocol/model/problem';
export type { AgentCall, AgentTool } from './agent-call.ts';
export { aiSdkApprovals, type AiSdkTool } from './ai-sdk.ts';
export { createApprovals, type Approvals, type ApprovalsOptions } from './approvals.ts';
export type { Once } from '../mcp/question/make-once.ts';
export { langGraphApprovals, type AssentryInterrupt } from './langgraph.ts';
export { openAiApprovals, type OpenAiTool } from './openai.ts';
export { CallRefusedError } from './refused-error.ts';
