export { Problem } from '#platform/model/problem';
export type { AgentCall, AgentTool } from './approvals/agent-call.ts';
export { aiSdkApprovals, type AiSdkTool } from './frameworks/ai-sdk.ts';
export { createApprovals, type Approvals, type ApprovalsOptions } from './approvals/approvals.ts';
export type { Once } from '../mcp/question/call/make-once.ts';
export { langGraphApprovals, type AssentryInterrupt } from './frameworks/langgraph.ts';
export { openAiApprovals, type OpenAiTool } from './frameworks/openai.ts';
export { CallRefusedError } from './approvals/refused-error.ts';
