// The documentation of imports.
import Type from 'typebox';
import { bodyOf, documented } from '../../../http/openapi/documentation/documentation.ts';
import type { Right } from '../../../http/openapi/documentation/rights.ts';
import { page } from '../../../http/schemas/lists.ts';
import { mayImport } from '../../../people/auth/policy.ts';

/** Whom an installation admits of them, its settings say. */
const toImport: Right = { of: 'endpoint', may: (caller) => mayImport(caller) };
const about = { group: 'Imports', right: toImport } as const;
const answer = Type.Ref('Import');

export const IMPORT_EXAMPLE = {
  file: 'title,start\nConcert in the park,2027-06-18 19:30',
  name: 'concerts.csv',
  dry_run: true,
  status: 'draft',
};

export const importDocumentation = {
  begin: documented(
    {
      ...about,
      summary: 'import.begin',
      description: 'import.begin_description',
      errors: [
        ...(['rest_forbidden', 'rest_import_not_found', 'rest_review_required'] as const),
        ...(['rest_upload_missing', 'rest_upload_too_large'] as const),
      ],
      example: IMPORT_EXAMPLE,
    },
    { 201: { description: 'import.begun', ...bodyOf(answer), carries: ['Location'] } },
  ),
  list: documented(
    { ...about, summary: 'import.list', errors: ['rest_forbidden'] },
    {
      200: {
        description: 'answer.list',
        ...bodyOf(page('imports', 'import.list_answer', answer)),
        carries: ['Total', 'TotalPages', 'TotalTwin', 'TotalPagesTwin'],
      },
    },
  ),
  read: documented(
    {
      ...about,
      summary: 'import.read',
      description: 'import.read_description',
      errors: ['rest_forbidden', 'rest_import_not_found'],
    },
    { 200: { description: 'answer.read', ...bodyOf(answer), carries: [] } },
  ),
};
