// The named schemas of the document, in its order.
import type { Static, TProperties, TSchema } from 'typebox';
import { costDetails, dateDetails, image, imageSize } from '../../calendar/event/http/details-schema.ts';
import { event, recurrenceShown } from '../../calendar/event/http/event-schema.ts';
import { eventJsonLd, organizerJsonLd, venueJsonLd } from '../../calendar/event/http/json-ld-schema.ts';
import { organizer, venue } from '../../calendar/linked-post/http/linked-post-schema.ts';
import { picture } from '../../calendar/picture/http/picture-schema.ts';
import { settings } from '../../calendar/site/http/settings-schema.ts';
import { embeddedTerm, eventTerm, term } from '../../calendar/term/http/term-schema.ts';
import { changeSet } from '../../editorial/change-sets/http/change-set-schema.ts';
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
import { index, openApi, routeDescription } from './catalogue.ts';

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
