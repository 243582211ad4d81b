import { formatsIn } from '#platform/text/formats';
import type * as english from './english-banners.ts';

const { count, number } = formatsIn('fr');

export const stopped: typeof english.stopped = {
  banner: ({ server, tool, by, reason }) =>
    `${[tool, server].filter((name) => name !== null).join(' de ') || 'Tout'} : arrêté par ${by ?? 'l’exploitation'} : ${reason}`,
  look: 'Arrêts',
  more: (more) => `${count(more, { one: 'autre arrêt', other: 'autres arrêts' })} en vigueur`,
};

export const breakGlass: typeof english.breakGlass = {
  used: (requests) =>
    `${count(requests, { one: 'demande a été approuvée', other: 'demandes ont été approuvées' })} par dérogation d’urgence et ${requests === 1 ? 'doit être examinée' : 'doivent être examinées'}.`,
  look: 'Examiner',
};

export const due: typeof english.due = {
  reviews: (versions) => `${number(versions)} à relire`,
  groups: (groups) => (groups === 1 ? '1 groupe à confirmer' : `${number(groups)} groupes à confirmer`),
};

/** Of what is wrong with the installation. */
export const system: typeof english.system = { look: 'Que faire' };
