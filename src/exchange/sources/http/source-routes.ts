// The routes of sources: /sources. For those who may import.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommandResult } from '../../../commands/handle-command.ts';
import { present } from '../../../domain/present.ts';
import type { Body } from '../../../http/answers/reply.ts';
import { ApiError, foundOr, refusedParameter, rejectionError } from '../../../http/errors.ts';
import { guardedRoutes } from '../../../http/guarded-routes.ts';
import {
  answering,
  changingInLog,
  creatingInLog,
  deletingInLog,
  type Right,
  reading,
} from '../../../http/openapi/documentation.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { Routes } from '../../../http/route.ts';
import { sendMarked } from '../../../http/routes/pages.ts';
import { contextOf, type RouteDependencies, sendWritten } from '../../../http/routes/writing.ts';
import { byId } from '../../../http/schemas/path.ts';
import Type, { type Static } from '../../../http/schemas/type.ts';
import type { PrivateHosts } from '../../../kernel/outbound/fetch-outside.ts';
import { oneLine } from '../../../kernel/text/plain-text.ts';
import { phrase } from '../../../locales/phrases.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { type ImportersAdmitted, mayImport, mayManageUsers } from '../../../people/auth/policy.ts';
import type { SubjectKeys } from '../../../people/personal-data/facts/subject-keys.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import {
  addSource,
  allSources,
  changeSourceOf,
  loadSource,
  removeSourceOf,
  stepOfSource,
} from '../commands/sources.ts';
import { EVERY, pauseSource, resumeSource, type Source, type SourceSettings } from '../domain/source.ts';
import type { SourcePolls } from '../sources.ts';
import { addressIn } from './source-address.ts';
import { pollObject, sourceObject, unrecorded } from './source-answers.ts';
import { sourceList, sourcePolls, sourceTables } from './source-schema.ts';

/** Whom an installation admits of them, its settings say. */
const right: Right = { of: 'endpoint', may: (caller) => mayImport(caller) };
const about = { group: 'Sources', answer: Type.Ref('Source') } as const;

export interface SourceRouteDependencies extends Pick<RouteDependencies, 'commands'> {
  readonly polls: SourcePolls;
  readonly importers: ImportersAdmitted;
  /** The keys under which addresses are encrypted. */
  readonly keys: Pick<SubjectKeys, 'destroy'>;
  /** `any`: those that may be reached are not limited. */
  readonly privateHosts: PrivateHosts | 'any';
}

/** What was sent of the settings; a creation has them all. */
type SourceBody = Partial<Static<typeof sourceTables.create>>;

/** What is over by then is answered as a whole. */
const PATIENCE_MS = 10_000;

export const sourceRoutes: Routes<SourceRouteDependencies> = async (api, dependencies) => {
  const { commands, polls, importers, keys, privateHosts } = dependencies;
  const { store } = commands;
  const isAdmitted = (caller: Caller): boolean => mayImport(caller, importers);

  const all = guardedRoutes(right, about, isAdmitted);
  const one = guardedRoutes(right, { ...about, errors: ['rest_source_not_found'] }, isAdmitted);

  const objectOf = ({ links }: FastifyRequest, source: Source) =>
    sourceObject(source, { links, actors: openActors(store) });

  const reachOf = ({ links }: FastifyRequest) => ({ privateHosts, site: links.root });

  const sourceOf = (id: number) => foundOr('rest_source_not_found', loadSource(store, id));

  const sendOne = (reply: FastifyReply, result: CommandResult<Source>, collection?: string): Promise<Body> =>
    sendWritten(reply, result, ({ state }) => objectOf(reply.request, state), collection);

  api.get(
    '/sources',
    all(reading, { summary: 'source.list', answer: sourceList }, { querystring: sourceTables.list }),
    async (request, reply) => {
      const sources = await Promise.all((await allSources(store)).map(({ state }) => objectOf(request, state)));
      return sendMarked(reply, { sources });
    },
  );

  api.post(
    '/sources',
    all(
      creatingInLog,
      {
        summary: 'source.add',
        description: 'source.add_description',
        example: {
          address: 'https://theatre.example/programme.ics',
          name: 'Theatre',
          every: 30,
          on_missing: 'cancel',
        },
        errors: ['rest_too_many_sources', 'rest_review_required'],
      },
      { body: sourceTables.create },
    ),
    async (request, reply) => {
      const { caller, body } = request;
      const settings: SourceSettings = {
        name: '',
        user: caller?.id ?? 0,
        status: null,
        every: EVERY.usual,
        mode: 'apply',
        onMissing: 'leave',
        ...settingsIn(caller, body),
        address: addressIn(body.address, reachOf(request)),
      };
      return sendOne(reply, await addSource(commands, contextOf(request), settings, importers), 'sources');
    },
  );

  api.get(
    `/sources/${ID}`,
    one(reading, { summary: 'source.read' }, { params: byId, querystring: sourceTables.read }),
    async (request, reply) => {
      const { state, revision } = await sourceOf(request.params.id);
      return sendMarked(reply, await objectOf(request, state), { revision });
    },
  );

  api.patch(
    `/sources/${ID}`,
    one(
      changingInLog,
      {
        summary: 'source.change',
        description: 'write.merge',
        example: { mode: 'propose' },
        errors: ['rest_review_required'],
      },
      { params: byId, body: sourceTables.update },
    ),
    async (request, reply) => {
      const { params, body, caller } = request;
      const changes = {
        ...settingsIn(caller, body),
        ...(body.address !== undefined && { address: addressIn(body.address, reachOf(request)) }),
      };
      return sendOne(reply, await changeSourceOf(commands, contextOf(request), params.id, changes, importers));
    },
  );

  api.delete(
    `/sources/${ID}`,
    one(deletingInLog, { summary: 'source.remove' }, { params: byId, querystring: sourceTables.step }),
    async (request, reply) => {
      return sendOne(reply, await removeSourceOf(commands, contextOf(request), request.params.id, keys.destroy));
    },
  );

  for (const [step, decide] of [
    ['pause', pauseSource],
    ['resume', resumeSource],
  ] as const)
    api.post(
      `/sources/${ID}/${step}`,
      one(changingInLog, { summary: `source.${step}` }, { params: byId, body: sourceTables.step }),
      async ({ params }, reply) =>
        sendOne(reply, await stepOfSource(commands, contextOf(reply.request), params.id, decide)),
    );

  api.get(
    `/sources/${ID}/polls`,
    one(reading, { summary: 'source.polls', answer: sourcePolls }, { params: byId, querystring: sourceTables.read }),
    async (request, reply) => {
      const { state } = await sourceOf(request.params.id);
      const actors = openActors(store);
      const all = await Promise.all(state.polls.toReversed().map((one) => pollObject(one, actors)));
      return sendMarked(reply, { polls: all });
    },
  );

  api.post(
    `/sources/${ID}/polls`,
    one(
      answering(201, 'source_poll', Type.Ref('SourcePoll')),
      {
        summary: 'source.poll',
        description: 'source.poll_description',
        example: { dry_run: true },
        errors: ['rest_source_polling'],
      },
      { params: byId, body: sourceTables.poll },
    ),
    async (request, reply) => {
      const { params, body, caller, now } = request;
      const { id } = (await sourceOf(params.id)).state;
      const isDry = body.dry_run === true;
      const context = { ...contextOf(request), ifRevision: undefined };
      const { correlationId } = context;
      const wish = {
        why: 'asked',
        how: isDry ? 'dry run' : 'carried out',
        losses: body.accept === true ? 'confirmed' : 'guarded',
      } as const;
      const ended = polls.poll(context, id, wish);
      const patience = new AbortController();
      const late = sleep(PATIENCE_MS, null, { signal: patience.signal, ref: false }).catch(() => null);
      const result = await Promise.race([ended, ...(isDry ? [] : [late])]).finally(() => patience.abort());
      if (result?.kind === 'rejected') throw rejectionError(result.rejection, caller);
      const source = result?.source ?? (await sourceOf(id)).state;
      const recorded = source.polls.find((one) => one.request === correlationId);
      const by = caller?.id ?? null;
      const poll = recorded ?? (result && unrecorded(result.end, { begun: now, ended: now, by }));
      if (!poll) throw new ApiError('rest_source_polling');
      return reply.code(201).send(await pollObject(poll, openActors(store)));
    },
  );
};

/** What was sent of all but the address. */
function settingsIn(caller: Caller, body: SourceBody): Partial<Omit<SourceSettings, 'address'>> {
  const { name, every, mode, on_missing: onMissing, status, user } = body;
  if (every !== undefined && (every < EVERY.least || every > EVERY.most))
    throw refusedParameter('every', phrase('allowed_source_minutes', { least: EVERY.least, most: EVERY.most }));
  if (user !== undefined && user !== caller?.id && !mayManageUsers(caller))
    throw refusedParameter('user', phrase('allowed_source_user'));
  return present({
    name: name && oneLine(name),
    every,
    mode,
    onMissing,
    user,
    status: status === '' ? null : status,
  });
}
