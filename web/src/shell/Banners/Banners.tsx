import { lazy, Suspense } from 'react';
import { may } from '../../people/roles/permission-table.ts';
import { useUser } from '../../people/users/use-user.ts';
import { BreakGlassBanner } from './BreakGlassBanner.tsx';
import { StopBanner } from './StopBanner.tsx';

// Only for those who may see what it is about.
const SystemBanner = lazy(async () => ({ default: (await import('../SystemBanner.tsx')).SystemBanner }));

/** What everyone must notice, above every page. */
export const Banners = () => (
  <>
    {may(useUser(), 'change-webhooks').allowed && (
      <Suspense>
        <SystemBanner />
      </Suspense>
    )}
    <BreakGlassBanner />
    <StopBanner />
  </>
);
