import { Button, NativeSelect } from '@mantine/core';
import { lazy, Suspense, useState, type Ref } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Inbox } from '#requests/inbox/contract/inbox';
import { inboxOrders } from '#access/sign-in/contract/authentication';
import { risks, statuses, isClosed } from '#requests/asking/contract/elicitation';
import { exportSearch, isFiltered, listAddress, withFilter, type FilterName, type InboxFilters } from '../inbox-url.ts';
import { namePolicy, nameStatus, risks as riskNames } from '../../../ui/words/words.ts';
import classes from '../FilterBar.module.css';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { filterTexts } from '../filter-texts.ts';
import { SearchField } from './SearchField.tsx';
import { words } from '../words/words.ts';

// Only the history has it, and it is loaded there.
const PeriodFilter = lazy(async () => ({ default: (await import('../PeriodFilter/PeriodFilter.tsx')).PeriodFilter }));

interface FilterBarProps {
  filters: InboxFilters;
  facets: Inbox | undefined;
  /** What is typed in the search before it is sent: the rows that are loaded are narrowed at once. */
  onType: (text: string) => void;
  ref: Ref<HTMLDivElement>;
}

interface Choice {
  value: string;
  label: string;
}

export function FilterBar({ filters, facets, onType, ref }: FilterBarProps) {
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const isDone = filters.view === 'done';
  const servers = choicesOf(facets?.servers, filters.server);
  const tools = choicesOf(facets?.tools, filters.tool);
  const policies = choicesOf(facets?.policies, filters.policy, namePolicy);
  const groups = choicesOf(facets?.groups, filters.group);
  const filter = (name: FilterName, label: string, choices: Choice[]) => (
    <NativeSelect
      aria-label={label}
      value={filters[name] ?? choices[0]?.value ?? ''}
      data={choices}
      onChange={({ currentTarget: { value } }) => {
        const isUsual = value === choices[0]?.value;
        const next = withFilter(filters, name, isUsual ? undefined : value);
        void navigate(listAddress(next), { replace: true });
      }}
    />
  );
  return (
    <div role="group" aria-label={words.filtersLabel} className={classes.bar} ref={ref}>
      <SearchField key={`q ${filters.q}`} name="q" filters={filters} onType={onType} />
      <Button variant="default" className={classes.toggle} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {words.moreFilters(inForce(filters))}
      </Button>
      <div className={classes.more} data-open={isOpen}>
        <SearchField key={`requester ${filters.requester}`} name="requester" filters={filters} />
        {servers.length > 1 && filter('server', words.server, [{ value: '', label: words.anyServer }, ...servers])}
        {tools.length > 1 && filter('tool', words.tool, [{ value: '', label: words.anyTool }, ...tools])}
        {policies.length > 0 && filter('policy', words.policy, [{ value: '', label: words.anyPolicy }, ...policies])}
        {groups.length > 0 && filter('group', words.group, [{ value: '', label: words.anyGroup }, ...groups])}
        {filter('risk', words.risk, [{ value: '', label: words.anyRisk }, ...riskChoices])}
        <Suspense>{isDone && <PeriodFilter filters={filters} />}</Suspense>
        {isDone && filter('status', words.status, [{ value: '', label: words.anyStatus }, ...endings])}
        {!isDone && filter('order', words.order, orderChoices())}
      </div>
      <Chips filters={filters} />
      {isDone && <Downloads filters={filters} />}
    </div>
  );
}

/** What narrows the list, each with a way to take it back. */
function Chips({ filters }: { filters: InboxFilters }) {
  if (!isFiltered(filters)) return null;
  const texts = filterTexts(filters);
  return (
    <ul className={classes.chips} aria-label={words.inForce}>
      {texts.map(({ name, text, without }) => (
        <li key={name}>
          <Link to={without} replace className={classes.chip} aria-label={words.takeBack(text)}>
            <Revealed text={text} /> <span aria-hidden>×</span>
          </Link>
        </li>
      ))}
      {texts.length > 1 && (
        <li>
          <Link to={listAddress({ view: filters.view })} className={classes.clear}>
            {words.clear}
          </Link>
        </li>
      )}
    </ul>
  );
}

/** How many filters narrow the list that stand behind the button of a phone. */
const inForce = ({ view: _view, order: _order, q: _q, ...filters }: InboxFilters): number =>
  Object.values(filters).filter((value) => value !== undefined).length;

/** The list as a file: all of it, not only the page that is shown. */
function Downloads({ filters }: { filters: InboxFilters }) {
  const search = exportSearch(filters);
  return (
    <>
      <a className={classes.clear} href={`/api/history/csv?${search}`} download="history.csv">
        {words.asCsv}
      </a>
      <a className={classes.clear} href={`/api/history?${search}`} download="history.json">
        {words.asJson}
      </a>
    </>
  );
}

const riskChoices: Choice[] = [...risks].reverse().map((value) => ({ value, label: riskNames[value] }));

const endings: Choice[] = statuses.filter(isClosed).map((value) => ({ value, label: nameStatus(value, null) }));

/** The one in force stays choosable when nothing of it is left. */
const choicesOf = (values: string[] = [], current: string | undefined, nameOf = (value: string) => value): Choice[] =>
  [...new Set([...values, ...(current === undefined ? [] : [current])])].map((value) => ({
    value,
    label: nameOf(value),
  }));

/** The usual order comes first; it is the one that the address does not name. */
const orderChoices = (): Choice[] => inboxOrders.map((value) => ({ value, label: words.orders[value] }));
