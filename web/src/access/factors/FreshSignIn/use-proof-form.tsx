import { useId, type SubmitEvent } from 'react';
import { createPortal } from 'react-dom';

/**
 * A form for fields that may stand inside another form, whose act they prove: HTML nests no forms, so this one stands apart, and its
 * fields and buttons name it by `form`. The other one is not sent with it.
 */
export function useProofForm(submit: () => void) {
  const id = useId();
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    event.stopPropagation(); // React passes it on to the form around
    submit();
  };
  return { id, form: createPortal(<form id={id} onSubmit={onSubmit} noValidate />, document.body) };
}
