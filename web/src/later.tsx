import { lazy, type ComponentType } from 'react';
import type { RouteObject } from 'react-router';

/** Loads a rarely used page on demand, so that the inbox stays light. */
export function later(load: () => Promise<ComponentType>): RouteObject['element'] {
  const Page = lazy(async () => ({ default: await load() }));
  return <Page />;
}
