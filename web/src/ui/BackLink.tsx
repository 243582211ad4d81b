import { Link } from 'react-router';
import page from './Page.module.css';

export const BackLink = ({ to, text }: { to: string; text: string }) => (
  <Link to={to} className={page.back}>
    <span aria-hidden="true">←</span> {text}
  </Link>
);
