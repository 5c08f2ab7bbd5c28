// Shared by all writing routes: the command's context, and an answer that readers already see.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommandContext, CommandDependencies, Written } from '../../commands/context.ts';
import type { CommandResult, Outcome } from '../../commands/handle-command.ts';
import type { AheadReads } from '../../editorial/time-travel/http/ahead-reads.ts';
import type { AsOfLists } from '../../editorial/time-travel/http/as-of-lists.ts';
import type { AsOfReads } from '../../editorial/time-travel/http/as-of-reads.ts';
import { READ_AS_HEADER } from '../../editorial/time-travel/http/read-as.ts';
import { phrase } from '../../locales/phrases.ts';
import type { Position } from '../../log/envelope.ts';
import type { AnswerSource, BeyondViews } from '../../queries/log-fallback.ts';
import type { QueryDependencies } from '../../queries/reader.ts';
import { ReadModelUnavailable } from '../../read-model/read-model.ts';
import { entityTag, ifMatchRevision } from '../answers/etag.ts';
import type { Freshness } from '../answers/freshness.ts';
import { firstOf } from '../answers/headers.ts';
import type { Body } from '../answers/reply.ts';
import type { SharedAnswers } from '../caches/shared-answers.ts';
import { ApiError, invalidParameters, refusedParameter, rejectionError } from '../errors.ts';
import { reasonIn, textOfHeader } from '../parameters/reasons.ts';
import type { DocumentMakers } from './written-documents.ts';

/** Waits until the read model shows the write; see the runner in projections/. */
export interface Views {
  reached(position: string, deadlineMs: number): Promise<boolean>;
}

export interface RouteDependencies {
  readonly commands: CommandDependencies;
  readonly queries: QueryDependencies;
  readonly beyondViews: BeyondViews;
  readonly views: Views;
  readonly documents: DocumentMakers;
  readonly shared: Pick<SharedAnswers, 'list' | 'read'>;
  /** How current answers are that come from a version of the read model. */
  readonly freshnessAt: (version: string) => Freshness;
  readonly past: AsOfReads;
  readonly pastLists: AsOfLists;
  readonly ahead: AheadReads;
}

/** How long a write waits for the read model before it answers that it lags. */
export const VIEW_DEADLINE_MS = 2_000;

/** The log position after this write, for readers that require at least that. */
export const POSITION_HEADER = 'X-Daybook-Position';
/** Sent if the read model lags. */
const LAG_HEADER = 'X-Daybook-Views';

export const contextOf = (request: FastifyRequest): CommandContext => ({
  caller: request.caller,
  now: request.now,
  correlationId: request.id,
  reason: request.reason,
  ...bypassIn(request),
  ifRevision: ifMatchRevision(request.headers['if-match']),
  // An empty key counts as none.
  idempotencyKey: firstOf(request.headers['idempotency-key']) || undefined,
  traceparent: request.traceparent,
});

/** Empty, it would be no reason. */
function bypassIn({ headers }: FastifyRequest): Pick<CommandContext, 'bypassReview'> {
  const header = firstOf(headers[BYPASS_HEADER]);
  if (header === undefined) return {};
  const bypassReview = reasonIn(textOfHeader(header));
  if (bypassReview === null || bypassReview === '')
    throw refusedParameter('X-Bypass-Review', phrase('bypass_needs_reason'));
  return { bypassReview };
}

const BYPASS_HEADER = 'x-bypass-review';

/** For what is decided and never written. */
export const previewContextOf = ({ caller, now, id }: FastifyRequest): CommandContext => ({
  caller,
  now,
  correlationId: id,
});

/** The result of a write, or the error of a rejection. */
export function writtenOr<Result>(result: Outcome<Result>, { caller }: Pick<FastifyRequest, 'caller'>): Result {
  if (result.kind === 'rejected') throw rejectionError(result.rejection, caller);
  return result.written;
}

/** Answers a write to a resource that no read model shows. `collection`: where it was created; absent: it was there before. */
export async function sendWritten<State>(
  reply: FastifyReply,
  result: CommandResult<State>,
  objectOf: (written: Written<State>) => Promise<object>,
  collection?: string,
): Promise<Body> {
  const { request } = reply;
  const written = writtenOr(result, request);
  if (collection) reply.code(201).header('location', `${request.links.root}/${collection}/${written.id}`);
  reply.header('etag', entityTag(written.revision, ''));
  return JSON.stringify(await objectOf(written));
}

interface WriteAnswer {
  readonly status: 200 | 201 | 202;
  readonly body: Body;
  readonly etag: string;
  /** Below the API's root; only of created resources and proposals. */
  readonly location: string;
  /** How ambiguous dates were interpreted. */
  readonly readAs?: string | null;
}

/** Builds the body from the result, with embedded resources from the given source. */
type RenderWrite = (source: AnswerSource) => Promise<WriteAnswer>;

/**
 * Waits for the views, then gives the reply its status and headers, and returns its body. When views lag beyond the
 * deadline, or cannot be asked, the answer is made from the log and says in a header that they lag.
 */
export async function answerWrite<State>(
  { views, beyondViews }: RouteDependencies,
  reply: FastifyReply,
  written: Written<State>,
  render: RenderWrite,
): Promise<Body> {
  const reached = await views.reached(written.position, VIEW_DEADLINE_MS);
  const answer = reached ? await unlessDown(() => render(beyondViews.views)) : null;
  const { status, body, etag, location, readAs } = answer ?? (await render(beyondViews.unseen));
  reply.code(status).header('etag', etag).header(POSITION_HEADER, written.position);
  if (!answer) reply.header(LAG_HEADER, 'lagging');
  if (readAs) reply.header(READ_AS_HEADER, readAs);
  if (status !== 200) reply.header('location', `${reply.request.links.root}${location}`);
  return body;
}

/** The headers of an answer that shows no resource: how far the log is, and whether the read model shows that. */
export async function awaitWritten(
  { views }: RouteDependencies,
  reply: FastifyReply,
  position: Position,
): Promise<void> {
  reply.header(POSITION_HEADER, position);
  if (!(await views.reached(position, VIEW_DEADLINE_MS))) reply.header(LAG_HEADER, 'lagging');
}

async function unlessDown(render: () => Promise<WriteAnswer>): Promise<WriteAnswer | null> {
  try {
    return await render();
  } catch (error) {
    if (error instanceof ReadModelUnavailable) return null;
    throw error;
  }
}

/** Positions are the event store's own and opaque: this only excludes what no store issues. */
const POSITION = /^[0-9A-Za-z.-]{1,64}$/;

/**
 * Waits until the read model has the reader's position. Throws 400 for an invalid position, and 503 after the deadline:
 * an answer would show less than required.
 */
export async function awaitPosition({ views }: RouteDependencies, { headers }: FastifyRequest): Promise<void> {
  const atLeast = firstOf(headers['x-daybook-position']);
  if (atLeast === undefined) return;
  if (!POSITION.test(atLeast)) throw invalidParameters(POSITION_HEADER);
  if (await views.reached(atLeast, VIEW_DEADLINE_MS)) return;
  throw new ApiError('rest_unavailable', {
    text: phrase('views_not_there', { header: POSITION_HEADER }),
    headers: { 'Retry-After': '1', [LAG_HEADER]: 'lagging' },
  });
}
