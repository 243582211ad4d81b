import { useQuery } from '@tanstack/react-query';
import { checkRoutes, type ProviderState } from '#connect/checks/contract';
import { query } from '../client/call.ts';
import { providers as words } from '../settings/words/words.ts';
import { OperatorsPage } from '../settings/OperatorsPage.tsx';
import { DataTable } from '../ui/DataTable.tsx';
import { Loaded } from '../ui/Loaded.tsx';
import { Age } from '../ui/Moment.tsx';
import { Notice } from '../ui/Notice.tsx';
import page from '../ui/Page.module.css';
import { Revealed } from '../ui/Revealed.tsx';

/** What came from each provider, what was refused, and money without a request. */
export const ProvidersPage = () => (
  <OperatorsPage title={words.title} lead={words.lead}>
    <Providers />
  </OperatorsPage>
);

function Providers() {
  return (
    <Loaded query={useQuery(query(checkRoutes.listProviders))}>
      {({ providers }) =>
        providers.length === 0 ? (
          <Notice title={words.empty}>
            <p>{words.emptyNote}</p>
          </Notice>
        ) : (
          <>
            {providers.some(({ unmatched }) => unmatched.length > 0) && (
              <Notice tone="warn" title={words.unmatched}>
                <p>{words.unmatchedNote}</p>
              </Notice>
            )}
            <DataTable caption={words.title} columns={columns} rows={providers} keyOf={({ key }) => key} />
          </>
        )
      }
    </Loaded>
  );
}

const columns = [
  { head: words.provider, isName: true, cell: ({ label }: ProviderState) => <Revealed text={label} /> },
  {
    head: words.use,
    cell: ({ kinds, servers }: ProviderState) => (
      <>
        {kinds.map((kind) => words.kinds[kind]).join(', ')}
        {servers.length > 0 && <p className={page.small}>{words.servers(servers.join(', '))}</p>}
      </>
    ),
  },
  { head: words.last, cell: (provider: ProviderState) => <LastEvent provider={provider} /> },
  {
    head: words.refused,
    cell: ({ refused: { count, at } }: ProviderState) =>
      at === null ? (
        words.none
      ) : (
        <>
          {words.count(count)} · <Age at={at} />
        </>
      ),
  },
  {
    head: words.unmatched,
    cell: ({ unmatched }: ProviderState) =>
      unmatched.length === 0 ? (
        words.none
      ) : (
        <ul>
          {unmatched.map(({ at, verdict }, index) => (
            <li key={index}>
              {words.verdicts[verdict]} · <Age at={at} />
            </li>
          ))}
        </ul>
      ),
  },
  { head: words.addresses, isLong: true, cell: (provider: ProviderState) => <Addresses provider={provider} /> },
];

function LastEvent({ provider: { eventAddress, lastEvent } }: { provider: ProviderState }) {
  if (eventAddress === null) return words.reportsNothing;
  if (lastEvent === null) return words.noEvent;
  return (
    <>
      {words.verdicts[lastEvent.verdict]} · <Age at={lastEvent.at} />
    </>
  );
}

function Addresses({ provider: { returnAddress, eventAddress } }: { provider: ProviderState }) {
  const addresses = [
    [words.returnTo, returnAddress],
    [words.eventsTo, eventAddress],
  ] as const;
  return addresses.map(
    ([name, address]) =>
      address !== null && (
        <p key={name} className={page.small}>
          {name} <code>{address}</code>
        </p>
      ),
  );
}
