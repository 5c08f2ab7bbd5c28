// The lists of a service, made anew for every request: the yardstick of whatever keeps them.

import { eventRoutes } from '../../src/calendar/event/http/event-routes.ts';
import { organizerRoutes, venueRoutes } from '../../src/calendar/linked-post/http/linked-post-routes.ts';
import { categoryRoutes, tagRoutes } from '../../src/calendar/term/http/term-routes.ts';
import { commandDependencies } from '../../src/commands/dependencies.ts';
import type { ProposalRouteDependencies } from '../../src/editorial/proposals/http/proposal-answers.ts';
import { openFreshness } from '../../src/http/answers/freshness.ts';
import { storedList } from '../../src/http/answers/stored-list.ts';
import type { SharedAnswers } from '../../src/http/caches/shared-answers.ts';
import { ApiError, invalidParameters } from '../../src/http/errors.ts';
import { logLookups } from '../../src/http/parameters/existence-checks.ts';
import { buildApp } from '../../src/http/server.ts';
import { DEFAULT_SETTINGS } from '../../src/http/settings.ts';
import { openAuthenticator } from '../../src/people/auth/credentials.ts';
import { verifyPassword } from '../../src/people/auth/passwords.ts';
import { keepingTerms, openBeyondViews } from '../../src/queries/log-fallback.ts';
import { type As, PREFIX, type TestService } from './service.ts';

const keepsNothing: Pick<SharedAnswers, 'list' | 'read'> = {
  async list(_, plan, pastTheEnd) {
    const planned = await plan();
    if ('refused' in planned) throw invalidParameters(planned.refused);
    const { body, total, pages } = await planned.read();
    if (body === null) throw new ApiError(pastTheEnd);
    const list = await storedList({ body, total, pages }, () => {});
    return { list, place: null, freshness: null };
  },
  read: (_request, _what, make) => make(),
};

const unused = (): never => {
  throw new Error('only lists are asked for');
};

/** Asks for lists over the stores of `service` and by its clock. */
export function uncachedLists({ config, stores, clock, authorization }: TestService) {
  const { store, readModel } = stores;
  const { perPage } = config;
  const { site } = stores;
  const siteZone = site.zone;
  const finder = { fetch: unused, findBySlug: unused, namedPage: unused };
  const commands = commandDependencies(stores, config);
  const dependencies: ProposalRouteDependencies = {
    commands,
    proposals: { ...commands, fieldsOf: unused },
    display: stores.rendering,
    queries: { readModel, siteZone, perPage, site, verifyPassword },
    beyondViews: openBeyondViews(keepingTerms(readModel), { log: finder, now: async () => finder }, () => false),
    views: { reached: async () => true },
    documents: { event: unused, writtenEvent: unused, venue: unused, organizer: unused },
    shared: keepsNothing,
    freshnessAt: openFreshness(() => 0),
    past: { find: () => null },
    ahead: { isAsked: () => false, use: () => null, find: () => null, term: () => null, list: () => null },
    pastLists: { find: () => null, at: unused, page: unused },
  };
  const app = buildApp({
    routes: async (api) => {
      for (const routes of [eventRoutes, venueRoutes, organizerRoutes, categoryRoutes, tagRoutes])
        api.register(routes, dependencies);
    },
    authenticate: openAuthenticator({
      readModel,
      log: { ...readModel, revisionOf: async () => null },
      elapsed: () => performance.now(),
      cacheForMs: 60_000,
      verify: verifyPassword,
    }),
    lookups: logLookups(store, readModel, readModel),
    clock,
    elapsed: () => 0,
    newId: () => 'request',
    siteZone,
    settings: DEFAULT_SETTINGS,
    log: { error: unused, warn: unused },
  });
  return async (as: As, target: string): Promise<{ readonly status: number; readonly text: string }> => {
    const headers = { host: 'cal.example', ...(as === 'anonymous' ? {} : { authorization: authorization(as) }) };
    const answer = await app.inject({ url: PREFIX + target, headers });
    return { status: answer.statusCode, text: answer.payload };
  };
}
