// All routes of the API, in the order of its index.
import type { FastifyPluginAsync } from 'fastify';
import type { SubjectKeys } from '../../event-store/encryption/subject-keys.ts';
import type { EventStore } from '../../event-store/event-store.ts';
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
    api.register(eventRoutes, proposing);
    api.register(whyRoutes, proposing);
    api.register(compareRoutes, {
      ...{ ...history, ...parts.comparing, perPage, ahead, pastLists },
      proposed: (request, target, proposal) => proposedState(reading, request, target, proposal),
    });
    api.register(seriesRoutes, { ...proposing, told: history });
    api.register(venueRoutes, proposing);
    api.register(organizerRoutes, proposing);
    api.register(categoryRoutes, proposing);
    api.register(tagRoutes, proposing);
    api.register(historyRoutes, { ...history, perPage });
    api.register(fieldsRoutes, history);
    api.register(changesRoutes, { ...history, authenticate: parts.authenticate });
    api.register(scheduleRoutes, { ...proposing, store, sources: parts.schedule });
    api.register(mergeRoutes, proposing);
    api.register(revertRoutes, proposing);
    api.register(requestRevertRoutes, proposing);
    api.register(importRoutes, { ...parts.importing, commands, perPage });
    api.register(sourceRoutes, { ...parts.sources, importers: parts.importing.importers, commands, keys });
    api.register(proposalRoutes, { ...proposing, reading });
    api.register(changeSetRoutes, { ...proposing, shown });
    api.register(policyRoutes, { ...history, commands, perPage });
    api.register(settingsRoutes, { ...history, commands, perPage, site: parts.site });
    api.register(mediaRoutes, { ...proposing, ...parts.media, store, keys, site: parts.site });
    api.register(webhookRoutes, { ...proposing, ...parts.webhooks, changes: history, keys });
    api.register(feedRoutes, proposing);
    api.register(tableRoutes, { ...proposing, store: shown });
    api.register(userRoutes, { ...proposing, ...parts.users, store, siteZone });
  };
