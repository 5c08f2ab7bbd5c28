// The named schemas of the document, in its order.
import { costDetails, dateDetails, image, imageSize } from '../../calendar/event/http/details-schema.ts';
import { event, recurrenceShown } from '../../calendar/event/http/event-schema.ts';
import { eventJsonLd, organizerJsonLd, venueJsonLd } from '../../calendar/event/http/json-ld-schema.ts';
import { organizer, venue } from '../../calendar/linked-post/http/linked-post-schema.ts';
import { picture } from '../../calendar/picture/http/picture-schema.ts';
import { settings } from '../../calendar/site/http/settings-schema.ts';
import { embeddedTerm, eventTerm, term } from '../../calendar/term/http/term-schema.ts';
import { changeSet } from '../../editorial/change-sets/http/change-set-schema.ts';
import { guestLink } from '../../editorial/guest-links/http/guest-link-schema.ts';
import { actor, change, changeEntry, revisionEntry } from '../../editorial/history/http/history-schema.ts';
import { duplicate, merge } from '../../editorial/merges/http/merge-schema.ts';
import {
  proposal,
  proposalComment,
  proposalConflict,
  proposalTarget,
} from '../../editorial/proposals/http/proposal-schema.ts';
import { requestReverted, revertedResource } from '../../editorial/reverts/http/request-revert-schema.ts';
import { kindRules, reviewPolicy } from '../../editorial/review-rules/http/review-policy-schema.ts';
import { scheduledItem } from '../../editorial/schedule/http/schedule-schema.ts';
import { series, triedOnDates } from '../../editorial/series/http/series-schema.ts';
import { importColumn, importFault, importJob, importRow } from '../../exchange/import/http/import-schema.ts';
import { source, sourcePoll } from '../../exchange/sources/http/source-schema.ts';
import { webhook, webhookDelivery } from '../../exchange/webhooks/http/webhook-schema.ts';
import { credential, user } from '../../people/users/http/user-schema.ts';
import { address, anything, eitherOf, emptyList, flag, listOf, mapOf, object, text } from './members.ts';
import { optional } from './primitives.ts';
import Type, { type Static, type TProperties, type TSchema } from './type.ts';

// The schemas of the index and of this document.

const link = object('link', { href: address('link.href') });

const argument = object('route.arg', {
  required: flag('route.arg_required'),
  ...optional({
    default: anything('route.arg_default'),
    type: text('route.arg_type'),
    format: text('route.arg_format'),
    items: anything('route.arg_items'),
    description: text('route.arg_description'),
  }),
});

const routeDescription = object('route', {
  namespace: text('index.namespace_name'),
  methods: listOf(text('route.one_method'), 'route.methods'),
  endpoints: listOf(
    object('route.endpoint', {
      methods: listOf(text('route.one_method'), 'route.endpoint_methods'),
      args: eitherOf('route.args', [mapOf(argument, 'route.args_by_name'), emptyList('route.no_args')]),
    }),
    'route.endpoints',
  ),
  ...optional({ _links: object('index.links', { self: listOf(link, 'route.self') }) }),
});

const index = object('index', {
  namespace: text('index.namespace_name'),
  routes: mapOf(Type.Ref('RouteDescription'), 'index.routes'),
  _links: object('index.links', { up: listOf(link, 'index.site') }),
});

const openApi = object('openapi', {
  openapi: text('openapi.openapi'),
  info: mapOf(anything('openapi.any_value'), 'openapi.info'),
  components: mapOf(anything('openapi.any_value'), 'openapi.components'),
  servers: listOf(mapOf(anything('openapi.any_value'), 'openapi.server'), 'openapi.servers'),
  paths: mapOf(anything('openapi.any_value'), 'openapi.paths'),
  tags: listOf(mapOf(anything('openapi.any_value'), 'openapi.tag'), 'openapi.tags'),
});

export const ANSWER_COMPONENTS = {
  ImageSize: imageSize,
  CostDetails: costDetails,
  Term: term,
  Image: image,
  DateDetails: dateDetails,
  Event: event,
  Venue: venue,
  Organizer: organizer,
  Recurrence: recurrenceShown,
  Series: series,
  TriedOnDates: triedOnDates,
  EventTerm: eventTerm,
  EmbeddedTerm: embeddedTerm,
  EventJsonLd: eventJsonLd,
  VenueJsonLd: venueJsonLd,
  OrganizerJsonLd: organizerJsonLd,
  Actor: actor,
  FieldChange: change,
  Revision: revisionEntry,
  ChangeEntry: changeEntry,
  ProposalTarget: proposalTarget,
  ProposalComment: proposalComment,
  ProposalConflict: proposalConflict,
  Proposal: proposal,
  Merge: merge,
  Duplicate: duplicate,
  Picture: picture,
  ChangeSet: changeSet,
  ReviewRules: kindRules,
  ReviewPolicy: reviewPolicy,
  Settings: settings,
  Scheduled: scheduledItem,
  RevertedResource: revertedResource,
  RequestReverted: requestReverted,
  ImportRow: importRow,
  ImportFault: importFault,
  ImportColumn: importColumn,
  Import: importJob,
  User: user,
  Credential: credential,
  GuestLink: guestLink,
  Source: source,
  SourcePoll: sourcePoll,
  Webhook: webhook,
  WebhookDelivery: webhookDelivery,
  Index: index,
  RouteDescription: routeDescription,
  OpenApi: openApi,
} satisfies TProperties;

type Components = typeof ANSWER_COMPONENTS;

/** What the API answers, by its schema. */
export type AnswerOf<Schema extends TSchema> = Static<Schema, Components>;

/** What the API answers, by the name of its schema in the document. */
export type Answer<Name extends keyof Components> = AnswerOf<Components[Name]>;

/** One page of a list, under the name of its collection. */
export type PageOf<Collection extends string, One> = { readonly [Name in Collection]: readonly One[] } & {
  readonly total: number;
  readonly total_pages: number;
};
