import { LanguageSelect } from '../../ui/LanguageSelect.tsx';
import { shell } from '../../ui/words/words.ts';
import classes from '../LanguageChoice.module.css';

/** The choice of the language at the foot of a page, for anyone who cannot read the rest. */
export const LanguageChoice = () => (
  <footer className={classes.footer}>
    <LanguageSelect label={shell.language} />
  </footer>
);
