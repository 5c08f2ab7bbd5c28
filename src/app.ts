// The API over its ports: dependencies of routes, commands and queries.

import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { allProjections } from '../projections/catalogue.ts';
import { openAheadRun } from './commands/ahead-run.ts';
import { commandDependencies } from './commands/dependencies.ts';
import { slugOwners } from './commands/reservations/slugs.ts';
import { type Config, siteAddress, unnamedSite } from './config.ts';
import { writeSignedTrail } from './editorial/audit/http/signed-trail.ts';
import { openStoredFacts } from './editorial/audit/queries/stored-facts.ts';
import { loadAgenda, loadChangeSet } from './editorial/change-sets/commands/load.ts';
import { streamsOfNow, withWholeSets } from './editorial/change-sets/facts/whole-sets.ts';
import { changesOfRequest } from './editorial/compare/queries/changes-of-request.ts';
import { openListComparison } from './editorial/compare/queries/compare-lists.ts';
import { openGuests } from './editorial/guest-links/http/guests.ts';
import { fieldsOf, ownFields } from './editorial/history/queries/field-changes.ts';
import { isByAdministrators } from './editorial/history/queries/raw-writers.ts';
import { openTermCounts } from './editorial/history/queries/term-counts.ts';
import type { ProposalDependencies } from './editorial/proposals/commands/proposals.ts';
import type { ProposalRouteDependencies } from './editorial/proposals/http/proposal-answers.ts';
import { findProposed } from './editorial/proposals/http/proposal-routes.ts';
import { openPostSchedule } from './editorial/schedule/queries/schedule.ts';
import { openSetSchedule } from './editorial/schedule/queries/schedule-sets.ts';
import type { Publisher } from './editorial/schedule/reactions/publisher.ts';
import { openAheadReads } from './editorial/time-travel/http/ahead-reads.ts';
import { openAsOfLists, queueFull } from './editorial/time-travel/http/as-of-lists.ts';
import { openAsOfReads } from './editorial/time-travel/http/as-of-reads.ts';
import { openAheadCalendars } from './editorial/time-travel/queries/ahead.ts';
import { openAsOfLog } from './editorial/time-travel/queries/as-of-log.ts';
import { openAsOfCalendars } from './editorial/time-travel/queries/calendars.ts';
import { presentIndex } from './editorial/time-travel/queries/present-index.ts';
import { shimsOver } from './exchange/compatibility/http/shims.ts';
import { fillWithSample, SAMPLE } from './exchange/import/demo/fill.ts';
import { openImports } from './exchange/import/jobs/imports.ts';
import { openSourcePolls, type SourcePolls } from './exchange/sources/sources.ts';
import { openSubmissionWatch } from './exchange/submissions/commands/submission-watch.ts';
import { submissionMail } from './exchange/submissions/http/submission-mail.ts';
import { openSubmissions } from './exchange/submissions/http/submissions.ts';
import type { SubmissionKeeperOptions } from './exchange/submissions/reactions/submission-keeper.ts';
import { openWebhookFeed } from './exchange/webhooks/http/webhook-feed.ts';
import type { WebhookFeed } from './exchange/webhooks/reactions/webhook-line.ts';
import { openSender, type Send } from './exchange/webhooks/reactions/webhook-sender.ts';
import { openFreshness } from './http/answers/freshness.ts';
import { openAnswerCache } from './http/caches/answer-cache.ts';
import { openSharedAnswers } from './http/caches/shared-answers.ts';
import { defaultGateway } from './http/limits/client-address.ts';
import { boundedDerivations } from './http/limits/derivations.ts';
import type { PressureOptions } from './http/limits/pressure.ts';
import { systemState } from './http/operations/system-state.ts';
import { logLookups, lookupsDespiteOutage, viewLookups } from './http/parameters/existence-checks.ts';
import { routesOver } from './http/routes/routes.ts';
import { type RouteDependencies, VIEW_DEADLINE_MS, type Views } from './http/routes/writing.ts';
import { documentMakers } from './http/routes/written-documents.ts';
import { type AnswerObserver, buildApp } from './http/server.ts';
import { DEFAULT_SETTINGS } from './http/settings.ts';
import { nextTurn } from './kernel/event-loop/turns.ts';
import { elapsed } from './kernel/time/system.ts';
import type { EpochSeconds, Zone } from './kernel/time/zone.ts';
import type { EventStore, StreamReader } from './log/event-store.ts';
import type { AccessLog } from './observability/access-log.ts';
import type { Health } from './observability/health.ts';
import type { Log } from './observability/log.ts';
import type { CountedCache } from './observability/metrics.ts';
import type { Tracing } from './observability/tracing.ts';
import { openPageCalendar } from './pages/calendar.ts';
import { pagesOver } from './pages/pages.ts';
import { verifyPassword } from './people/auth/passwords.ts';
import { openTickets } from './people/auth/tickets.ts';
import { openAccounts } from './people/users/http/accounts.ts';
import { openFirstStart } from './people/users/http/first-start.ts';
import { openEventTexts } from './queries/event-texts.ts';
import { documentsFromLog, keepingTerms, openBeyondViews } from './queries/log-fallback.ts';
import { openVerdicts } from './queries/password-verdicts.ts';
import { parkedIn } from './read-model/projector/parking.ts';
import type { TrustWatch } from './read-model/trust.ts';
import type { Stores } from './stores.ts';
import { VERSION } from './version.ts';

/** The time, in UTC seconds. */
export interface Clock {
  now(): EpochSeconds;
}

/** The application, and its caches. */
export interface Api {
  readonly app: FastifyInstance;
  readonly lists: CountedCache;
  readonly reads: CountedCache;
  readonly proposals: ProposalDependencies;
  /** What attends to submissions; null: there are none. */
  readonly submissions: Pick<SubmissionKeeperOptions, 'watch' | 'compose'> | null;
  /** What webhooks send, and how. */
  readonly webhooks: { readonly feed: WebhookFeed; readonly send: Send };
  readonly polls: SourcePolls;
}

export interface ApiOptions {
  readonly config: Config;
  readonly stores: Stores;
  readonly trust: Pick<TrustWatch, 'behind' | 'isBehind'>;
  readonly health: Pick<Health, 'examine'>;
  readonly views: Views;
  readonly log: Log;
  readonly clock: Clock;
  readonly observer?: AnswerObserver;
  /** Detects overload; absent: there is none. */
  readonly pressure?: PressureOptions;
  /** Absent: answers are not logged. */
  readonly accessLog?: Pick<AccessLog, 'write'>;
  /** Absent: answers and deliveries are not traced. */
  readonly tracing?: Tracing;
  /** Publishes due posts; absent: this process does not. */
  readonly schedule?: Pick<Publisher, 'settled'>;
}

/** Rooms of the desk, the largest: loaded at once they hold the event loop for 200 ms, one behind the other for 40. */
const DESK_ROOMS = [
  () => import('./calendar/event/desk/saving.ts'),
  () => import('./calendar/event/desk/routes.ts'),
  () => import('./calendar/resource/desk/routes.ts'),
  () => import('./editorial/audit/desk/log-pages.ts'),
  () => import('./editorial/change-sets/desk/routes.ts'),
  () => import('./exchange/webhooks/desk/routes.ts'),
];

/** Builds the application; it does not listen yet. */
export function buildApi({
  config,
  stores,
  trust,
  health,
  views,
  log,
  clock,
  observer,
  pressure,
  accessLog,
  tracing,
  schedule,
}: ApiOptions): Api {
  const { store, readModel, rendering, site, recentChanges } = stores;
  const siteZone = site.zone;
  const settled = () => site.revision;
  const { perPage, theme, siteUrl, prefixAliases, trustForwarded, requestsPerMinute, cacheSeconds } = config;
  const derivations = boundedDerivations();
  const verdicts = openVerdicts({ verify: derivations.verifyPassword, key: randomBytes(32), elapsed });
  const answers = openAnswerCache();
  const shared = openSharedAnswers({
    ...{ answers, version: readModel.version, settled, behind: trust.behind, isBehind: trust.isBehind },
    haveChanged: recentChanges.haveChanged,
  });
  const projections = allProjections(rendering);
  const documentsOf = (reader: StreamReader) => documentsFromLog(reader, projections, slugOwners(reader));
  const fromLog = documentsOf(store);
  // What is answered with shows sets as a whole; commands, and answers to them, are about the log itself.
  const wholeSets = withWholeSets(store);
  const keptViews = keepingTerms(readModel);
  const texts = openEventTexts(keptViews);
  const streamsNow = () => streamsOfNow(store);
  const finders = { log: fromLog, now: async () => documentsOf(await streamsNow()) };
  const beyondViews = openBeyondViews(keptViews, finders, trust.isBehind);
  const history = { store: wholeSets, foldings: projections, display: rendering };
  const memory = pressure?.memory;
  const termCounts = openTermCounts(wholeSets, memory && (() => memory.openRoom('public')));
  const commands = { ...commandDependencies(stores, { siteZone }), ...derivations };
  const past = openAsOfReads({ ...history, termCounts, now: streamsNow });
  const proposals: ProposalDependencies = {
    ...commands,
    fieldsOf: (kind, state) => ownFields(fieldsOf(kind, state, rendering)),
  };
  const pastCalendars = openAsOfCalendars(
    openAsOfLog({
      ...{ ...stores, store: wholeSets, projections, ...(memory && { openRoom: memory.openRoom }) },
      present: () => presentIndex(recentChanges),
    }),
  );
  for (const cache of [pastCalendars, termCounts, answers, texts, recentChanges]) memory?.onShort(cache.empty);
  const openAhead = (name: string) =>
    openAheadReads({
      ...{ name, answers },
      calendars: openAheadCalendars({
        name,
        store,
        projections,
        ...(memory && { openRoom: () => memory.openRoom('user') }),
        openSteps: () => openAheadRun(proposals),
      }),
      queries: { siteZone, perPage, site, ...verdicts },
    });
  const ahead = openAhead('ahead');
  const setSchedule = openSetSchedule({
    scheduled: async () => (await loadAgenda(store)).scheduled,
    find: async (id) => (await loadChangeSet(store, id))?.state ?? null,
  });
  const dependencies: RouteDependencies = {
    ahead,
    commands,
    queries: { readModel: keptViews, siteZone, perPage, site, ...verdicts, texts },
    beyondViews,
    views,
    documents: documentMakers(rendering, recentChanges.recall),
    shared,
    freshnessAt: openFreshness(trust.behind),
    past: {
      find(kind, request, state, id) {
        const proposed = findProposed(shownProposals, request, kind, state, id) ?? ahead.term(kind, request, state, id);
        if (proposed) return proposed;
        return ahead.isAsked(request, state) ? null : past.find(kind, request, state, id);
      },
    },
    pastLists: openAsOfLists({
      calendars: pastCalendars,
      answers,
      siteZone,
      perPage,
      site,
      verifyPassword,
    }),
  };
  const proposing: ProposalRouteDependencies = {
    ...dependencies,
    display: rendering,
    proposals,
  };
  const shownProposals: ProposalRouteDependencies = {
    ...proposing,
    beyondViews: { ...beyondViews, unseen: beyondViews.unfailing(documentsOf(wholeSets)) },
    proposals: { ...proposals, store: wholeSets },
  };
  const ofLog = logLookups(store, beyondViews.writable, keptViews);
  const ofViews = viewLookups(keptViews, ofLog, beyondViews);
  const accounts = openAccounts({
    ...{ store, readModel: keptViews, fromLog, derivations, signOn: config.signOn, clock, elapsed, log },
  });
  const { users, authenticate, atIssuer, access } = accounts;
  const tickets = openTickets();
  const importing = {
    store,
    commandsFor: (zone: Zone) => ({ ...commands, siteZone: zone }),
    // A dry run draws no ids of the log.
    dryCommandsOn: (on: EventStore, zone: Zone) => ({
      ...commandDependencies({ ...stores, store: on }, config),
      siteZone: zone,
    }),
    ...{ display: rendering, siteZone, clock, network: config.importNetwork, newId: randomUUID },
    isShared: stores.isShared,
    untilShown: async () => void (await views.reached(await store.head(), VIEW_DEADLINE_MS)),
  };
  const imports = openImports({
    ...importing,
    report: (error) => log.error({ err: error }, 'import failed'),
    changesOf: (changed, { user, correlationId, store }) => {
      const reader = { caller: { ...user, name: user.login } };
      return changesOfRequest({ ...history, store }, changed, { correlationId, reader });
    },
  });
  const polls = openSourcePolls({
    ...{ ...importing, proposals, importers: config.importers },
    report: (error) => log.error({ err: error }, 'polling a source failed'),
  });
  const firstStart = openFirstStart({
    ...{ users, site, store, views, log },
    fillWithSample: (filling) =>
      fillWithSample(
        { ...filling, store, commandsOn: (cached) => commandDependencies({ ...stores, store: cached }, { siteZone }) },
        SAMPLE,
      ),
  });
  const watch = openSubmissionWatch(store);
  const submissions =
    config.submissions === 'on'
      ? openSubmissions({
          ...{ commands: proposals, watch, lookups: ofLog, siteZone, elapsed },
          pepper: () => stores.keys.pepper(),
        })
      : null;
  const send = openSender({ ...config, clock, ...(tracing && { tracing }) });
  const app = buildApp({
    routes: routesOver({
      ...{ proposing, reading: shownProposals, history, store, keys: stores.keys, site, authenticate },
      comparing: {
        termCounts,
        lists: openListComparison({ siteZone, perPage }, queueFull),
        earlierAhead: openAhead('earlier ahead'),
      },
      schedule: [openPostSchedule(readModel), setSchedule],
      importing: { imports, importers: config.importers },
      sources: {
        polls,
        privateHosts: config.importNetwork === 'any' ? 'any' : config.importNetwork.privateHosts,
      },
      media: {
        ...{ media: stores.media, pictures: stores.pictures, newStem: randomUUID },
        maxUpload: config.maxUpload,
      },
      webhooks: {
        ...{ send, privateHosts: config.privateHosts },
        warnings: unnamedSite(config) === null ? [] : ['links_to_localhost'],
      },
      users: { ...accounts, fromLog },
    }),
    pages: pagesOver({
      calendar: openPageCalendar({ queries: dependencies.queries, beyondViews }),
      ...{ answers, clock, siteZone, perPage, site, theme, lookups: ofViews, submissions },
      raw: config.rawHtml && {
        ...config.rawHtml,
        isByAdministrators: (id, revision) => isByAdministrators(history, id, revision),
      },
      desk: async () => {
        for (const loadRoom of DESK_ROOMS) {
          await loadRoom();
          await nextTurn();
        }
        const { deskOver } = await import('./pages/desk/desk.ts');
        return deskOver({
          access,
          firstStart,
          guests: openGuests(commands),
          unsaved: stores.unsaved,
          tickets,
          clock,
          site,
          installation: {
            parked: () => parkedIn(readModel),
            examine: () =>
              systemState({
                ...{ health, siteUrl: config.siteUrl, version: VERSION },
                lastBackup: stores.besides.lastBackup,
                viewsFile: config.readModel.engine === 'sqlite' ? config.readModel.file : null,
              }),
            facts: openStoredFacts(stores),
            auditTrail: (range, lines) => {
              const now = clock.now();
              const signer = stores.besides.signer(new Date(now * 1000).toISOString());
              const options = { layout: 'jsonl', range, signer, now, version: VERSION, onRead: () => {} } as const;
              return writeSignedTrail(
                { ...history, store, siteZone, sentences: site.language.sentences },
                options,
                lines,
                null,
              );
            },
          },
          signOnPage: config.signOn?.page ?? null,
          atIssuer,
          importers: config.importers,
        });
      },
    }),
    media: stores.media,
    shims: shimsOver({ tickets, maxUpload: config.maxUpload }),
    authenticate: tickets.admitting(authenticate),
    lookups: lookupsDespiteOutage(ofLog, ofViews),
    viewLookups: ofViews,
    clock,
    newId: ({ headers }) => tickets.requestOf(headers.authorization) ?? randomUUID(),
    siteZone,
    language: () => site.language,
    prices: () => site.prices,
    settings: { ...DEFAULT_SETTINGS, siteUrl, prefixAliases, requestsPerMinute, cacheSeconds, trustForwarded },
    elapsed,
    gateway: defaultGateway(),
    ...(pressure && { pressure }),
    ...(accessLog && { accessLog }),
    ...(tracing && { tracing }),
    log,
    ...(observer && { observer }),
    ...(schedule && { schedule }),
    shared,
  });
  app.addHook('preClose', async () => {
    await polls.close();
    await imports.close();
  });
  const feed = openWebhookFeed({
    ...{ changes: history, views, app, tickets, site: siteAddress(config), prefix: DEFAULT_SETTINGS.prefix },
    ...{ newId: randomUUID, sentences: () => site.language.sentences },
  });
  return {
    ...{
      app,
      lists: shared.lists,
      reads: shared.reads,
      proposals: proposing.proposals,
      webhooks: { feed, send },
      polls,
    },
    submissions: submissions && { watch, compose: (drawn) => submissionMail(drawn, site) },
  };
}
