/** Every variable Assentry reads, named once. Nothing else reads the environment. */
export const variableNames = [
  'ASSENTRY_HOST',
  'ASSENTRY_PORT',
  'ASSENTRY_PUBLIC_URL',
  'ASSENTRY_DATA_DIR',
  'ASSENTRY_DB_PORT',
  'ASSENTRY_LOG_HEAD',
  'ASSENTRY_LOG_LEVEL',
  'ASSENTRY_SHUTDOWN_GRACE',
  'ASSENTRY_ENVIRONMENT',
  'ASSENTRY_UNKNOWN_TOOLS',
  'ASSENTRY_REQUESTER',
  'ASSENTRY_MAX_OPEN_PER_SERVER',
  'ASSENTRY_MAX_OPEN_PER_REQUESTER',
  'ASSENTRY_MAX_OPEN_PER_APPROVER',
  'ASSENTRY_SECRETS',
  'ASSENTRY_SECRET',
  'MCP_ELICITATION_SECRET',
  'MCP_SESSION_SECRET',
  'MCP_SERVER_SECRET',
  'DATABASE_URL',
  'ASSENTRY_SLACK_TOKEN',
  'ASSENTRY_SLACK_SIGNING_SECRET',
  'ASSENTRY_SLACK_API_URL',
] as const;

export type VariableName = (typeof variableNames)[number];
export type Environment = Partial<Record<VariableName, string>>;

/** The named variables that are set; an empty one counts as absent. */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): Environment {
  const set = variableNames.flatMap((name) => (source[name] ? [[name, source[name]] as const] : []));
  return Object.fromEntries(set);
}

/** What a child process of ours inherits. */
export const childEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env });
