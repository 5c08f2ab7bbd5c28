// All routes of the API, in the order of its index.
import type { FastifyPluginAsync, FastifyPluginOptions } from 'fastify';
import fp from 'fastify-plugin';
import type { EventStore } from '../../event-store/event-store.ts';
import type { SubjectKeys } from '../../facts/personal-data/subject-keys.ts';
import type { HistoryDependencies } from '../../queries/history/history.ts';
import { type ChangeSetRouteDependencies, changeSetRoutes } from './change-set-routes.ts';
import { type ChangesRouteDependencies, changesRoutes } from './changes-routes.ts';
import { type CompareDependencies, compareRoutes } from './compare-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { feedRoutes } from './feed-routes.ts';
import { fieldsRoutes } from './fields-routes.ts';
import { historyRoutes } from './history-routes.ts';
import { type ImportRouteDependencies, importRoutes } from './import-routes.ts';
import { organizerRoutes, venueRoutes } from './linked-post-routes.ts';
import { type MediaRouteDependencies, mediaRoutes } from './media-routes.ts';
import { mergeRoutes } from './merge-routes.ts';
import { policyRoutes } from './policy-routes.ts';
import type { ProposalRouteDependencies } from './proposal-answers.ts';
import { proposalRoutes, proposedState } from './proposal-routes.ts';
import { requestRevertRoutes } from './request-revert-routes.ts';
import { revertRoutes } from './revert-routes.ts';
import { type ScheduleRouteDependencies, scheduleRoutes } from './schedule-routes.ts';
import { seriesRoutes } from './series-routes.ts';
import { type SettingsRouteDependencies, settingsRoutes } from './settings-routes.ts';
import { type SourceRouteDependencies, sourceRoutes } from './source-routes.ts';
import { tableRoutes } from './table-routes.ts';
import { categoryRoutes, tagRoutes } from './term-routes.ts';
import type { UserRouteDependencies } from './user-answers.ts';
import { userRoutes } from './user-routes.ts';
import { type WebhookRouteDependencies, webhookRoutes } from './webhook-routes.ts';
import { whyRoutes } from './why-routes.ts';

export interface ApiDependencies {
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
    const shown: ChangeSetRouteDependencies['shown'] = history.store;
    /** They add nothing but routes: a scope of their own for each costs a twentieth of a start. Those that add parsers have one. */
    const add = <Options extends FastifyPluginOptions>(routes: FastifyPluginAsync<Options>, options: Options) =>
      api.register(fp(routes, { name: routes.name || 'routes' }), options);
    add(eventRoutes, proposing);
    add(whyRoutes, proposing);
    add(compareRoutes, {
      ...{ ...history, ...parts.comparing, perPage, ahead, pastLists },
      proposed: (request, target, proposal) => proposedState(reading, request, target, proposal),
    });
    add(seriesRoutes, { ...proposing, told: history });
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
    add(changeSetRoutes, { ...proposing, shown });
    add(policyRoutes, { ...history, commands, perPage });
    add(settingsRoutes, { ...history, commands, perPage, site: parts.site });
    api.register(mediaRoutes, { ...proposing, ...parts.media, store, keys, site: parts.site });
    add(webhookRoutes, { ...proposing, ...parts.webhooks, changes: history, keys });
    add(feedRoutes, proposing);
    add(tableRoutes, { ...proposing, store: shown });
    api.register(userRoutes, { ...proposing, ...parts.users, store, siteZone });
  };
