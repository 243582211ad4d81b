/** Files and folders that hold secrets, by their names. What ends like an example is meant to be shared. */
const names =
  /^(?:\.env.*|.*\.env|\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|\.?_?netrc|\.git-credentials|\.htpasswd|\.pgpass|\.my\.cnf|\.boto|\.s3cfg|id_(?:rsa|dsa|ecdsa|ed25519).*|.*\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx|gpg|tfstate|tfstate\.backup|tfvars)|\.?credentials(?:\..*)?|\.?secrets?\.(?:json|ya?ml|toml|env|txt)|service[-_]?account.*\.json|kubeconfig|\.git|\.ssh|\.aws|\.gnupg|\.kube|\.docker|\.azure|\.gcloud|\.vault-token)$/i;
const examples = /^\.env\.(?:example|sample|template|dist)$/i;

export const isPrivateName = (name: string): boolean => names.test(name) && !examples.test(name);

/** Can a pattern of file names reach a private one? Only its plain ending rules that out. */
export function reachesPrivate(pattern: string): boolean {
  if (!/[*?[\]{}!]/.test(pattern)) return isPrivate(pattern);
  const [ending] = /\.[A-Za-z0-9]+$/.exec(pattern) ?? [];
  return ending === undefined || isPrivateName(`x${ending}`) || isPrivate(pattern);
}

/** Is a part of this path private? */
export const isPrivate = (path: string): boolean => path.split(/[\\/]/).some(isPrivateName);
