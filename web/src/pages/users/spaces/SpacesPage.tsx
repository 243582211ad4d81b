import { useQuery } from '@tanstack/react-query';
import { spacesQuery } from '../../../lib/space-permission.ts';
import { LoadedList } from '../../../ui/LoadedList.tsx';
import page from '../../../ui/page/Page.module.css';
import { PageHead } from '../../../ui/page/PageHead.tsx';
import { NewSpaceForm } from './NewSpaceForm.tsx';
import { SpaceSection } from './SpaceSection.tsx';
import { spaces as words } from './words.ts';

/** The spaces someone sees: their people, servers and groups. */
export function SpacesPage() {
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      <LoadedList query={useQuery(spacesQuery)} words={words}>
        {(spaces) => spaces.map((space) => <SpaceSection key={space.id} space={space} />)}
      </LoadedList>
      <NewSpaceForm />
    </div>
  );
}
