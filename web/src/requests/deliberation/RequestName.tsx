import { Link } from 'react-router';
import { Revealed } from '../../ui/Revealed.tsx';
import classes from '../../settings/Users.module.css';

interface RequestNameProps {
  elicitation: string;
  tool: string;
  server: string;
}

/** A request in a list, by its call. */
export const RequestName = ({ elicitation, tool, server }: RequestNameProps) => (
  <>
    <Link to={`/requests/${elicitation}`}>
      <Revealed text={tool} />
    </Link>
    <span className={classes.second}>
      <Revealed text={server} />
    </span>
  </>
);
