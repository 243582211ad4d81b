import { createHash } from 'node:crypto';
import path from 'node:path';
import {
  elsewhere,
  fileOf,
  isFileName,
  isPathLike,
  namesFile,
  type Place,
  bridges,
  startersOf,
  type Starter,
} from './starters.ts';
import { maxReachLength } from '#platform/model/names';

/** Replaces a secret: it is not shown, and another secret in its place is the same server. */
const mask = '•••';

/** Words in a name that mark its value as a secret. */
const secretWords = new Set(
  'password passwd passphrase pwd pass pw secret secrets token tokens apikey credential credentials authorization bearer cookie jwt pat otp signature sig sas privatekey accesskey secretkey'.split(
    ' ',
  ),
);
const endsAsSecret = /(?:password|passwd|passphrase|secret|token|apikey)$/;
/** Words that make a key public: any other word before `key` makes it a secret. */
const publicKeys = new Set('public primary partition sort foreign cache project issue row object sort'.split(' '));
/** Words at the end of a name that describe the place of a secret, or another property of it. */
const placeWords = new Set(
  'url uri dsn host hostname endpoint domain address addr server file path dir folder id ids name names type mode region profile store provider prefix user username length ttl expiry scope scopes issuer audience method port env'.split(
    ' ',
  ),
);

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** Is this the name of an option, a variable, a header or a parameter that holds a secret? */
function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (placeWords.has(last)) return false;
  if (last === 'key') return !publicKeys.has(words.at(-2) ?? '');
  return last === 'auth' || words.some((word) => secretWords.has(word) || endsAsSecret.test(word));
}

/** Prefixes of secrets that services issue. */
const tokens =
  /^(?:[sprw]k[-_]|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|xapp-|AKIA|ASIA|eyJ[\w-]+\.|AIza|ya29\.|npm_|pypi-|dop_v1_|shp[a-z]{2}_|lin_api_|secret_|ntn_|figd_|hf_|sq0[a-z]{3}-|SG\.|asn_)[\w.=/+-]{12,}$/;
/** Prefix that tells the live from the test world of a key: it is no secret, and decides what is reached. */
const world = /^[sprw]k_(?:live|test)_/;

const isSecretValue = (value: string): boolean => tokens.test(value) || /^(?:Bearer|Basic|Token)\s+\S/i.test(value);

/** Does the secret name its world, live or test? */
const hasWorld = (value: string): boolean => isSecretValue(value) && world.test(value);

/** Replacement of a secret. */
const maskOf = (secret: string): string => `${world.exec(secret)?.[0] ?? ''}${mask}`;

const address = /[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi;

/** Is it an address, whatever its name? */
export const isAddress = (value: string): boolean => /^(?:jdbc:)?[a-z][a-z0-9+.-]*:\/\/[^\s]/i.test(value);

/** The text with its addresses in one spelling, and without the secrets in it. */
function withoutSecrets(text: string): string {
  const plain = text.replaceAll(address, plainAddress);
  const value = plain.includes(';') ? /(["']?)([\w.-]+)\1(\s*[=:]\s*)("[^"]*"|'[^']*'|[^;"'{}]+)/g : pairs;
  return plain.replaceAll(value, (pair, quote: string, name: string, sign: string, secret: string) => {
    if (secret.includes('://') || !isSecretName(name)) return pair;
    const [, scheme = ''] = /^["']?((?:Bearer|Basic|Token)\s+)/i.exec(secret) ?? [];
    const end = /^["']/.exec(secret)?.[0] ?? '';
    return `${quote}${name}${quote}${sign}${end}${scheme}${maskOf(secret)}${end}`;
  });
}

const pairs = /(["']?)([\w.-]+)\1(\s*=\s*|\s*:\s*(?!\/\/))("[^"]*"|'[^']*'|(?:Bearer |Basic |Token )?[^\s&;,"'{}]+)/gi;

/** One address with scheme and host in lower case, without the default port, the password and secret parameters. */
function plainAddress(text: string): string {
  const [, scheme = '', authority = '', rest = ''] = /^([^:]+:\/\/)([^/?#]*)(.*)$/s.exec(text) ?? [];
  const at = authority.lastIndexOf('@');
  const place = plainHost(scheme.toLowerCase(), authority.slice(at + 1).toLowerCase());
  const person = at < 0 ? '' : `${personOf(scheme, authority.slice(0, at))}@`;
  const query = rest.replaceAll(/([?&;#])([^=&;#]+)=([^&;#]*)/g, (pair, sign: string, name: string, value: string) =>
    isSecretName(name) || isSecretValue(value) ? `${sign}${name}=${maskOf(value)}` : pair,
  );
  const path = query
    .split('/')
    .map((step) => (isSecretValue(step) ? maskOf(step) : step))
    .join('/');
  return `${scheme.toLowerCase()}${person}${place}${path === '/' ? '' : path}`;
}

const plainHost = (scheme: string, host: string): string =>
  host.replace(scheme === 'https://' ? /:443$/ : scheme === 'http://' ? /:80$/ : /(?!)/, '');

/** Person in an address. Over HTTP a name alone is a token. */
function personOf(scheme: string, userinfo: string): string {
  const colon = userinfo.indexOf(':');
  if (colon >= 0) return `${userinfo.slice(0, colon)}:${mask}`;
  return /^(?:git\+)?https?:/i.test(scheme) ? mask : userinfo;
}

/** Endings of variable names for a server's destination, or its identity there. */
const placeNames =
  /(?:^|_)(?:URL|URI|DSN|HOST|HOSTS|HOSTNAME|ENDPOINT|ADDRESS|ADDR|SERVER|SERVERS|PORT|DATABASE|DATABASES|DB|DBNAME|DB_NAME|DATABASE_NAME|SCHEMA|DOMAIN|SITE|ORIGIN|BASE|BASE_PATH|CONNECTION|CONN|CONNECTION_STRING|CONNECTIONSTRING|CONN_STR|BUCKET|BUCKET_NAME|ACCOUNT(?:_ID|_NAME)?|TENANT|TENANT_ID|PROJECT|PROJECT_ID|PROFILE|REGION|DEFAULT_REGION|LOCATION|ZONE|CLUSTER|CLUSTER_NAME|NAMESPACE|CONTEXT|WORKSPACE|WORKSPACE_ID|ORG|ORG_ID|ORGANIZATION|ORGANIZATION_ID|TEAM_ID|SUBSCRIPTION|SUBSCRIPTION_ID|INSTANCE|INSTANCE_ID|SITE_ID|STORE|SHOP|CLIENT_ID|ENV|ENVIRONMENT|STAGE|BROKER|BROKERS|BOOTSTRAP_SERVERS|SOCKET|SOCK|INDEX|COLLECTION|CHANNEL|REPO|REPOSITORY|BRANCH|BASE_ID|SPREADSHEET_ID|FOLDER_ID|CREDENTIALS_FILE|CONFIG_FILE|KUBECONFIG|APPLICATION_CREDENTIALS|CONFIG_PATH|ROOT|DIR|DIRECTORY|PATHS?)$/i;
const postgres = /^PG(?:HOST|HOSTADDR|PORT|DATABASE|USER|SERVICE|SERVICEFILE|OPTIONS)$/;

/**
 * Variables of a session, a terminal, a shell, a client and its model, or a build, which differ between starts: by name, and by
 * first word.
 */
const ofSession =
  /^(?:_|PWD|OLDPWD|INIT_CWD|PROJECT_CWD|SHLVL|HOME|USER|USERNAME|LOGNAME|SHELL|PATH|MANPATH|INFOPATH|FPATH|CDPATH|PYTHONPATH|NODE_PATH|CLASSPATH|PKG_CONFIG_PATH|MAIL|HOSTNAME|HOSTTYPE|DISPLAY|PORT|EDITOR|VISUAL|PAGER|TMPDIR|TEMP|TMP|SESSION_MANAGER|COLORTERM|LESSOPEN|LESSCLOSE|LS_COLORS|COMPUTERNAME|LOGONSERVER|PUBLIC|WINDIR|SYSTEMROOT|SYSTEMDRIVE|HOMEDRIVE|HOMEPATH|USERPROFILE|APPDATA|LOCALAPPDATA|\w*PROXY)$/i;
const firstWords =
  /^(?:npm|vscode|term|xdg|dbus|ssh|gpg|lc|iterm|kitty|wezterm|alacritty|ghostty|tmux|wt|wsl|desktop|gnome|kde|qt|gtk|wayland|journal|invocation|systemd|homebrew|claude|codex|cursor|anthropic|openai|gemini|google_gemini|copilot|opencode|electron|chrome|nvm|fnm|volta|asdf|sdkman|rbenv|pyenv|conda|virtual|java|cargo|rustup|deno|bun|corepack|berry|jest|runner|actions|ci|build|jenkins|playwright|puppeteer|android|zsh|bash|ld|dyld|security|github_(?:server|api|graphql|repository|workspace|ref|run|action|env|path|output|state|step|event|head|base|job|workflow))_/i;
const serviceLink = /_SERVICE_(?:HOST|PORT)(?:_.*)?$|_PORT_\d+_(?:TCP|UDP)(?:_.*)?$/;
const isOfSession = (name: string): boolean => ofSession.test(name) || firstWords.test(name) || serviceLink.test(name);

/** Does an inherited variable tell what a server reaches? All other inherited variables may differ between starts. */
const isPlace = (name: string, value: string): boolean =>
  value !== '' &&
  !isServiceLink(value) &&
  (postgres.test(name) ||
    hasWorld(value) ||
    (!isOfSession(name) && !isSecretOnly(name, value) && (placeNames.test(name) || isAddress(value))));

/** True for a service link, by which Kubernetes tells each process where every service of its namespace is. */
const isServiceLink = (value: string): boolean => /^(?:tcp|udp):\/\/\d/.test(value);

const isSecretOnly = (name: string, value: string): boolean => isSecretName(name) && !isAddress(value);

interface StartedCommand {
  words: readonly string[];
  /** Variables set by the server's entry. */
  own?: Variables;
  /** All other variables that it inherits. */
  inherited?: Variables;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reach of a server started by this command: the same text for the same server, a different one for another. It has the
 * launcher in one spelling, the package or file, the arguments and the variables that name its destination, with full paths; no
 * version of a package, and no secret. People read it.
 */
export function reachOfCommand({ words, own = {}, inherited = {} }: StartedCommand, place: Place): string {
  const reader = new CommandReader(place);
  const command = reader.read(words).map(quoted).join(' ');
  const named = Object.entries(inherited).filter(
    ([name, value]) => !Object.hasOwn(own, name) && (reader.mentioned.has(name) || isPlace(name, value ?? '')),
  );
  const variables = Object.entries({ ...Object.fromEntries(named), ...reader.variables, ...own })
    .filter(([name, value]) => value !== undefined && !isSecret(name, value))
    .map(([name, value = '']) => `${name}=${quoted(readValue(value, place))}`)
    .toSorted();
  const folder = reader.isInProject ? [`cd ${quoted(place.cwd)} &&`] : [];
  return limited([...folder, ...variables, command].join(' '));
}

/** Reach of a server at an address, with the headers sent there. */
export function reachOfAddress(url: string, headers: Readonly<Record<string, string>> = {}): string {
  const parts = Object.entries(headers)
    .filter(([name, value]) => !isSecretName(name) && !isSecretValue(value))
    .map(([name, value]) => `${name.toLowerCase()}: ${withoutSecrets(value)}`)
    .toSorted();
  return limited([withoutSecrets(url.replace(/#.*$/s, '')), ...parts.map((part) => `(${part})`)].join(' '));
}

/** Cuts a text longer than Assentry accepts; it ends with a digest of the whole. */
function limited(text: string): string {
  if (text.length <= maxReachLength) return text;
  const digest = createHash('sha256').update(text).digest('hex');
  return `${text.slice(0, maxReachLength - 100)} … (${text.length} characters, SHA-256 ${digest})`;
}

/** Target from which a server is named: the package, file, image or address behind all starters. */
export const targetOf = (words: readonly string[], place: Place): string => {
  const reader = new CommandReader(place);
  reader.read(words);
  return reader.target;
};

/** Variables of an entry that `wrap` could not tell from other inherited ones when it finds out the server's reach. */
export const variablesToName = (own: Variables): string[] =>
  Object.entries(own)
    .filter(([name, value = '']) => !isSecret(name, value) && !isPlace(name, value) && !name.startsWith('ASSENTRY_'))
    .map(([name]) => name)
    .toSorted();

/** Is it a secret, by its value, or by its name unless it is an address or a file? */
const isSecret = (name: string, value: string): boolean =>
  isSecretValue(value) ? !hasWorld(value) : isSecretName(name) && !isAddress(value) && !isFileName(value);

/** Depth limit of command lines in command lines. */
const deepest = 6;

class CommandReader {
  readonly variables: Record<string, string> = {};
  /** Variables whose value a shell, or a container, inserts. */
  readonly mentioned = new Set<string>();
  isInProject = false;
  /** Target from which the server is named. */
  target = '';
  #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  read(words: readonly string[], depth = 0): string[] {
    const [first = '', ...rest] = words;
    if (depth < deepest) {
      const assigned = /^([A-Za-z_]\w*)=(.*)$/s.exec(first);
      if (assigned && depth > 0 && rest.length > 0) {
        this.variables[assigned[1] ?? ''] = assigned[2] ?? '';
        return this.read(rest, depth);
      }
      if (rest.length === 0 && depth > 0 && /\s/.test(first)) return this.#readText([first], depth + 1);
      const starter = isInstalled(first) ? starterOf(programName(first), rest) : undefined;
      if (starter) return this.#readStarter(starter, first, rest, depth);
    }
    const program = this.#programOf(first, depth);
    this.target = program;
    return [program, ...this.#readArguments(rest, depth, bridges.test(program))];
  }

  #readStarter(starter: Starter, first: string, all: readonly string[], depth: number): string[] {
    const { sub, words } = withoutSub(starter, all) ?? { sub: [], words: all };
    const isRenamed = starter.as === 'npx' || starter.as === 'uvx';
    const head = [...(starter.as === '' ? [] : [starter.as]), ...(isRenamed ? [] : sub)];
    const options: string[] = [];
    const isOfProject =
      starter.inProject === true && !words.some((word) => starter.inFolder?.test(word.split('=', 1)[0] ?? ''));
    if (isOfProject) this.isInProject = true;
    let at = 0;
    for (; at < words.length; at += 1) {
      const word = words[at] ?? '';
      const [name = ''] = word.split('=', 1);
      const isSet = name !== word && name.startsWith('-');
      const value = isSet ? word.slice(name.length + 1) : (words[at + 1] ?? '');
      const step = isSet ? 0 : 1;
      if (starter.idle?.test(word)) continue;
      if (word === '--') {
        at += 1;
        break;
      }
      if (starter.idleWithValue?.test(name)) at += step;
      else if (starter.withText?.test(name))
        return [...head, ...options, '-c', ...this.#readText([value, ...words.slice(at + 1 + step)], depth)];
      else if (starter.withPackage?.test(name)) {
        options.push(name, this.#packageOf(value));
        at += step;
      } else if (starter.withModule?.test(name)) {
        const [module, ...more] = isSet ? [value, ...words.slice(at + 1)] : words.slice(at + 1);
        this.target = this.#moduleOf(module ?? '');
        return [...head, ...options, name, this.target, ...this.#readArguments(more, depth, false)];
      } else if (starter.inFolder?.test(name)) {
        const folder = this.#fileOf(value);
        this.#place = { ...this.#place, cwd: folder };
        options.push(name, folder);
        at += step;
      } else if (starter.withValue?.test(name)) {
        options.push(...this.#readOption(name, value, starter));
        at += step;
      } else if (word.startsWith('-') && word !== '-') options.push(...this.#readArguments([word], depth, false));
      else break;
    }
    const rest = words.slice(at);
    if (rest.length === 0) {
      this.target ||= programName(first);
      return [...head, ...options];
    }
    return [...head, ...options, ...this.#readStarted(starter, rest, depth)];
  }

  #readStarted(starter: Starter, rest: readonly string[], depth: number): string[] {
    const [word = '', ...more] = rest;
    if (starter.isElsewhere) this.#place = elsewhere(this.#place);
    if (starter.starts === 'command') return this.read(rest, depth + 1);
    if (starter.starts === 'host')
      return more.length === 0 ? [(this.target = word)] : [word, ...this.#readText([more.join(' ')], depth)];
    if (starter.starts === 'image') {
      this.target = word.replace(/@.*$|(?<=[^/]):[^/]*$/, '');
      return [this.target, ...this.#readArguments(more, depth, false)];
    }
    if (starter.starts === 'script') {
      this.target = `${word} ${path.basename(this.#place.cwd)}`;
      return this.#readArguments(rest, depth, false);
    }
    if (starter.starts === 'package' && !isPathLike(word)) {
      const name = this.#packageOf(word);
      this.target = name;
      return startersOf(name).length > 0 || bridges.test(name)
        ? this.read([name, ...more], depth + 1)
        : [name, ...this.#readArguments(more, depth, false)];
    }
    const isOfRegistry = isAddress(word) || /^(?:npm|jsr):/.test(word);
    const file = isOfRegistry ? this.#packageOf(word) : this.#fileOf(word);
    this.target = file;
    return [file, ...this.#readArguments(more, depth, false)];
  }

  /** Reads a command line for a shell; several words are joined. */
  #readText(texts: readonly string[], depth: number): string[] {
    const [text = '', ...more] = texts;
    this.#noteVariables(text);
    const parts = depth < deepest ? splitText(text) : null;
    if (!parts) return [withoutSecrets(text.trim().replaceAll(/[ \t]+/g, ' ')), ...more.map(withoutSecrets)];
    const line = parts.map((part) => (typeof part === 'string' ? part : this.#readLine(part, depth)));
    return [line.join(' '), ...this.#readArguments(more, depth, false)];
  }

  #noteVariables(text: string): void {
    for (const [, braced, plain] of text.matchAll(/\$(?:\{(\w+)|(\w+))/g)) this.mentioned.add(braced ?? plain ?? '');
  }

  #readLine(words: readonly string[], depth: number): string {
    if (words[0] === 'cd' && words[1] !== undefined)
      this.#place = { ...this.#place, cwd: path.resolve(this.#place.cwd, words[1]) };
    const line = this.read(words, depth + 1);
    return line.map(quoted).join(' ');
  }

  #readArguments(words: readonly string[], depth: number, isBridge: boolean): string[] {
    const read: string[] = [];
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] ?? '';
      const before = words[at - 1] ?? '';
      if (word === '--' && at + 1 < words.length) {
        const inner = this.read(words.slice(at + 1), depth + 1);
        return [...read, '--', ...inner];
      }
      this.#noteVariables(word);
      read.push(
        /^--?[A-Za-z]/.test(before) && !before.includes('=') && !isOption(word)
          ? this.#valueOf(before, word, depth)
          : this.#readArgument(word, depth),
      );
      if (isBridge && isAddress(word)) this.target = word;
    }
    if (isBridge && words[0] === 'run') this.target = this.#packageOf(words[1] ?? '');
    return read;
  }

  #readOption(name: string, value: string, { isElsewhere = false }: Starter): string[] {
    if (isElsewhere && /^(?:-e|--env)$/.test(name)) {
      const [variable = '', ...rest] = value.split('=');
      if (rest.length === 0) this.mentioned.add(variable);
      else if (!isSecret(variable, rest.join('='))) this.variables[variable] = rest.join('=');
      return [];
    }
    if (isElsewhere && /^(?:-v|--volume)$/.test(name)) {
      const [source = '', ...rest] = value.split(':');
      return [name, [isPathLike(source) ? this.#fileOf(source) : source, ...rest].join(':')];
    }
    return [name, this.#valueOf(name, value, deepest)];
  }

  #readArgument(word: string, depth: number): string {
    const [, name, value] = /^(-{0,2}[\w.-]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined && !/[;\s]/.test(word.slice(0, name.length)))
      return value.includes(';') ? withoutSecrets(word) : `${name}=${this.#valueOf(name, value, depth)}`;
    return this.#valueOf('', word, depth);
  }

  #valueOf(name: string, value: string, depth: number): string {
    if (isSecret(name, value)) return maskOf(value);
    const header = /^([\w-]+):\s*(?!\/\/)(.*)$/s.exec(value);
    if (header && isSecretName(header[1] ?? '')) return `${header[1]}: ${mask}`;
    if (depth < deepest && /\s/.test(value)) {
      const parts = splitText(value);
      const [words] = parts ?? [];
      if (parts?.length === 1 && Array.isArray(words) && startersOf(programName(words[0] ?? '')).length > 0)
        return this.#readLine(words, depth);
    }
    return readValue(value, this.#place);
  }

  /** The package without its version; any other word is an address or a file. */
  #packageOf(word: string): string {
    if (isPathLike(word)) return this.#fileOf(word);
    const plain = withoutSecrets(word);
    return plain.replace(/(?<=.)(?:@[^/\\@]*|(?:==|~=|>=|<=|!=|[<>^]).*|(?<=[:/].*)#.*)$/, '');
  }

  /** The module in its folder, if there is one; else an installed one. */
  #moduleOf(name: string): string {
    const [folder = ''] = name.split('.');
    const isLocal = [folder, `${folder}.py`].some((file) => this.#place.realPath(path.resolve(this.#place.cwd, file)));
    return isLocal && folder !== '' ? `${this.#fileOf(folder)}${name.slice(folder.length)}` : name;
  }

  #programOf(word: string, depth: number): string {
    if (bridges.test(word)) return word;
    if (depth > 0 && /\.(?:py|[cm]?[jt]s|rb|sh|jar)$/.test(word)) return this.#fileOf(word);
    if (!/[\\/]/.test(word)) return depth === 0 ? word.replace(/\.(?:exe|cmd|bat)$/i, '') || word : word;
    return this.#fileOf(word);
  }

  #fileOf = (word: string): string => fileOf(word, this.#place);
}

function readValue(value: string, place: Place): string {
  if (isSecretValue(value)) return maskOf(value);
  if (isAddress(value)) return withoutSecrets(value);
  if (isPathLike(value) || namesFile(value, place)) return fileOf(value, place);
  return withoutSecrets(value);
}

/** Is it an option? A secret may begin with a dash. */
const isOption = (word: string): boolean => /^--[A-Za-z]|^-[A-Za-z](?:$|=)/.test(word);

const programName = (word: string): string =>
  (word.split(/[\\/]/).at(-1) ?? '').replace(/\.(?:exe|cmd|bat|ps1)$/i, '').toLowerCase();

/** Is the program named alone, or in a place where systems and version managers install programs? Elsewhere it is a file. */
const isInstalled = (word: string): boolean =>
  !/[\\/]/.test(word) ||
  /^(?:\/(?:usr|opt|bin|sbin|nix|snap|home\/linuxbrew)(?=\/)|[A-Za-z]:[\\/](?:Program Files|Windows|ProgramData))/i.test(
    word,
  ) ||
  /[\\/]node_modules[\\/]node(?:-(?:linux|darwin|win)-\w+)?[\\/]bin[\\/]/.test(word) || // Node.js as npm installs it
  /[\\/](?:\.nvm|\.fnm|fnm_multishells|\.volta|\.asdf|\.local[\\/](?:bin|share[\\/](?:mise|fnm|pnpm))|\.bun|\.deno|\.cargo|\.pyenv|\.proto|\.nodenv|\.nodebrew|n[\\/]versions|nodejs|Programs[\\/]Python|hostedtoolcache|scoop|chocolatey|miniconda3|anaconda3|mambaforge|go[\\/]bin|\.dotnet|\.sdkman|\.jenv|\.n|mise|hermit)[\\/]/i.test(
    word,
  );

const starterOf = (program: string, words: readonly string[]): Starter | undefined =>
  startersOf(program).find((starter) => !starter.subs || withoutSub(starter, words));

/** The words by which this program starts something, and all others; options may precede them. */
function withoutSub(
  { subs = [], ...starter }: Starter,
  words: readonly string[],
): { sub: string[]; words: readonly string[] } | undefined {
  let at = 0;
  const takesValue = (word: string): boolean =>
    [starter.withValue, starter.inFolder, starter.idleWithValue].some((pattern) => pattern?.test(word));
  const isSub = (sub: readonly string[]): boolean => sub.every((word, index) => words[at + index] === word);
  const all = subs.map((sub) => sub.split(' '));
  while (words[at]?.startsWith('-') && !all.some(isSub)) at += takesValue(words[at] ?? '') ? 2 : 1;
  const sub = all.find(isSub);
  return sub && { sub, words: [...words.slice(0, at), ...words.slice(at + sub.length)] };
}

/** Simple commands as their words, with the operators between them; null for a text that only a shell can read. */
function splitText(text: string): (string | string[])[] | null {
  if (/[`<>(){}*?\\\n]|\$\(/.test(text.replaceAll(/\$\{\w+\}/g, ''))) return null;
  const parts: (string | string[])[] = [];
  let words: string[] = [];
  for (const [token, operator] of text.matchAll(/(&&|\|\||[;|&])|(?:'[^']*'|"[^"]*"|[^\s;|&'"])+|\S/g)) {
    if (operator !== undefined) {
      parts.push(words, operator);
      words = [];
    } else if (/^['"]$/.test(token)) return null;
    else words.push(token.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double));
  }
  return [...parts, words].filter((part) => part.length > 0);
}

const quoted = (word: string): string => (/^[\w@%+=:,./•~$#?&[\]{}-]+$/u.test(word) ? word : JSON.stringify(word));
