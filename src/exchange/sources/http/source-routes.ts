// The routes of sources: /sources. For those who may import.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { CommandResult } from '../../../commands/handle-command.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import type { Body } from '../../../http/answers/reply.ts';
import { ApiError, forbidden, refusedParameter, rejectionError } from '../../../http/errors.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { Method, Routes } from '../../../http/route.ts';
import { contextOf, type RouteDependencies, writtenOr } from '../../../http/routes/writing.ts';
import { byId } from '../../../http/schemas/path.ts';
import { MAX_DESTINATION_LENGTH } from '../../../kernel/outbound/destinations.ts';
import type { PrivateHosts } from '../../../kernel/outbound/fetch-outside.ts';
import { oneLine } from '../../../kernel/text/plain-text.ts';
import { phrase } from '../../../locales/phrases.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { type ImportersAdmitted, mayImport, mayManageUsers } from '../../../people/auth/policy.ts';
import type { SubjectKeys } from '../../../people/personal-data/facts/subject-keys.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import { digestOf } from '../../../queries/digest.ts';
import { isOwnAddress, isSourceAddress } from '../address.ts';
import {
  addSource,
  allSources,
  changeSourceOf,
  type LoadedSource,
  loadSource,
  pauseSourceOf,
  removeSourceOf,
  resumeSourceOf,
} from '../commands/sources.ts';
import { EVERY, type Source, type SourceSettings } from '../domain/source.ts';
import type { SourcePolls } from '../sources.ts';
import { pollObject, sourceObject, unrecorded } from './source-answers.ts';
import { SOURCE_DOCUMENTATION } from './source-documentation.ts';
import { sourceTables } from './source-schema.ts';

export interface SourceRouteDependencies extends Pick<RouteDependencies, 'commands'> {
  readonly polls: SourcePolls;
  readonly importers: ImportersAdmitted;
  /** Of addresses. */
  readonly keys: Pick<SubjectKeys, 'destroy'>;
  /** `any`: those that may be reached are not limited. */
  readonly privateHosts: PrivateHosts | 'any';
}

/** What was sent of the settings; a creation has them all. */
type Sent = Partial<Static<typeof sourceTables.create>>;

/** What is over by then is answered as a whole. */
const PATIENCE_MS = 10_000;

export const sourceRoutes: Routes<SourceRouteDependencies> = async (api, dependencies) => {
  const { commands, polls, importers, keys, privateHosts } = dependencies;
  const { store } = commands;
  const isAdmitted = (caller: Caller): boolean => mayImport(caller, importers);

  const route = (...methods: readonly Method[]) => ({
    config: { allow: (caller: Caller): readonly Method[] => (isAdmitted(caller) ? methods : []) },
    preHandler: async ({ caller }: FastifyRequest): Promise<void> => {
      if (!isAdmitted(caller)) throw forbidden(caller);
    },
  });

  const shown = ({ links }: FastifyRequest, source: Source) =>
    sourceObject(source, { links, actors: openActors(store) });

  function addressIn({ links }: FastifyRequest, sent: string): string {
    const address = sent.trim();
    if (!isSourceAddress(address, privateHosts))
      throw refusedParameter('address', phrase('allowed_source_address', { most: MAX_DESTINATION_LENGTH }));
    if (isOwnAddress(address, links.root)) throw refusedParameter('address', phrase('allowed_source_elsewhere'));
    return address;
  }

  async function present(id: number): Promise<LoadedSource> {
    const found = await loadSource(store, id);
    if (!found || found.state.removed) throw new ApiError('rest_source_not_found');
    return found;
  }

  async function answer(reply: FastifyReply, { state, revision }: LoadedSource): Promise<Body> {
    reply.header('etag', entityTag(revision, ''));
    return JSON.stringify(await shown(reply.request, state));
  }

  const step = async (reply: FastifyReply, result: CommandResult<Source>): Promise<Body> =>
    answer(reply, writtenOr(result, reply.request));

  const { list, read, create, change, pause, resume, remove, poll, ...further } = SOURCE_DOCUMENTATION;

  api.get(
    '/sources',
    { ...route('GET', 'POST'), schema: { ...list, querystring: sourceTables.list } },
    async (request, reply) => {
      const sources = await Promise.all((await allSources(store)).map(({ state }) => shown(request, state)));
      const body = JSON.stringify({ sources });
      return reply.conditional(body, `"${digestOf(body)}"`);
    },
  );

  api.post(
    '/sources',
    { ...route('GET', 'POST'), schema: { ...create, body: sourceTables.create } },
    async (request, reply) => {
      const { caller, body } = request;
      const settings: SourceSettings = {
        ...{ name: '', user: caller?.id ?? 0, status: null },
        ...{ every: EVERY.usual, mode: 'apply', onMissing: 'leave' },
        ...settingsIn(caller, body),
        address: addressIn(request, body.address),
      };
      const written = writtenOr(await addSource(commands, contextOf(request), settings, importers), request);
      reply.code(201).header('location', `${request.links.root}/sources/${written.id}`);
      return answer(reply, written);
    },
  );

  api.get(
    `/sources/${ID}`,
    { ...route('GET', 'PATCH', 'DELETE'), schema: { ...read, params: byId, querystring: sourceTables.read } },
    async (request, reply) => {
      const { state, revision } = await present(request.params.id);
      const body = JSON.stringify(await shown(request, state));
      return reply.conditional(body, entityTag(revision, digestOf(body)));
    },
  );

  api.patch(
    `/sources/${ID}`,
    { ...route('GET', 'PATCH', 'DELETE'), schema: { ...change, params: byId, body: sourceTables.update } },
    async (request, reply) => {
      const { params, body, caller } = request;
      const wanted = {
        ...settingsIn(caller, body),
        ...(body.address !== undefined && { address: addressIn(request, body.address) }),
      };
      return step(reply, await changeSourceOf(commands, contextOf(request), params.id, wanted, importers));
    },
  );

  api.delete(
    `/sources/${ID}`,
    { ...route('GET', 'PATCH', 'DELETE'), schema: { ...remove, params: byId, querystring: sourceTables.step } },
    async (request, reply) => {
      const { id } = request.params;
      const before = await loadSource(store, id);
      const result = await removeSourceOf(commands, contextOf(request), id);
      // Also of one removed before: that may have been interrupted.
      if ((await loadSource(store, id))?.state.removed) await keys.destroy(streamOf('source', id));
      const written = writtenOr(result, request);
      return answer(reply, { ...written, state: { ...(before?.state ?? written.state), removed: true } });
    },
  );

  api.post(
    `/sources/${ID}/pause`,
    { ...route('POST'), schema: { ...pause, params: byId, body: sourceTables.step } },
    async ({ params }, reply) => step(reply, await pauseSourceOf(commands, contextOf(reply.request), params.id)),
  );

  api.post(
    `/sources/${ID}/resume`,
    { ...route('POST'), schema: { ...resume, params: byId, body: sourceTables.step } },
    async ({ params }, reply) => step(reply, await resumeSourceOf(commands, contextOf(reply.request), params.id)),
  );

  api.get(
    `/sources/${ID}/polls`,
    { ...route('GET', 'POST'), schema: { ...further.polls, params: byId, querystring: sourceTables.read } },
    async (request, reply) => {
      const { state } = await present(request.params.id);
      const actors = openActors(store);
      const all = await Promise.all(state.polls.toReversed().map((one) => pollObject(one, actors)));
      const body = JSON.stringify({ polls: all });
      return reply.conditional(body, `"${digestOf(body)}"`);
    },
  );

  api.post(
    `/sources/${ID}/polls`,
    { ...route('GET', 'POST'), schema: { ...poll, params: byId, body: sourceTables.poll } },
    async (request, reply) => {
      const { params, body, caller, now } = request;
      const { id } = (await present(params.id)).state;
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
      const source = result?.source ?? (await present(id)).state;
      const recorded = source.polls.find((one) => one.request === correlationId);
      const by = caller?.id ?? null;
      const shownPoll = recorded ?? (result && unrecorded(result.end, { begun: now, ended: now, by }));
      if (!shownPoll) throw new ApiError('rest_source_polling');
      return reply.code(201).send(await pollObject(shownPoll, openActors(store)));
    },
  );
};

/** What was sent of all but the address. */
function settingsIn(caller: Caller, sent: Sent): Partial<Omit<SourceSettings, 'address'>> {
  const { name, every, mode, on_missing: onMissing, status, user } = sent;
  if (every !== undefined && (every < EVERY.least || every > EVERY.most))
    throw refusedParameter('every', phrase('allowed_source_minutes', { least: EVERY.least, most: EVERY.most }));
  if (user !== undefined && user !== caller?.id && !mayManageUsers(caller))
    throw refusedParameter('user', phrase('allowed_source_user'));
  return {
    ...(name !== undefined && { name: oneLine(name) }),
    ...(every !== undefined && { every }),
    ...(mode !== undefined && { mode }),
    ...(onMissing !== undefined && { onMissing }),
    ...(status !== undefined && { status: status === '' ? null : status }),
    ...(user !== undefined && { user }),
  };
}
