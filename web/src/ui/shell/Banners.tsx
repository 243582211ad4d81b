import { BreakGlassBanner } from './BreakGlassBanner.tsx';
import { StopBanner } from './StopBanner.tsx';

/** What everyone must notice, above every page. */
export const Banners = () => (
  <>
    <BreakGlassBanner />
    <StopBanner />
  </>
);
