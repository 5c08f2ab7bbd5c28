// All routes of the API, in the order of its index.
import type { FastifyPluginAsync, FastifyPluginOptions } from 'fastify';
import fp from 'fastify-plugin';
import { eventRoutes } from '../../calendar/event/http/event-routes.ts';
import { organizerRoutes, venueRoutes } from '../../calendar/linked-post/http/linked-post-routes.ts';
import { type MediaRouteDependencies, mediaRoutes } from '../../calendar/picture/http/media-routes.ts';
import { fieldsRoutes } from '../../calendar/resource/http/fields-routes.ts';
import { tableRoutes } from '../../calendar/resource/http/table-routes.ts';
import { type SettingsRouteDependencies, settingsRoutes } from '../../calendar/site/http/settings-routes.ts';
import { categoryRoutes, tagRoutes } from '../../calendar/term/http/term-routes.ts';
import { type ChangesRouteDependencies, changesRoutes } from '../../editorial/audit/http/changes-routes.ts';
import {
  type ChangeSetRouteDependencies,
  changeSetRoutes,
} from '../../editorial/change-sets/http/change-set-routes.ts';
import { type CompareDependencies, compareRoutes } from '../../editorial/compare/http/compare-routes.ts';
import { guestLinkRoutes } from '../../editorial/guest-links/http/guest-link-routes.ts';
import { historyRoutes } from '../../editorial/history/http/history-routes.ts';
import type { HistoryDependencies } from '../../editorial/history/queries/history.ts';
import { mergeRoutes } from '../../editorial/merges/http/merge-routes.ts';
import type { ProposalRouteDependencies } from '../../editorial/proposals/http/proposal-answers.ts';
import { proposalRoutes, proposedState } from '../../editorial/proposals/http/proposal-routes.ts';
import { requestRevertRoutes } from '../../editorial/reverts/http/request-revert-routes.ts';
import { revertRoutes } from '../../editorial/reverts/http/revert-routes.ts';
import { policyRoutes } from '../../editorial/review-rules/http/policy-routes.ts';
import { type ScheduleRouteDependencies, scheduleRoutes } from '../../editorial/schedule/http/schedule-routes.ts';
import { seriesRoutes } from '../../editorial/series/http/series-routes.ts';
import { whyRoutes } from '../../editorial/why/http/why-routes.ts';
import { feedRoutes } from '../../exchange/feeds/http/feed-routes.ts';
import { type ImportRouteDependencies, importRoutes } from '../../exchange/import/http/import-routes.ts';
import { type SourceRouteDependencies, sourceRoutes } from '../../exchange/sources/http/source-routes.ts';
import { type WebhookRouteDependencies, webhookRoutes } from '../../exchange/webhooks/http/webhook-routes.ts';
import type { EventStore } from '../../log/event-store.ts';
import type { SubjectKeys } from '../../people/personal-data/facts/subject-keys.ts';
import { type UserRouteDependencies, userRoutes } from '../../people/users/http/user-routes.ts';

interface ApiDependencies {
  /** For writes, and for what is shown of them: about the log itself. */
  readonly proposing: ProposalRouteDependencies;
  /** For reads: sets of changes are shown as a whole. */
  readonly reading: ProposalRouteDependencies;
  readonly history: HistoryDependencies & { readonly store: EventStore };
  readonly store: EventStore;
  readonly keys: Pick<SubjectKeys, 'destroy'>;
  readonly comparing: Pick<CompareDependencies, 'termCounts' | 'lists' | 'earlierAhead'>;
  readonly schedule: ScheduleRouteDependencies['sources'];
  readonly importing: Pick<ImportRouteDependencies, 'imports' | 'importers'>;
  readonly sources: Pick<SourceRouteDependencies, 'polls' | 'privateHosts'>;
  readonly site: SettingsRouteDependencies['site'];
  readonly media: Pick<MediaRouteDependencies, 'media' | 'pictures' | 'newStem' | 'maxUpload'>;
  readonly webhooks: Pick<WebhookRouteDependencies, 'send' | 'privateHosts' | 'warnings'>;
  readonly users: Pick<UserRouteDependencies, 'users' | 'directory' | 'access' | 'fromLog'>;
  readonly authenticate: ChangesRouteDependencies['authenticate'];
}

/** A plugin of them. */
export const routesOver =
  ({ proposing, reading, history, store, keys, ...parts }: ApiDependencies): FastifyPluginAsync =>
  async (api) => {
    const { commands, queries, ahead, pastLists } = proposing;
    const { perPage, siteZone } = queries;
    const wholeLog: ChangeSetRouteDependencies['wholeLog'] = history.store;
    /** They add nothing but routes: a scope of their own for each costs a twentieth of a start. Those that add parsers have one. */
    const add = <Options extends FastifyPluginOptions>(routes: FastifyPluginAsync<Options>, options: Options) =>
      api.register(fp(routes, { name: routes.name || 'routes' }), options);
    add(eventRoutes, proposing);
    add(whyRoutes, proposing);
    add(compareRoutes, {
      ...history,
      ...parts.comparing,
      perPage,
      ahead,
      pastLists,
      proposed: (request, target, proposal) => proposedState(reading, request, target, proposal),
    });
    add(seriesRoutes, { ...proposing, history });
    add(venueRoutes, proposing);
    add(organizerRoutes, proposing);
    add(categoryRoutes, proposing);
    add(tagRoutes, proposing);
    add(historyRoutes, { ...history, perPage });
    add(fieldsRoutes, history);
    add(changesRoutes, { ...history, authenticate: parts.authenticate });
    add(scheduleRoutes, { ...proposing, store, sources: parts.schedule });
    add(mergeRoutes, proposing);
    add(revertRoutes, proposing);
    add(requestRevertRoutes, proposing);
    api.register(importRoutes, { ...parts.importing, commands, perPage });
    add(sourceRoutes, { ...parts.sources, importers: parts.importing.importers, commands, keys });
    add(proposalRoutes, { ...proposing, reading });
    add(changeSetRoutes, { ...proposing, wholeLog });
    add(guestLinkRoutes, proposing);
    add(policyRoutes, { ...history, commands, perPage });
    add(settingsRoutes, { ...history, commands, perPage, site: parts.site });
    api.register(mediaRoutes, { ...proposing, ...parts.media, store, keys, site: parts.site });
    add(webhookRoutes, { ...proposing, ...parts.webhooks, changes: history, keys });
    add(feedRoutes, proposing);
    add(tableRoutes, { ...proposing, store: wholeLog });
    api.register(userRoutes, { ...proposing, ...parts.users, store, siteZone });
  };
