export { Problem } from '#platform/model/problem';
export type { AgentCall, AgentTool } from './approvals.ts';
export { aiSdkApprovals, type AiSdkTool } from './frameworks.ts';
export { createApprovals, type Approvals, type ApprovalsOptions } from './approvals.ts';
export type { Once } from '../mcp/question/call.ts';
export { langGraphApprovals, type AssentryInterrupt } from './frameworks.ts';
export { openAiApprovals, type OpenAiTool } from './frameworks.ts';
export { CallRefusedError } from './approvals.ts';
