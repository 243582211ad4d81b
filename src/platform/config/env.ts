/** Every variable that Assentry reads, named once. Nothing else reads the environment. */
export const variableNames = [
  'ASSENTRY_HOST',
  'ASSENTRY_PORT',
  'ASSENTRY_PUBLIC_URL',
  'ASSENTRY_TRUSTED_PROXIES',
  'ASSENTRY_DATA_DIR',
  'ASSENTRY_DB_PORT',
  'ASSENTRY_LOG_HEAD',
  'ASSENTRY_LOG_COPIES',
  'ASSENTRY_LOG_BUCKET',
  'ASSENTRY_LOG_BUCKET_KEY',
  'ASSENTRY_LOG_BUCKET_REGION',
  'ASSENTRY_LOG_BUCKET_DAYS',
  'ASSENTRY_WITNESSES',
  'ASSENTRY_LOG_STREAMS',
  'ASSENTRY_LOG_STREAMS_SECRET',
  'ASSENTRY_LOG_STREAMS_CA',
  'ASSENTRY_LOG_STREAMS_CERT',
  'ASSENTRY_LOG_STREAMS_KEY',
  'ASSENTRY_LOG_LEVEL',
  'ASSENTRY_SHUTDOWN_GRACE',
  'ASSENTRY_ENVIRONMENT',
  'ASSENTRY_UNKNOWN_TOOLS',
  'ASSENTRY_REQUESTER',
  'ASSENTRY_READING_TIME',
  'ASSENTRY_MAX_OPEN_PER_SERVER',
  'ASSENTRY_MAX_OPEN_PER_REQUESTER',
  'ASSENTRY_MAX_OPEN_PER_APPROVER',
  'ASSENTRY_MAX_OPENED_PER_MINUTE',
  'ASSENTRY_MAX_CALLS_PER_MINUTE',
  'ASSENTRY_MAX_STREAMS',
  'ASSENTRY_MAX_IN_PROGRESS',
  'ASSENTRY_MAX_IN_PROGRESS_PER_CALLER',
  'ASSENTRY_MAX_CONNECTIONS',
  'ASSENTRY_REQUEST_TIMEOUT',
  'ASSENTRY_KEEP_ALIVE',
  'ASSENTRY_DRAIN_TIMEOUT',
  'ASSENTRY_HEARTBEAT',
  'ASSENTRY_DB_LISTEN',
  'ASSENTRY_DB_POOLER',
  'ASSENTRY_DB_CONNECTIONS',
  'ASSENTRY_DB_STATEMENT_TIMEOUT',
  'ASSENTRY_SESSION_IDLE',
  'ASSENTRY_SESSION_LONGEST',
  'ASSENTRY_METRICS_TOKEN',
  'ASSENTRY_ACCESS_TOKENS',
  'ASSENTRY_WORKLOAD_ISSUERS',
  'ASSENTRY_SIGN_IN_PROVIDERS',
  'ASSENTRY_PROVIDERS',
  'ASSENTRY_PASSWORDS',
  'ASSENTRY_SECOND_FACTOR',
  'ASSENTRY_SECRETS',
  'ASSENTRY_SECRETS_COMMAND',
  'ASSENTRY_SECRET',
  'MCP_ELICITATION_SECRET',
  'MCP_SESSION_SECRET',
  'MCP_SERVER_SECRET',
  'DATABASE_URL',
  'ASSENTRY_MSTEAMS_APP_ID',
  'ASSENTRY_MSTEAMS_APP_SECRET',
  'ASSENTRY_MSTEAMS_TENANT',
  'ASSENTRY_MSTEAMS_SERVICE_URL',
  'ASSENTRY_SLACK_TOKEN',
  'ASSENTRY_SLACK_SIGNING_SECRET',
  'ASSENTRY_SLACK_API_URL',
  'ASSENTRY_SMTP_URL',
  'ASSENTRY_SMTP_FROM',
  'ASSENTRY_WEBHOOK_NETWORKS',
] as const;

export type VariableName = (typeof variableNames)[number];
export type Environment = Partial<Record<VariableName, string>>;

/** The named variables that are set; empty ones and those that Kubernetes sets for a Service count as absent. */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): Environment {
  const set = variableNames.flatMap((name) => {
    const value = source[name];
    return value && !isServiceLink(name, value) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(set);
}

/**
 * Whether Kubernetes has set the variable: for each Service of a namespace (`assentry`, `assentry-db`), every pod gets
 * NAME_PORT=tcp://10.0.0.1:80, NAME_PORT_80_TCP…, NAME_SERVICE_HOST and NAME_SERVICE_PORT….
 */
export const isServiceLink = (name: string, value: string): boolean =>
  /_SERVICE_HOST$|_SERVICE_PORT(?:_[A-Z0-9_]+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value));

/** Variables of the client library, `wrap` and commands over HTTP. */
const clientVariables = ['ASSENTRY_URL', 'ASSENTRY_API_KEY', 'ASSENTRY_TOKEN', 'ASSENTRY_NON_INTERACTIVE'];

/** Every name known to Assentry. */
export const readableNames: readonly string[] = [...variableNames, ...clientVariables];

/** Set variables with Assentry's prefix that nothing reads. */
export const unknownNames = (source: NodeJS.ProcessEnv = process.env): string[] =>
  Object.entries(source).flatMap(([name, value = '']) => {
    const isOwn = name.startsWith('ASSENTRY_') && !readableNames.includes(name);
    return isOwn && !isServiceLink(name, value) ? [name] : [];
  });

/** Folders of the operating system for programs' data of this machine alone; undefined if it names none. */
export const statePlaces = ({ XDG_STATE_HOME, LOCALAPPDATA } = process.env) => ({
  stateHome: XDG_STATE_HOME || undefined,
  localAppData: LOCALAPPDATA || undefined,
});

/** Can this process show something on a screen in front of its person? */
export const hasScreen = ({ DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION } = process.env): boolean =>
  process.platform === 'linux' ? Boolean(DISPLAY || WAYLAND_DISPLAY) : !SSH_CONNECTION;

/** Environment of Assentry's child processes. */
export const childEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env });

/** The environment of a process that runs someone else's server. */
interface SharedEnvironment {
  /** Variables of Assentry: only those with its prefix, because the rest is meant for the server. */
  own: Environment;
  /** Variables of the server: none with Assentry's prefix, so that it gets no key or secret. */
  theirs: NodeJS.ProcessEnv;
}

/** Divides the environment between Assentry and a server that it runs. */
export function shareEnvironment(): SharedEnvironment {
  const isOwn = ([name]: [string, unknown]): boolean => name.startsWith('ASSENTRY_');
  const entries = Object.entries(process.env);
  return {
    own: readEnvironment(Object.fromEntries(entries.filter(isOwn))),
    theirs: Object.fromEntries(entries.filter((entry) => !isOwn(entry))),
  };
}

/** The environment of a command of Assentry that works on this data directory with the embedded database. */
export function ownEnvironment(directory: string): NodeJS.ProcessEnv {
  const { own, theirs } = shareEnvironment();
  const isRead = new Set<string>(variableNames);
  const others = Object.entries(theirs).filter(([name]) => !isRead.has(name));
  return { ...Object.fromEntries(others), ...own, ASSENTRY_DATA_DIR: directory };
}
