import type * as english from './english-banners.ts';
import { formatsIn } from '#platform/text/formats';

const { count, number } = formatsIn('de');

export const stopped: typeof english.stopped = {
  banner: ({ server, tool, by, reason }) =>
    `${[tool, server].filter((name) => name !== null).join(' von ') || 'Alles'} ist angehalten, durch ${by ?? 'den Betrieb'}: ${reason}`,
  look: 'Notaus',
  more: (more) => (more === 1 ? 'Ein weiterer Notaus gilt' : `${number(more)} weitere Notaus-Schaltungen gelten`),
};

export const breakGlass: typeof english.breakGlass = {
  used: (requests) =>
    `${count(requests, { one: 'Anfrage wurde', other: 'Anfragen wurden' })} per Notfallfreigabe erlaubt. Die Prüfung steht aus.`,
  look: 'Prüfen',
};

/** What waits for the person, counted in the line of places. */
export const due: typeof english.due = {
  reviews: (versions) => `${number(versions)} zu prüfen`,
  groups: (groups) => (groups === 1 ? '1 Gruppe zu bestätigen' : `${number(groups)} Gruppen zu bestätigen`),
};

/** Of what is wrong with the installation. */
export const system: typeof english.system = { look: 'Was zu tun ist' };
