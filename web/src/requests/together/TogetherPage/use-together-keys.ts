import { useNavigate } from 'react-router';
import { useHotkeys } from '../../../shell/use-hotkeys/use-hotkeys.tsx';

/** No letter decides over several requests: `a` leads to the button, `d` to the comment, and `/` back to the queue. */
export function useTogetherKeys(queue: string): void {
  const navigate = useNavigate();
  useHotkeys('together', (key) => {
    if (key === 'a') find('button')?.focus();
    else if (key === 'd') find('textarea')?.focus();
    else if (key === '/') void navigate(queue);
    else return false;
    return true;
  });
}

/** The first one of the panel where all are decided. */
const find = (control: 'button' | 'textarea'): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-decide-together] ${control}`);
