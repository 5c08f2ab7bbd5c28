// Reads of an instant to come, and of proposals as if they were carried out: `?as_of=2026-12-01T09:00:00Z`,
// `?with=proposal:7`. For callers who may read every history; for others there are only the present and the past.
import type { FastifyRequest } from 'fastify';
import type { StoredAnswer } from '../../../http/answers/stored-list.ts';
import type { AnswerCache } from '../../../http/caches/answer-cache.ts';
import { openSharedAnswers, type TaggedBody } from '../../../http/caches/shared-answers.ts';
import { type ApiError, invalidParameters, refusedParameter, rejectionError } from '../../../http/errors.ts';
import { readerOf } from '../../../http/reader.ts';
import { shortInstant } from '../../../kernel/time/instant.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import { phrase } from '../../../locales/phrases.ts';
import { mayReadEveryHistory } from '../../../people/auth/policy.ts';
import { embeddedTermObject, termObject } from '../../../queries/assemble.ts';
import { digestOf } from '../../../queries/digest.ts';
import { type SingleSource, sourceOf } from '../../../queries/log-fallback.ts';
import type { QueryDependencies, Reader } from '../../../queries/reader.ts';
import type { ResourceKind } from '../../history/queries/resource.ts';
import {
  type AheadCalendar,
  type AheadCalendars,
  type AheadMember,
  type AheadQuestion,
  AheadRefused,
} from '../queries/ahead.ts';
import type { ListInput, PlanList } from '../queries/lists.ts';
import { anyInstantOf, type StateInput } from './as-of-reads.ts';

interface AheadDependencies {
  readonly calendars: AheadCalendars;
  /** Where lists are cached, and what theirs are called there. */
  readonly answers: AnswerCache;
  readonly name: string;
  readonly queries: Omit<QueryDependencies, 'readModel'>;
}

/** The calendar of an instant to come. It may be another one as soon as the work on it is done. */
export interface AheadThen extends AheadCalendar {
  readonly at: EpochSeconds;
  readonly queries: QueryDependencies;
  /** The reader of the request, at that instant. */
  readonly reader: Reader;
}

/** Each returns null where the present or the past is asked for. */
export type AheadReads = ReturnType<typeof openAheadReads>;

const MAX_MEMBERS = 100;
/** `proposal:7`, `set:3`, `set:spring`. */
const MEMBER = /^(?:proposal:[1-9]\d{0,8}|set:[\p{L}\p{N}_%-]{1,200})$/u;

export function openAheadReads({ calendars, queries, name, answers }: AheadDependencies) {
  // The key has the name of the calendar, whose content never changes.
  const cache = openSharedAnswers({ version: () => 'ahead', name, answers });
  const questionOf = (request: FastifyRequest, state: StateInput) => aheadOf(request, state, queries);

  async function use<Result>(
    request: FastifyRequest,
    question: AheadQuestion,
    work: (then: AheadThen) => Promise<Result>,
  ): Promise<Result> {
    const { at } = question;
    const reader = { ...readerOf(request), now: at };
    try {
      return await calendars.use(question, (calendar) =>
        work({ ...calendar, at, reader, queries: { ...queries, readModel: calendar.readModel } }),
      );
    } catch (error) {
      throw error instanceof AheadRefused ? refusalOf(error, request.caller) : error;
    }
  }

  async function single(
    request: FastifyRequest,
    question: AheadQuestion,
    make: (source: SingleSource) => Promise<TaggedBody>,
  ): Promise<TaggedBody> {
    const body = await use(request, question, (then) => make(sourceOf(then.queries.readModel)));
    // It has no revision that a write could name.
    return { ...body, etag: `"${digestOf(String(body.text))}"` };
  }

  return {
    isAsked: (request: FastifyRequest, state: StateInput) => questionOf(request, state) !== null,
    /** Does something with the calendar that is asked for. */
    use<Result>(
      request: FastifyRequest,
      state: StateInput,
      work: (then: AheadThen) => Promise<Result>,
    ): Promise<Result> | null {
      const question = questionOf(request, state);
      return question && use(request, question, work);
    },
    find(
      request: FastifyRequest,
      state: StateInput,
      make: (source: SingleSource) => Promise<TaggedBody>,
    ): Promise<TaggedBody> | null {
      const question = questionOf(request, state);
      return question && single(request, question, make);
    },
    term(kind: ResourceKind, request: FastifyRequest, state: StateInput, id: number): Promise<TaggedBody> | null {
      const question = kind === 'category' || kind === 'tag' ? questionOf(request, state) : null;
      if (question === null || (kind !== 'category' && kind !== 'tag')) return null;
      return single(request, question, async (source) => {
        const term = await source.term(kind, id);
        if (!term) throw invalidParameters('id');
        const objectOf = request.context === 'embed' ? embeddedTermObject : termObject;
        return { text: JSON.stringify(objectOf(term, request.links)), etag: '' };
      });
    },
    list<Asked extends ListInput>(
      kind: ResourceKind,
      request: FastifyRequest,
      input: Asked,
      plan: PlanList<Asked>,
      pastTheEnd: ErrorCode,
    ): Promise<StoredAnswer> | null {
      const question = questionOf(request, input);
      if (question === null) return null;
      const inputThen = { ...input, ...(input.as_of !== undefined && { as_of: shortInstant(question.at) }) };
      return use(request, question, async (then) => {
        const planned = async () => {
          const list = await plan(then.queries, inputThen, then.reader);
          return 'refused' in list ? list : { ...list, key: `${then.name} ${kind} ${list.key}` };
        };
        const answer = await cache.list(request, planned, pastTheEnd);
        // The address alone does not say what this was made from: nothing may be recalled by it.
        return { ...answer, place: null, freshness: null };
      });
    },
  };
}

/** Documented where `with` is. Any other rejection is one of the wish itself, and `with` is what cannot be used. */
const TOLD: readonly string[] = [
  ...['proposal_not_found', 'proposal_closed', 'proposal_conflict', 'target_in_trash'],
  ...['set_not_found', 'set_closed', 'set_empty', 'set_unfit'],
];

const refusalOf = ({ rejection }: AheadRefused, caller: FastifyRequest['caller']): ApiError =>
  TOLD.includes(rejection.code) ? rejectionError(rejection, caller) : invalidParameters('with');

/** Null: the present or the past. Throws 400 for a value of `with` that cannot be used here. */
function aheadOf(
  { caller, now, id }: FastifyRequest,
  { as_of: asOf, with: members, revision, proposal }: StateInput,
  { siteZone }: Pick<QueryDependencies, 'siteZone'>,
): AheadQuestion | null {
  const isOther = !mayReadEveryHistory(caller) || revision !== undefined || proposal !== undefined;
  if (isOther && members === undefined) return null;
  if (isOther) throw refusedParameter('with', phrase('with_refused'));
  if (asOf === undefined && members === undefined) return null;
  const at = asOf === undefined ? now : anyInstantOf(asOf, now, siteZone);
  if (members === undefined) return at > now ? { caller, now, at, correlationId: id, members: [] } : null;
  if (at < now) throw refusedParameter('with', phrase('with_refused'));
  return { caller, now, at, correlationId: id, members: membersOf(members) };
}

const namesIn = (text: string): readonly string[] => [...new Set(text.split(',').map((name) => name.trim()))];

/** Whether this could be a value of `with`. */
export const namesMembers = (text: string): boolean => namesIn(text).every((name) => MEMBER.test(name));

function membersOf(text: string): readonly AheadMember[] {
  const names = namesIn(text);
  if (!namesMembers(text) || names.length > MAX_MEMBERS)
    throw refusedParameter('with', phrase('unreadable_with', { example: 'proposal:7,set:spring' }));
  return names.map((name) => {
    const [kind, rest = ''] = name.split(':');
    return { kind: kind === 'set' ? 'set' : 'proposal', name: rest };
  });
}
