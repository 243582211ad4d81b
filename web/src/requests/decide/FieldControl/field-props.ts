import type { ReactNode } from 'react';
import type { FieldSchema } from '#platform/form/schema';

export interface FieldControlProps {
  name: string;
  field: FieldSchema;
  isRequired: boolean;
  value: string | string[];
  fault: string | undefined;
  onChange: (value: string | string[]) => void;
  onLeave: () => void;
}

export interface FieldLabels {
  label: ReactNode;
  description: ReactNode;
  error: ReactNode;
  'aria-required': boolean;
}
