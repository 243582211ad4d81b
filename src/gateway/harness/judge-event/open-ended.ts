import { anything, readCommands, type Command, type Variables } from '../../own-files/shell-words.ts';

/** Does a program of this command line wait for more commands, from a terminal or a pipe? */
export const isOpenEnded = (line: string, variables: Variables): boolean =>
  readCommands(line, variables).some(
    (command) => waitsForMore(command) || readsCommands(command) || startsShell(command),
  );

/** Words before a program that start it all the same, with their options; those of a shell as well. */
const starters =
  /^-|^(?:sudo|doas|env|exec|nohup|time|timeout|command|builtin|nice|ionice|setsid|stdbuf|unbuffer|script|rlwrap|watch|chroot|unshare|nsenter|busybox|coproc|flock|strace|ltrace|valgrind|taskset|chrt|numactl|fakeroot|firejail|bwrap|dbus-run-session|xvfb-run|caffeinate|if|then|else|elif|while|until|do|[!{]|\w+=.*)$/s;
/** A value of such a word, as the person of sudo or the seconds of timeout: the program may stand behind it. */
const isStarted = (command: Command, at: number): boolean => at > 0 && starters.test(command[at - 1] ?? '');
const interpreters =
  /^(?:ba|z|da|k|mk|c|tc|fi|a|r|xon|elvi|osh|y|n?u)?sh$|^(?:nu|pwsh|powershell|cmd|[ibp]?python[\d.]*|ptpython|ptipython|pypy[\d.]*|node|nodejs|deno|bun|ts-node|tsx|ruby|irb|pry|perl|php|psysh|lua(?:jit)?|R|ghci|scala|jshell|groovysh|julia|tclsh|wish|iex|erl|sbcl|clisp|guile|racket|ocaml|utop|swift|octave|maxima|gnuplot|sage|clj|kotlinc|evcxr|cling)$/;
const clients =
  /^(?:psql|mysql|mariadb|mongosh?|redis-cli|sqlplus|clickhouse-client|duckdb|sqlite3|bc|ed|ex|pgcli|mycli|litecli|cqlsh|influx|mongo)$/;
const remote = /^(?:ssh|telnet|nc|ncat|socat|ftp|sftp|mosh|rlogin)$/;
const always =
  /^(?:su|screen|tmux|expect|gdb|lldb|vi|vim|view|vimdiff|nvim|nano|pico|micro|emacs|visudo|vipw|rbash|less|more|man|top|xargs)$/;
const containers = /^(?:docker|podman|kubectl|nerdctl|oc)$/;

function waitsForMore(command: Command): boolean {
  const at = command.findIndex((word) => !starters.test(word));
  if (at < 0) return false;
  const rest = command.slice(at + 1);
  if (isStarted(command, at) && rest.some((word) => interpreters.test(programOf(word))) && waitsForMore(rest))
    return true;
  const program = programOf(command[at] ?? '');
  const words = command.slice(at + 1);
  const operands = words.filter((word, place) => !word.startsWith('-') && !isValue(program, words[place - 1] ?? ''));
  const isAsked = words.some((word) => /^-(?:[a-z]*[is][a-z]*|-interactive)$/.test(word) || word === '-');
  const option =
    interpreters.test(program) && program.endsWith('sh') ? words.findIndex((word) => /^-[a-z]*c$/.test(word)) : -1;
  const text = words[option + 1] ?? '';
  if (option >= 0) return text.trimStart().startsWith(anything) || isOpenEnded(text, {});
  if (interpreters.test(program)) return operands.length === 0 ? !isInformed(words) : isAsked && operands.length < 2;
  if (clients.test(program))
    return !words.some((word) => /^-{1,2}(?:c|f|e|file|command|execute|eval)\b/.test(word)) && operands.length < 2;
  if (remote.test(program))
    return operands.length < 2 || program !== 'ssh' || isOpenEnded(operands.slice(1).join(' '), {});
  if (containers.test(program)) return words.some((word) => /^-(?:i|it|ti|-interactive)$/.test(word));
  return always.test(program) && !isInformed(words);
}

const programOf = (word: string): string => word.replace(/^.*[\\/]|\.exe$/gi, '');

/** Does the word behind this option belong to it? */
const isValue = (program: string, option: string): boolean =>
  program === 'ssh' && /^-[a-zA-Z]*[pilobcFJLRDSWw]$/.test(option);

/** It only says its version or how it is used, or gets its commands by an option. */
const isInformed = (words: string[]): boolean =>
  words.some((word) => /^(?:-v|-V|-h|--version|--help|-c|-e|-p|-m|--eval|--print|--check|\/c|-Command)$/i.test(word));

/** A word of a console that a program starts by itself. */
const consoles = /^(?:console|shell|repl|dbshell|tinker)$/;
const ofConsole =
  /^(?:rails|bin\/rails|flask|heroku|lein|jupyter|artisan|manage\.py|django-admin|bin\/console|mix|sbt|dotnet|nix)$/;

/** Does it take commands from a terminal or a pipe, or from what only a shell would find out? */
function readsCommands(command: Command): boolean {
  const at = command.findIndex((word) => !starters.test(word));
  const program = command[at] ?? '';
  const words = command.slice(at + 1);
  if (command.some((word, place) => isEvaluating(word) && command.slice(place + 1).some(isUnknownText))) return true;
  if (command.some((word, place) => interpreters.test(programOf(word)) && terminal.test(command[place + 1] ?? '')))
    return true;
  if (
    /^(?:sudo|doas)$/.test(programOf(command[0] ?? '')) &&
    command.some((word) => /^-[A-Za-z]*[is]$|^--(?:login|shell)$/.test(word))
  )
    return at < 0 || (command[1] ?? '').startsWith('-');
  if (programOf(program) === 'crontab') return words.includes('-e');
  return command.some(
    (word, place) =>
      ofConsole.test(word.replace(/^.*\/(?=(?:rails|console|manage\.py|artisan)$)/, '')) &&
      consoles.test(command[place + 1] ?? ''),
  );
}

const isEvaluating = (word: string): boolean => /^(?:eval|source|\.|trap)$/.test(word);
const isUnknownText = (word: string): boolean => word.includes(anything) || terminal.test(word);
const terminal = /^(?:\/dev\/(?:stdin|tty|fd\/\d+|pts\/\d+)|\/proc\/(?:self|\d+)\/fd\/\d+)$/;

/** Programs whose words are texts, names or files, and never what they start. */
const plain =
  /^(?:echo|printf|which|whereis|type|hash|cd|ls|ll|cat|head|tail|wc|cp|mv|rm|mkdir|rmdir|touch|chmod|chown|ln|stat|file|du|df|[efz]?grep|rg|ag|ack|sort|uniq|diff|cmp|basename|dirname|realpath|readlink|test|\[|export|unset|alias|pgrep|pkill|kill|killall|ps|pidof|man|whatis|apropos|help|tree|code|open|pip[\d.]*|pipx|apt|apt-get|brew|dnf|yum|apk|gem|pacman|choco|winget|scoop|snap|nvm|pyenv|asdf|mise|volta|sdk|command)$/;
const managing =
  /^(?:install|i|add|remove|uninstall|upgrade|update|info|show|search|list|ls|use|pull|push|tag|build|create|init|why|outdated|commit|log|grep|branch|checkout|switch|merge|stash)$/;
const finders = /^-(?:exec|execdir|ok|okdir)$/;

/** A shell or the like that stands anywhere in it, as a word or as the value of an option, counts as if it were started. */
function startsShell(command: Command): boolean {
  const first = command.findIndex((word) => !starters.test(word));
  const program = programOf(command[first] ?? '');
  if (command.some((word) => isValueOfShell(word))) return true;
  if (first < 0 || plain.test(program)) return false;
  const words = command.slice(first + 1);
  if (words.slice(0, 2).some((word) => managing.test(word))) return false;
  const isFinder = /^(?:find|fd|fdfind)$/.test(program);
  return words.some(
    (word, at) =>
      started.test(programOf(word)) &&
      !/\.\w+$/.test(word) &&
      (!isFinder || finders.test(words[at - 1] ?? '') || words.slice(0, at).some((other) => finders.test(other))) &&
      !(interpreters.test(program) && at === 0) &&
      waitsForMore(words.slice(at).filter((other) => !/^(?:;|\+|\{\})$/.test(other))),
  );
}

const started = new RegExp(
  `${interpreters.source}|${clients.source}|^(?:su|screen|tmux|expect|gdb|lldb|vi|vim|nvim|emacs|nano|ssh|telnet|nc|socat)$`,
);

/** `--checkpoint-action=exec=sh`, `core.pager=less`, `alias.x=!bash`. */
function isValueOfShell(word: string): boolean {
  if (!/^(?:-{1,2}[\w-]+|[\w.-]*\.[\w.-]+|\w+)=/.test(word) || word.includes('://')) return false;
  const value = word.slice(word.lastIndexOf('=') + 1).replace(/^!/, '');
  const [name = ''] = value.split(' ', 1);
  const isRunning = /exec|pager|editor|command|cmd|shell|alias|action|rsh|program|askpass|filter|textconv|hook/i.test(
    word,
  );
  return isRunning && (started.test(programOf(name)) || always.test(programOf(name))) && waitsForMore(value.split(' '));
}
