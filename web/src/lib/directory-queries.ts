import { queryOptions } from '@tanstack/react-query';
import { readGrants } from '../api/grants.ts';
import { readKeys } from '../api/keys.ts';
import { readDelegations, readPeople, readServers, readTeams } from '../api/directory.ts';

export const peopleQuery = queryOptions({
  queryKey: ['directory', 'people'],
  queryFn: ({ signal }) => readPeople(signal),
  select: ({ people }) => people,
});

export const teamsQuery = queryOptions({
  queryKey: ['directory', 'teams'],
  queryFn: ({ signal }) => readTeams(signal),
  select: ({ teams }) => teams,
});

export const serversQuery = queryOptions({
  queryKey: ['directory', 'servers'],
  queryFn: ({ signal }) => readServers(signal),
  select: ({ servers }) => servers,
});

export const keysQuery = queryOptions({
  queryKey: ['directory', 'keys'],
  queryFn: ({ signal }) => readKeys(signal),
  select: ({ keys }) => keys,
});

export const delegationsQuery = queryOptions({
  queryKey: ['delegations'],
  queryFn: ({ signal }) => readDelegations(signal),
  select: ({ delegations }) => delegations,
});

export const grantsQuery = queryOptions({
  queryKey: ['directory', 'grants'],
  queryFn: ({ signal }) => readGrants(signal),
  select: ({ grants }) => grants,
});
