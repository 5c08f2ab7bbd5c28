// One endpoint under one method.
import type { Endpoint } from '../route.ts';
import { answersOf } from './answers.ts';
import { bodyOf, nameOfPath, type Place, parametersOf } from './parameters.ts';
import { rightMembers, securityOf } from './rights.ts';
import type { Members, Words } from './wording.ts';

/** An endpoint under one of its methods. */
export interface Operation {
  readonly endpoint: Endpoint;
  readonly place: Place;
}

export function operationOf(endpoint: Endpoint, place: Place, words: Words): Members {
  const { describe } = words;
  const { documentation } = endpoint;
  const rights = rightMembers(documentation.right);
  const roles = Array.isArray(rights['x-daybook-roles']) ? rights['x-daybook-roles'] : [];
  const body = bodyOf(endpoint, place, describe);
  return {
    tags: [documentation.group],
    summary: describe(documentation.summary),
    ...(documentation.description !== undefined && { description: describe(documentation.description) }),
    operationId: operationId(place),
    parameters: parametersOf(endpoint, place, documentation, describe),
    ...(body && { requestBody: body }),
    responses: answersOf(endpoint, place, words),
    security: securityOf(roles),
    ...rights,
  };
}

/** `GET /events/by-slug/{slug}` is `getEventsBySlug`: stable, since paths are. */
export const operationId = ({ method, path }: Place): string =>
  method.toLowerCase() + (path === '' ? 'Index' : nameOfPath(path));
