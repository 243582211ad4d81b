import { expect, test } from '@jest/globals';
import { galleryNames } from '../../../web/src/ui/words/gallery-names.ts';
import { galleryDocuments } from '../../../web/src/pages/policies/draft/gallery-documents.ts';
import { read } from '../../policy/policies.ts';

test.each(galleryNames)('the example %s is a policy as it stands, under its own name', (name) => {
  expect(read(galleryDocuments[name])).toMatchObject({ policy: name });
});
