import { peopleRolesWords } from '#locales/people-roles';
import { language } from '../../../language/language.ts';

const { permission: names, permits, ...rest } = peopleRolesWords[language].roles;

const nameOf = (permission: string): string => (names as Partial<Record<string, string>>)[permission] ?? permission;

export const roles = {
  ...rest,
  permits: (permitted: readonly string[]): string => permits(permitted.map(nameOf).join(rest.semicolon)),
  permission: nameOf,
};
