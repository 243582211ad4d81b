import { Problem, type ProblemCode, type ProblemOptions } from '#platform/model/problem';

/** Faults of a SCIM request, as RFC 7644, section 3.12, names them. */
export const scimTypes = [
  'invalidFilter',
  'uniqueness',
  'mutability',
  'invalidSyntax',
  'invalidPath',
  'noTarget',
  'invalidValue',
] as const;
type ScimType = (typeof scimTypes)[number];

/** A request of an identity provider that provisions people is refused. */
export class ScimProblem extends Problem {
  readonly scimType: ScimType;

  constructor(scimType: ScimType, options: ProblemOptions) {
    super(codes[scimType], options);
    this.scimType = scimType;
  }
}

const codes: Record<ScimType, ProblemCode> = {
  invalidFilter: 'INVALID_INPUT',
  uniqueness: 'already-exists',
  mutability: 'INVALID_INPUT',
  invalidSyntax: 'INVALID_INPUT',
  invalidPath: 'INVALID_INPUT',
  noTarget: 'INVALID_INPUT',
  invalidValue: 'INVALID_INPUT',
};
