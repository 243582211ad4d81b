import { hasWorld, isAddress, isSecretName } from './secrets.ts';

/** The end of the names of variables that say where a server goes, or as whom. */
const placeNames =
  /(?:^|_)(?:URL|URI|DSN|HOST|HOSTS|HOSTNAME|ENDPOINT|ADDRESS|ADDR|SERVER|SERVERS|PORT|DATABASE|DATABASES|DB|DBNAME|DB_NAME|DATABASE_NAME|SCHEMA|DOMAIN|SITE|ORIGIN|BASE|BASE_PATH|CONNECTION|CONN|CONNECTION_STRING|CONNECTIONSTRING|CONN_STR|BUCKET|BUCKET_NAME|ACCOUNT(?:_ID|_NAME)?|TENANT|TENANT_ID|PROJECT|PROJECT_ID|PROFILE|REGION|DEFAULT_REGION|LOCATION|ZONE|CLUSTER|CLUSTER_NAME|NAMESPACE|CONTEXT|WORKSPACE|WORKSPACE_ID|ORG|ORG_ID|ORGANIZATION|ORGANIZATION_ID|TEAM_ID|SUBSCRIPTION|SUBSCRIPTION_ID|INSTANCE|INSTANCE_ID|SITE_ID|STORE|SHOP|CLIENT_ID|ENV|ENVIRONMENT|STAGE|BROKER|BROKERS|BOOTSTRAP_SERVERS|SOCKET|SOCK|INDEX|COLLECTION|CHANNEL|REPO|REPOSITORY|BRANCH|BASE_ID|SPREADSHEET_ID|FOLDER_ID|CREDENTIALS_FILE|CONFIG_FILE|KUBECONFIG|APPLICATION_CREDENTIALS|CONFIG_PATH|ROOT|DIR|DIRECTORY|PATHS?)$/i;
const postgres = /^PG(?:HOST|HOSTADDR|PORT|DATABASE|USER|SERVICE|SERVICEFILE|OPTIONS)$/;

/** Variables of a session, a terminal, a shell, a client and its model, or a build, which differ from start to start: by name, and by its first word. */
const ofSession =
  /^(?:_|PWD|OLDPWD|INIT_CWD|PROJECT_CWD|SHLVL|HOME|USER|USERNAME|LOGNAME|SHELL|PATH|MANPATH|INFOPATH|FPATH|CDPATH|PYTHONPATH|NODE_PATH|CLASSPATH|PKG_CONFIG_PATH|MAIL|HOSTNAME|HOSTTYPE|DISPLAY|PORT|EDITOR|VISUAL|PAGER|TMPDIR|TEMP|TMP|SESSION_MANAGER|COLORTERM|LESSOPEN|LESSCLOSE|LS_COLORS|COMPUTERNAME|LOGONSERVER|PUBLIC|WINDIR|SYSTEMROOT|SYSTEMDRIVE|HOMEDRIVE|HOMEPATH|USERPROFILE|APPDATA|LOCALAPPDATA|\w*PROXY)$/i;
const firstWords =
  /^(?:npm|vscode|term|xdg|dbus|ssh|gpg|lc|iterm|kitty|wezterm|alacritty|ghostty|tmux|wt|wsl|desktop|gnome|kde|qt|gtk|wayland|journal|invocation|systemd|homebrew|claude|codex|cursor|anthropic|openai|gemini|google_gemini|copilot|opencode|electron|chrome|nvm|fnm|volta|asdf|sdkman|rbenv|pyenv|conda|virtual|java|cargo|rustup|deno|bun|corepack|berry|jest|runner|actions|ci|build|jenkins|playwright|puppeteer|android|zsh|bash|ld|dyld|security|github_(?:server|api|graphql|repository|workspace|ref|run|action|env|path|output|state|step|event|head|base|job|workflow))_/i;
const serviceLink = /_SERVICE_(?:HOST|PORT)(?:_.*)?$|_PORT_\d+_(?:TCP|UDP)(?:_.*)?$/;
const isOfSession = (name: string): boolean => ofSession.test(name) || firstWords.test(name) || serviceLink.test(name);

/** Does an inherited variable say what a server reaches? Everything else that a process inherits may differ from start to start. */
export const isPlace = (name: string, value: string): boolean =>
  value !== '' &&
  !isServiceLink(value) &&
  (postgres.test(name) ||
    hasWorld(value) ||
    (!isOfSession(name) && !isSecretOnly(name, value) && (placeNames.test(name) || isAddress(value))));

/** Kubernetes tells each process so where every service of its namespace is. */
const isServiceLink = (value: string): boolean => /^(?:tcp|udp):\/\/\d/.test(value);

const isSecretOnly = (name: string, value: string): boolean => isSecretName(name) && !isAddress(value);
