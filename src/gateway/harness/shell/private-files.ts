/** Files and folders that hold secrets, by their names. What ends like an example is meant to be shared. */
const names =
  /^(?:\.env.*|\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|\.?_?netrc|\.git-credentials|\.htpasswd|\.pgpass|\.my\.cnf|\.boto|\.s3cfg|id_(?:rsa|dsa|ecdsa|ed25519).*|.*\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx|gpg|tfstate|tfvars)|\.?credentials(?:\..*)?|\.?secrets?\.(?:json|ya?ml|toml|env|txt)|service[-_]?account.*\.json|kubeconfig|\.git|\.ssh|\.aws|\.gnupg|\.kube|\.docker|\.azure|\.gcloud|\.vault-token)$/i;
const examples = /^\.env\.(?:example|sample|template|dist)$/i;

export const isPrivateName = (name: string): boolean => names.test(name) && !examples.test(name);

/** Is a part of this path private? */
export const isPrivate = (path: string): boolean => path.split(/[\\/]/).some(isPrivateName);
