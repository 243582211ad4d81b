import { parseCosignerKey, type WitnessAddress } from '../rules/notes.ts';
import { refuseVariable } from '#platform/config/config';
import type { NamedWitness } from '#platform/config/outlets';
import { Problem } from '#platform/model/problem';

/** The witnesses with their keys; problem `config-invalid` names one whose key is none, or that is named twice. */
export function openWitnesses(witnesses: NamedWitness[] = []): WitnessAddress[] {
  const opened = witnesses.map(({ key, url }) => ({ verifier: openKey(key), url }));
  const names = opened.map(({ verifier }) => verifier.name);
  const twin = names.find((name, at) => names.indexOf(name) !== at);
  if (twin !== undefined) throw refuse(`the name ${twin} twice`);
  return opened;
}

function openKey(key: string): WitnessAddress['verifier'] {
  try {
    return parseCosignerKey(key);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw refuse(`${key}, which is no Ed25519 key of a witness`);
  }
}

const refuse = (finding: string): Problem =>
  refuseVariable('ASSENTRY_WITNESSES', finding, 'give each witness once, with the key that it prints when it starts');
