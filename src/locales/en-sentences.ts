// What happened, in plain English: one sentence for every sort of fact. Other languages have tables like this.
import type { Sentence, Sentences } from './sentences.ts';

/** `{credential}` and `{label}` are the number of a credential and what it was issued for. */
const USER_SENTENCES: { readonly [type: string]: Sentence } = {
  UserAdded: 'Added as “{login}” with the role {role}.',
  UserIdentityBound: 'Bound to the subject {fact.subject} of the issuer {fact.issuer}.',
  UserCredentialIssued: 'Token {credential} issued: {label}.',
  UserCredentialRevoked: 'Token {credential} revoked: {label}.',
  UserRoleChanged: 'Role changed from {before.role} to {role}.',
  UserRenamed: 'Renamed from “{before.name}” to “{name}”.',
  UserEmailChanged: { by: 'email', some: 'E-mail address set to {email}.', none: 'E-mail address removed.' },
  UserRemoved: 'Removed.',
  UserErased: 'Personal data erased.',
};

const PASSWORD_SET = { by: 'before.password', some: 'Password changed.', none: 'Password set.' };
const PASSWORD_REMOVED = 'Password removed.';
const PUBLISHED = 'Published.';
const SCHEDULED = 'Scheduled to be published on {date}.';
const DRAFT = 'Returned to draft.';
const PENDING = 'Submitted for review.';
const PRIVATE = 'Made private.';
const TRASHED = 'Moved to the trash.';
const RESTORED = 'Restored from the trash as {status}.';
const SLUG = { by: 'before.slug', some: 'Slug changed from {before.slug} to {slug}.', none: 'Slug set to {slug}.' };
const DATED = 'Publication date set to {date}.';
const REASSIGNED = 'Given to the author {author}.';
const DESCRIBED = { by: 'description', some: 'Description changed.', none: 'Description removed.' };
const IMAGE = { by: 'image', some: 'Image changed.', none: 'Image removed.' };
const MAP_DISPLAY = 'Display of the map changed.';
const UNDATED = 'Publication date left open.';
const REVERTED = 'Reverted to revision {fact.toRevision}.';
const TERM_CREATED = 'Created as “{name}”.';
const TERM_RENAMED = 'Renamed from “{before.name}” to “{name}”.';
const TERM_MOVED = { by: 'parent', some: 'Moved below the term {parent}.', none: 'Moved to the top level.' };
const TERM_DELETED = 'Deleted.';
const TERM_RESTORED = 'Restored after it had been deleted.';

export const ENGLISH: Sentences = {
  separator: ', ',
  users: USER_SENTENCES,
  facts: {
    EventDrafted: 'Created as “{title}”.',
    EventRetitled: 'Renamed from “{before.title}” to “{title}”.',
    EventDescribed: 'Description or excerpt changed.',
    EventRescheduled:
      'Rescheduled from {before.start_date} – {before.end_date} to {start_date} – {end_date} ({timezone}).',
    EventAdjustedToZoneRules:
      'Adjusted to the time zone rules {fact.rules}: from {before.start_date} – {before.end_date} ({before.utc_start_date} – {before.utc_end_date} UTC) to {start_date} – {end_date} ({utc_start_date} – {utc_end_date} UTC, {timezone}).',
    EventPriced: { by: 'cost', some: 'Cost set to {cost}.', none: 'Cost removed.' },
    EventWebsiteChanged: { by: 'website', some: 'Website set to {website}.', none: 'Website removed.' },
    EventImageChanged: IMAGE,
    EventMapDisplayChanged: MAP_DISPLAY,
    EventHiddenFromListings: 'Hidden from listings.',
    EventShownInListings: 'Shown in listings.',
    EventMadeSticky: 'Pinned in the calendar.',
    EventUnstuck: 'No longer pinned in the calendar.',
    EventFeatured: 'Featured.',
    EventUnfeatured: 'No longer featured.',
    EventExtended: 'Details taken over from another calendar changed.',
    EventTicketed: 'Marked as having tickets.',
    EventUnticketed: 'No longer marked as having tickets.',
    EventCategorized: { by: 'categories', some: 'Categories set to {categories}.', none: 'Categories removed.' },
    EventTagged: { by: 'tags', some: 'Tags set to {tags}.', none: 'Tags removed.' },
    EventMoved: { by: 'venue', some: 'Moved to {venue}.', none: 'Venue removed.' },
    EventOrganizersChanged: { by: 'organizer', some: 'Organizers set to {organizer}.', none: 'Organizers removed.' },
    EventPlacedUnder: {
      by: 'post_parent',
      some: 'Made a part of the event {post_parent}.',
      none: 'No longer a part of another event.',
    },
    EventPublished: PUBLISHED,
    EventPublicationScheduled: SCHEDULED,
    EventReturnedToDraft: DRAFT,
    EventSubmittedForReview: PENDING,
    EventMadePrivate: PRIVATE,
    EventTrashed: TRASHED,
    EventRestored: RESTORED,
    EventSlugChanged: SLUG,
    EventDated: DATED,
    EventReassigned: REASSIGNED,
    EventPasswordSet: PASSWORD_SET,
    EventPasswordRemoved: PASSWORD_REMOVED,
    EventUndated: UNDATED,
    EventReverted: REVERTED,

    VenueDrafted: 'Created as “{venue}”.',
    VenueRenamed: 'Renamed from “{before.venue}” to “{venue}”.',
    VenueDescribed: DESCRIBED,
    VenueRelocated: 'Address changed.',
    VenuePinned: { by: 'geo_lat', some: 'Placed on the map at {geo_lat}, {geo_lng}.', none: 'Taken off the map.' },
    VenueContactChanged: 'Telephone number or website changed.',
    VenueImageChanged: IMAGE,
    VenueMapDisplayChanged: MAP_DISPLAY,
    VenuePublished: PUBLISHED,
    VenuePublicationScheduled: SCHEDULED,
    VenueReturnedToDraft: DRAFT,
    VenueSubmittedForReview: PENDING,
    VenueMadePrivate: PRIVATE,
    VenueTrashed: TRASHED,
    VenueRestored: RESTORED,
    VenueSlugChanged: SLUG,
    VenueDated: DATED,
    VenueReassigned: REASSIGNED,
    VenuePasswordSet: PASSWORD_SET,
    VenuePasswordRemoved: PASSWORD_REMOVED,
    VenueUndated: UNDATED,
    VenueReverted: REVERTED,

    OrganizerDrafted: 'Created as “{organizer}”.',
    OrganizerRenamed: 'Renamed from “{before.organizer}” to “{organizer}”.',
    OrganizerDescribed: DESCRIBED,
    OrganizerContactChanged: 'Telephone number, website or e-mail address changed.',
    OrganizerImageChanged: IMAGE,
    OrganizerPublished: PUBLISHED,
    OrganizerPublicationScheduled: SCHEDULED,
    OrganizerReturnedToDraft: DRAFT,
    OrganizerSubmittedForReview: PENDING,
    OrganizerMadePrivate: PRIVATE,
    OrganizerTrashed: TRASHED,
    OrganizerRestored: RESTORED,
    OrganizerSlugChanged: SLUG,
    OrganizerDated: DATED,
    OrganizerReassigned: REASSIGNED,
    OrganizerPasswordSet: PASSWORD_SET,
    OrganizerPasswordRemoved: PASSWORD_REMOVED,
    OrganizerUndated: UNDATED,
    OrganizerReverted: REVERTED,
    OrganizerErased: 'Personal data erased.',

    CategoryCreated: TERM_CREATED,
    CategoryRenamed: TERM_RENAMED,
    CategorySlugChanged: SLUG,
    CategoryDescribed: DESCRIBED,
    CategoryMoved: TERM_MOVED,
    CategoryDeleted: TERM_DELETED,
    CategoryRestored: TERM_RESTORED,
    CategoryReverted: REVERTED,

    TagCreated: TERM_CREATED,
    TagRenamed: TERM_RENAMED,
    TagSlugChanged: SLUG,
    TagDescribed: DESCRIBED,
    TagMoved: TERM_MOVED,
    TagDeleted: TERM_DELETED,
    TagRestored: TERM_RESTORED,
    TagReverted: REVERTED,
  },
  unknown: 'Changed in a way that this version does not know ({type}).',
  erased: 'What was said here has been erased.',
};
