// What operations refer to.

import Type from 'typebox';
import { ERROR_STATUSES, type ErrorCode } from '../../locales/error-catalogue.ts';
import type { DescriptionKey } from '../../locales/language.ts';
import type { ParameterTable } from '../route.ts';
import { ANSWER_COMPONENTS } from '../schemas/answers/components.ts';
import { errorName, errorSchema } from '../schemas/answers/errors.ts';
import { parametersOf } from '../schemas/keywords.ts';
import { organizerCreate } from '../schemas/organizer.ts';
import { venueCreate } from '../schemas/venue.ts';
import { codesOf, errorAnswers } from './answers.ts';
import { statusesOf } from './documentation/common-errors.ts';
import { ANSWER_HEADERS, SHARED_PARAMETERS } from './documentation/shared.ts';
import type { Operation } from './operations.ts';
import { bodySchema, propertiesOf } from './parameters.ts';
import { openApiSchema } from './schemas.ts';
import type { Describe, Members, Words } from './wording.ts';

/** `codes` are those that operations answer with. */
export function componentsOf(operations: readonly Operation[], words: Words): Members {
  const { describe } = words;
  const codes = operations.flatMap(({ endpoint, place }) => codesOf(endpoint, place));
  return {
    schemas: {
      ...mapped(ANSWER_COMPONENTS, (schema) => openApiSchema(schema, describe)),
      VenueEntry: entry(venueCreate, 'entry.venue', describe),
      OrganizerEntry: entry(organizerCreate, 'entry.organizer', describe),
      ...Object.fromEntries(operations.flatMap(({ endpoint, place }) => bodySchema(endpoint, place, describe))),
      ...Object.fromEntries(
        inOrder(new Set(codes)).map((code) => [
          errorName(code),
          openApiSchema(errorSchema(code, statusesOf(code)), describe),
        ]),
      ),
    },
    responses: Object.assign({}, ...operations.map(({ endpoint, place }) => errorAnswers(endpoint, place, words))),
    parameters: mapped(SHARED_PARAMETERS, ({ schema, description, ...rest }) => ({
      ...rest,
      required: false,
      description: describe(description),
      schema: openApiSchema(schema, describe),
    })),
    headers: mapped(ANSWER_HEADERS, ({ schema, description, presence }) => ({
      required: presence === 'always',
      description: describe(description),
      schema: openApiSchema(schema, describe),
    })),
    securitySchemes: {
      basic: {
        type: 'http',
        scheme: 'basic',
        description: describe('sign_in.basic'),
      },
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: describe('sign_in.bearer'),
      },
    },
  };
}

/** As the catalogue has them; its keys are the codes. */
const inOrder = (met: ReadonlySet<ErrorCode>): readonly ErrorCode[] =>
  (Object.keys(ERROR_STATUSES) as ErrorCode[]).filter((code) => met.has(code));

/** What an event may hold of a venue or organizer. */
const entry = (table: ParameterTable, description: DescriptionKey, describe: Describe): Members => ({
  type: 'object',
  description: describe(description),
  properties: {
    id: openApiSchema(Type.Integer({ description: 'entry.id' }), describe),
    ...propertiesOf(parametersOf(table), describe),
  },
});

const mapped = <T>(named: { readonly [name: string]: T }, make: (one: T) => Members): Members =>
  Object.fromEntries(Object.entries(named).map(([name, one]) => [name, make(one)]));
