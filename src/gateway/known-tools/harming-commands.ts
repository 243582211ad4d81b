/** A command that destroys or sends something. */
export interface HarmingCommand {
  /** First words behind the program; any of `a|b`. */
  words?: string;
  /** It harms only with a word of this form. */
  with?: RegExp;
  /**
   * For the question, as a verb. `{operands}` are its words that are no options, `{hosts}` the places that they name, `{options}` those
   * options, and `{data}` the values of the options that send.
   */
  says: string;
}

const away = /^(?:[\w.-]+@)?[\w.-]+:(?!\/\/)|^\w+:\/\//;

/** Commands by their programs. */
export const harmingCommands: Readonly<Record<string, readonly HarmingCommand[]>> = {
  rm: [{ says: 'deletes {operands}' }],
  rmdir: [{ says: 'deletes {operands}' }],
  unlink: [{ says: 'deletes {operands}' }],
  rimraf: [{ says: 'deletes {operands}' }],
  trash: [{ says: 'deletes {operands}' }],
  shred: [{ says: 'overwrites {operands}' }],
  srm: [{ says: 'deletes {operands}' }],
  truncate: [{ says: 'empties {operands}' }],
  dd: [{ with: /^of=/, says: 'overwrites {options}' }],
  mkfs: [{ says: 'formats {operands}' }],
  wipefs: [{ says: 'wipes {operands}' }],
  fdisk: [{ says: 'changes the partitions of {operands}' }],
  parted: [{ says: 'changes the partitions of {operands}' }],
  diskutil: [{ words: 'erase.*|partition.*', says: 'erases {operands}' }],
  find: [{ with: /^-delete$/, says: 'deletes what it finds in {operands}' }],
  chmod: [
    {
      with: /^-[a-zA-Z]*R|^--recursive|^(?:[ugoa]*[+=][rwxXst]*[wst]|[0-7]*7)/,
      says: 'changes who may use {operands}',
    },
  ],
  chown: [{ says: 'changes the owner of {operands}' }],
  chgrp: [{ says: 'changes the owner of {operands}' }],
  setfacl: [{ says: 'changes who may use {operands}' }],
  kill: [{ says: 'ends the programs {operands}' }],
  pkill: [{ says: 'ends the programs {operands}' }],
  killall: [{ says: 'ends the programs {operands}' }],
  shutdown: [{ says: 'shuts this machine down' }],
  reboot: [{ says: 'restarts this machine' }],
  halt: [{ says: 'stops this machine' }],
  poweroff: [{ says: 'stops this machine' }],
  systemctl: [{ words: 'stop|disable|mask|kill|isolate|poweroff|reboot', says: 'ends the services {operands}' }],
  launchctl: [{ words: 'unload|remove|bootout|kill', says: 'ends the services {operands}' }],
  crontab: [{ with: /^-r$/, says: 'deletes all planned commands' }],
  history: [{ with: /^-c$/, says: 'deletes the history of the shell' }],
  git: [
    {
      words: 'push',
      with: /^(?:-f|--force.*|--mirror|--delete|-d|--prune|\+.+|:.+)$/,
      says: 'overwrites or deletes what is at {operands}',
    },
    { words: 'push', says: 'pushes to {operands}' },
    { words: 'send-email|send-pack|svn|p4', says: 'sends commits to {operands}' },
    { words: 'reset', with: /^--(?:hard|merge|keep)$/, says: 'discards changes that are not committed' },
    { words: 'clean', with: /^-[a-zA-Z]*f|^--force$/, says: 'deletes files that git does not track' },
    {
      words: 'checkout|switch',
      with: /^(?:-f|--force|--discard-changes|--|\.|-B|-C)$/,
      says: 'discards changes that are not committed',
    },
    { words: 'restore', says: 'discards changes of {operands}' },
    { words: 'rm', says: 'deletes {operands}' },
    {
      words: 'branch',
      with: /^-[a-zA-Z]*[dDMCf]|^--(?:delete|force)$/,
      says: 'deletes or moves the branch {operands}',
    },
    { words: 'tag', with: /^-[a-zA-Z]*[df]|^--(?:delete|force)$/, says: 'deletes or moves the tag {operands}' },
    { words: 'stash', with: /^(?:drop|clear|pop)$/, says: 'deletes what was put aside in git' },
    { words: 'rebase|filter-branch|filter-repo|replace', says: 'rewrites commits' },
    { words: 'reflog', with: /^(?:expire|delete)$/, says: 'deletes the history by which git undoes' },
    { words: 'gc|prune', says: 'deletes objects by which git undoes' },
    { words: 'update-ref|symbolic-ref', with: /^-d$|^refs\//, says: 'moves or deletes {operands}' },
    { words: 'worktree', with: /^(?:remove|prune)$/, says: 'deletes {operands}' },
    { words: 'remote', with: /^(?:remove|rm|set-url|prune)$/, says: 'changes where git pushes to: {operands}' },
  ],
  curl: [
    {
      with: /^(?:-[fgiIjkLnNOqsSv]*[dFT].*|--(?:data|form|json|upload-file|url-query).*)$/,
      says: 'sends {data} to {hosts}',
    },
    { with: /^(?:-[a-zA-Z]*X(?!GET$|HEAD$).+|--request=(?!GET$|HEAD$).+)$/, says: 'changes something at {hosts}' },
  ],
  wget: [{ with: /^--(?:post|body|method)/, says: 'sends {data} to {hosts}' }],
  http: [{ with: /^(?:POST|PUT|PATCH|DELETE)$|=|@/, says: 'sends data to {operands}' }],
  https: [{ with: /^(?:POST|PUT|PATCH|DELETE)$|=|@/, says: 'sends data to {operands}' }],
  scp: [{ with: away, says: 'copies {operands}' }],
  rsync: [
    { with: away, says: 'copies {operands}' },
    { with: /^--(?:delete|remove-source-files)/, says: 'deletes files in {operands}' },
  ],
  rclone: [{ says: 'copies {operands}' }],
  sftp: [{ says: 'exchanges files with {operands}' }],
  ftp: [{ says: 'exchanges files with {operands}' }],
  ssh: [{ says: 'runs on another machine: {operands}' }],
  nc: [{ says: 'sends data to {operands}' }],
  ncat: [{ says: 'sends data to {operands}' }],
  netcat: [{ says: 'sends data to {operands}' }],
  socat: [{ says: 'sends data to {operands}' }],
  telnet: [{ says: 'sends data to {operands}' }],
  mail: [{ says: 'sends mail to {operands}' }],
  sendmail: [{ says: 'sends mail to {operands}' }],
  npm: [
    {
      words: 'publish|unpublish|deprecate|dist-tag|owner|access|token|team|profile|star',
      says: 'changes what is published at npm',
    },
    { words: 'login|adduser|logout', says: 'changes the sign-in at npm' },
  ],
  yarn: [{ words: 'publish|npm', says: 'changes what is published at npm' }],
  pnpm: [{ words: 'publish|unpublish|deprecate', says: 'changes what is published at npm' }],
  bun: [{ words: 'publish', says: 'changes what is published at npm' }],
  jsr: [{ words: 'publish', says: 'publishes a package' }],
  cargo: [{ words: 'publish|yank|owner|login', says: 'changes what is published at crates.io' }],
  gem: [{ words: 'push|yank|owner', says: 'changes what is published at RubyGems' }],
  twine: [{ words: 'upload', says: 'publishes {operands}' }],
  poetry: [{ words: 'publish', says: 'publishes a package' }],
  uv: [{ words: 'publish', says: 'publishes a package' }],
  docker: [
    { words: 'push|login', says: 'pushes to {operands}' },
    { words: 'rm|rmi|kill|stop', says: 'deletes or ends {operands}' },
    {
      words: 'system|volume|image|container|network|builder|compose',
      with: /^(?:prune|rm|remove|down|kill|stop)$/,
      says: 'deletes or ends {operands}',
    },
  ],
  podman: [
    { words: 'push|login', says: 'pushes to {operands}' },
    { words: 'rm|rmi|kill|stop|system|volume', says: 'deletes or ends {operands}' },
  ],
  'docker-compose': [{ words: 'down|rm|kill|stop', says: 'ends the containers of this project' }],
  kubectl: [
    { words: 'delete|drain|evict', says: 'deletes {operands} in the cluster' },
    {
      words: 'apply|create|replace|patch|scale|edit|set|rollout|cordon|taint|label|annotate|cp|expose|run',
      says: 'changes the cluster: {operands}',
    },
  ],
  helm: [
    { words: 'uninstall|delete', says: 'deletes {operands} in the cluster' },
    { words: 'install|upgrade|rollback|push', says: 'changes the cluster: {operands}' },
  ],
  terraform: [{ words: 'apply|destroy|import|taint|state|force-unlock', says: 'changes or deletes what runs outside' }],
  tofu: [{ words: 'apply|destroy|import|taint|state', says: 'changes or deletes what runs outside' }],
  pulumi: [{ words: 'up|destroy|cancel|stack', says: 'changes or deletes what runs outside' }],
  aws: [
    {
      with: /^(?:rm|rb|cp|mv|sync|(?:delete|put|create|update|terminate|stop|remove|run|start|invoke|send|attach|detach)-?.*)$/,
      says: 'changes something at AWS: {operands}',
    },
  ],
  gcloud: [
    {
      with: /^(?:delete|create|update|deploy|rm|cp|set.*|add.*|remove.*)$/,
      says: 'changes something at Google Cloud: {operands}',
    },
  ],
  gsutil: [{ words: 'rm|cp|mv|rsync|rb|acl|iam', says: 'changes something at Google Cloud: {operands}' }],
  az: [
    {
      with: /^(?:delete|create|update|deploy|upload|purge|set|add|remove)/,
      says: 'changes something at Azure: {operands}',
    },
  ],
  gh: [
    {
      words: 'pr|issue|release|repo|gist|workflow|run|secret|variable|label|cache|ssh-key|gpg-key|project',
      with: /^(?!list$|view$|status$|diff$|checks$|watch$)[a-z-]+$/,
      says: 'changes something at GitHub: {operands}',
    },
    {
      words: 'api',
      with: /^(?:-[XfF].*|--(?:method|field|raw-field|input).*)$/,
      says: 'changes something at GitHub: {operands}',
    },
    { words: 'auth', says: 'uses the sign-in at GitHub' },
  ],
  vercel: [{ says: 'publishes this project' }],
  netlify: [{ words: 'deploy', says: 'publishes this project' }],
  wrangler: [{ words: 'deploy|publish|delete|secret|d1|kv|r2', says: 'changes something at Cloudflare' }],
  fly: [{ words: 'deploy|destroy|secrets|scale|apps', says: 'changes something at Fly' }],
  heroku: [{ says: 'changes something at Heroku: {operands}' }],
  firebase: [{ words: 'deploy', says: 'publishes this project' }],
  dropdb: [{ says: 'deletes the database {operands}' }],
  psql: [{ with: /\b(?:drop|delete|truncate|update|alter)\b/i, says: 'changes or deletes data: {options}' }],
  mysql: [{ with: /\b(?:drop|delete|truncate|update|alter)\b/i, says: 'changes or deletes data: {options}' }],
  sqlite3: [{ with: /\b(?:drop|delete|update|alter)\b/i, says: 'changes or deletes data: {options}' }],
  'redis-cli': [{ with: /^(?:flushall|flushdb|del)$/i, says: 'deletes data' }],
  prisma: [{ with: /^(?:reset|--force-reset|--accept-data-loss)$/, says: 'deletes the data of the database' }],
  brew: [{ words: 'uninstall|remove|rm|cleanup', says: 'removes {operands} from this machine' }],
  apt: [{ words: 'remove|purge|autoremove', says: 'removes {operands} from this machine' }],
  'apt-get': [{ words: 'remove|purge|autoremove', says: 'removes {operands} from this machine' }],
  userdel: [{ says: 'deletes the person {operands}' }],
  iptables: [{ says: 'changes the firewall' }],
};
