import { NavLink } from 'react-router';
import { LineNav } from '../ui/LineNav.tsx';
import classes from './SubNav.module.css';
import tabs from './Tabs.module.css';

/** Links between the pages of one part of the console, each with its own address. */
export function SubNav({ label, links }: { label: string; links: { to: string; text: string }[] }) {
  return (
    <LineNav label={label} className={`${tabs.tabs} ${classes.bar}`}>
      {links.map(({ to, text }) => (
        <NavLink key={to} to={to} className={tabs.tab ?? ''}>
          {text}
        </NavLink>
      ))}
    </LineNav>
  );
}
