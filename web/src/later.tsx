import { lazy, type ComponentType } from 'react';
import type { RouteObject } from 'react-router';

/** What most people never open is loaded when someone goes there, so that the inbox stays light. */
export function later(load: () => Promise<ComponentType>): RouteObject['element'] {
  const Page = lazy(async () => ({ default: await load() }));
  return <Page />;
}
