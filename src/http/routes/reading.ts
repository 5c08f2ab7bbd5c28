// What reading routes share: who reads, and where lists and single reads come from.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PostKind } from '../../calendar/resource/domain/post.ts';
import type { ResourceKind } from '../../editorial/history/queries/resource.ts';
import type { StateInput } from '../../editorial/time-travel/http/as-of-reads.ts';
import type { ListInput, PlanList } from '../../editorial/time-travel/queries/lists.ts';
import type { ErrorCode } from '../../locales/error-catalogue.ts';
import type { SingleSource } from '../../queries/log-fallback.ts';
import type { Body } from '../answers/reply.ts';
import type { StoredAnswer } from '../answers/stored-list.ts';
import type { TaggedBody } from '../caches/shared-answers.ts';
import { readerOf } from '../reader.ts';
import { awaitPosition, type RouteDependencies } from './writing.ts';

/** A single read: of an instant to come; or from the read model, where it may be cached, or from the log while the read model is unavailable. */
export const readOne = (
  { beyondViews, shared, ahead }: Pick<RouteDependencies, 'beyondViews' | 'shared' | 'ahead'>,
  request: FastifyRequest,
  what: string,
  make: (source: SingleSource) => Promise<TaggedBody>,
  moment: StateInput = {},
): Promise<TaggedBody> =>
  ahead.find(request, moment, make) ??
  beyondViews.newest(make, () => shared.read(request, what, () => make(beyondViews.views)));

/** Answers a single read of a post: of an old state, or what `make` makes of the present one. */
export const postReading =
  (
    dependencies: RouteDependencies,
    kind: PostKind,
    make: (request: FastifyRequest, id: number, source: SingleSource) => Promise<TaggedBody>,
  ) =>
  async (reply: FastifyReply, id: number, state: StateInput): Promise<Body> => {
    const { request } = reply;
    const present = async (): Promise<TaggedBody> => {
      await awaitPosition(dependencies, request);
      return readOne(dependencies, request, `${kind} ${id}`, (source) => make(request, id, source), state);
    };
    const { text, etag, shows } = await (dependencies.past.find(kind, request, state, id) ?? present());
    reply.shows = shows;
    return reply.conditional(text, etag);
  };

/** How a list is planned; terms of events are looked up as of the instant. */
interface PlannedList<Input> {
  readonly kind: ResourceKind;
  readonly plan: PlanList<Input>;
  readonly planAsOf?: PlanList<Input>;
  readonly pastTheEnd: ErrorCode;
}

/** A list: of today, where it may be cached, or as of the instant that was asked for. */
export async function readList<Input extends ListInput>(
  dependencies: RouteDependencies,
  request: FastifyRequest,
  input: Input,
  { kind, plan, planAsOf = plan, pastTheEnd }: PlannedList<Input>,
): Promise<StoredAnswer> {
  const { shared, pastLists, queries, ahead } = dependencies;
  const coming = ahead.list(kind, request, input, planAsOf, pastTheEnd);
  if (coming) return coming;
  const old = pastLists.find(kind, request, input, planAsOf, pastTheEnd);
  if (old) return old;
  await awaitPosition(dependencies, request);
  return shared.list(request, () => plan(queries, input, readerOf(request)), pastTheEnd);
}
