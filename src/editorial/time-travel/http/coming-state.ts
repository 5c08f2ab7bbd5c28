// A resource as it will be, for comparisons: whole, as callers who may read every history see it.

import type { FastifyRequest } from 'fastify';
import { presentEvent, UNREADABLE } from '../../../calendar/resource/http/find-posts.ts';
import { readEvent } from '../../../calendar/resource/queries/get-one.ts';
import { ApiError, forbidden, invalidParameters } from '../../../http/errors.ts';
import { assembleLinkedPost, termObject } from '../../../queries/assemble.ts';
import type { Assembled } from '../../../queries/bodies.ts';
import { digestOf } from '../../../queries/digest.ts';
import type { LinkedPostDocument, TermDocument } from '../../../read-model/documents.ts';
import type { ComingSide, ComingState } from '../../compare/queries/compare-states.ts';
import type { AnyState, ResourceKey } from '../../history/queries/resource.ts';
import { formerTerm } from '../queries/read-resource.ts';
import type { AheadReads, AheadThen } from './ahead-reads.ts';

/** Rejects for callers who see no future, and if there is nothing to see by then. */
export function comingState(
  ahead: Pick<AheadReads, 'use'>,
  request: FastifyRequest,
  key: ResourceKey,
  query: ComingSide['parameters'],
): Promise<ComingState> {
  const coming = ahead.use(request, query, async (then) => ({
    ...(key.kind === 'event' ? await eventOf(then, key.id) : await resourceOf(then, key)),
    event: then.lastOf(key),
  }));
  if (!coming) throw forbidden(request.caller);
  return coming;
}

type Coming = Omit<ComingState, 'event'>;

async function eventOf({ queries, reader }: AheadThen, id: number): Promise<Coming> {
  const event = await presentEvent(queries.readModel, id);
  const result = await readEvent(queries, event, reader, 'editing');
  if ('unreadable' in result) throw new ApiError(UNREADABLE[result.unreadable]);
  return stateWithBody(result.document.state, result.answer.text);
}

async function resourceOf(then: AheadThen, key: ResourceKey): Promise<Coming> {
  const [document] = await then.queries.readModel.fetch([key]);
  switch (document?.kind) {
    case 'venue':
    case 'organizer':
      return stateWithBody(document.state, textOfPost(then, document));
    case 'category':
    case 'tag':
      return stateWithBody(document.state, await textOfTerm(then, document));
    default:
      throw invalidParameters('id');
  }
}

const textOfPost = ({ reader }: AheadThen, post: LinkedPostDocument): string =>
  assembleLinkedPost(post, reader, 'single', new Set([post])).text;

async function textOfTerm({ queries, reader }: AheadThen, document: TermDocument): Promise<string> {
  const terms = await queries.readModel.terms();
  return JSON.stringify(termObject(terms.get(document.id) ?? formerTerm(document), reader.links));
}

/** Projections store folded states. */
const stateWithBody = (state: unknown, text: string): Coming => ({ state: state as AnyState, body: wholeBody(text) });

const wholeBody = (text: string): Assembled => ({ text, mark: () => digestOf(text) });
