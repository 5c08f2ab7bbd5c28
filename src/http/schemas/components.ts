// The named schemas of the document, in its order.
import type { Static, TProperties, TSchema } from 'typebox';
import { index, openApi, routeDescription } from './catalogue.ts';
import { changeSet } from './change-set.ts';
import { costDetails, dateDetails, image, imageSize } from './details.ts';
import { event, recurrenceShown } from './event.ts';
import { actor, change, changeEntry, revisionEntry } from './history.ts';
import { importColumn, importFault, importJob, importRow } from './import.ts';
import { eventJsonLd, organizerJsonLd, venueJsonLd } from './json-ld.ts';
import { organizer, venue } from './linked-post.ts';
import { duplicate, merge } from './merge.ts';
import { picture } from './picture.ts';
import { proposal, proposalComment, proposalConflict, proposalTarget } from './proposal.ts';
import { requestReverted, revertedResource } from './request-revert.ts';
import { kindRules, reviewPolicy } from './review-policy.ts';
import { scheduledItem } from './schedule.ts';
import { series, triedOnDates } from './series.ts';
import { settings } from './settings.ts';
import { source, sourcePoll } from './source.ts';
import { embeddedTerm, eventTerm, term } from './term.ts';
import { credential, user } from './user.ts';
import { webhook, webhookDelivery } from './webhook.ts';

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
