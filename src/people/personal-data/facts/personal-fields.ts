// Which fields of which facts are personal data. Everything else is stored unencrypted.

import type { OrganizerFact } from '../../../calendar/linked-post/domain/organizer.ts';
import type { PictureFact } from '../../../calendar/picture/domain/picture.ts';
import type { ChangeSetFact } from '../../../editorial/change-sets/domain/change-set.ts';
import type { GuestLinkFact } from '../../../editorial/guest-links/domain/guest-link.ts';
import type { ProposalFact } from '../../../editorial/proposals/domain/proposal.ts';
import type { SourceFact } from '../../../exchange/sources/domain/source.ts';
import { SUBMITTED_FIELDS, type SubmissionFact } from '../../../exchange/submissions/domain/submission.ts';
import type { WebhookFact } from '../../../exchange/webhooks/domain/webhook.ts';
import type { Json, NewEvent } from '../../../log/envelope.ts';
import type { UserFact } from '../../users/domain/user.ts';
import type { Subject } from './subject-keys.ts';

/** Every type of fact is listed, also those without personal data: adding one requires a decision. */
type FieldsOf<Type extends string> = { readonly [type in Type]: readonly string[] };

const ORGANIZER: FieldsOf<OrganizerFact['type']> = {
  OrganizerDrafted: ['name', 'slug', 'phone', 'website', 'email'],
  OrganizerRenamed: ['name'],
  OrganizerContactChanged: ['phone', 'website', 'email'],
  OrganizerSlugChanged: ['slug'],
  OrganizerTrashed: ['slug'],
  OrganizerRestored: ['slug'],
  OrganizerDescribed: [],
  OrganizerImageChanged: [],
  OrganizerPublished: [],
  OrganizerPublicationScheduled: [],
  OrganizerReturnedToDraft: [],
  OrganizerSubmittedForReview: [],
  OrganizerMadePrivate: [],
  OrganizerDated: [],
  OrganizerReassigned: [],
  OrganizerPasswordSet: [],
  OrganizerPasswordRemoved: [],
  OrganizerUndated: [],
  OrganizerReverted: [],
  OrganizerMerged: [],
  OrganizerAbsorbed: [],
  OrganizerErased: [],
};

const USER: FieldsOf<UserFact['type']> = {
  UserAdded: ['login', 'name', 'email'],
  UserRenamed: ['name'],
  UserEmailChanged: ['email'],
  // The label of a credential is free text and may name a person.
  UserCredentialIssued: ['credential.label'],
  UserCredentialRevoked: [],
  // The issuer's id of the person; often an e-mail address.
  UserIdentityBound: ['subject'],
  UserRoleChanged: [],
  UserPasswordSet: [],
  UserResetLinkIssued: [],
  UserSessionStarted: [],
  UserSessionEnded: [],
  // Words that were searched for may name a person.
  UserSearchSaved: ['name', 'query'],
  UserSearchRemoved: ['name'],
  UserRemoved: [],
  UserErased: [],
};

/** What an organizer is proposed to be, by the names of the command's input and of the facts that it decides to. */
const OF_A_WISH: readonly string[] = [
  ...['name', 'slug', 'phone', 'website', 'email'].map((member) => `wish.${member}`),
  ...Object.entries(ORGANIZER).flatMap(([type, fields]) => fields.map((field) => `facts.${type}.${field}`)),
];

/** The texts of a review: they are their author's, and may tell of the organizer that they are about. */
const TEXTS: FieldsOf<ProposalFact['type']> = {
  ProposalOpened: ['note'],
  ProposalRevised: ['text'],
  ProposalCommented: ['text'],
  ProposalChangesRequested: ['text'],
  ProposalApprovalGiven: ['text'],
  ProposalApproved: ['text'],
  ProposalApprovedForSet: ['text'],
  ProposalRejected: ['text'],
  ProposalWithdrawn: ['text'],
  ProposalSetBack: [],
  ProposalApplied: [],
  ProposalCollected: [],
  ProposalReleased: [],
};

/** What is said about a set, and in its review, is its writer's. */
const SET: FieldsOf<ChangeSetFact['type']> = {
  ChangeSetOpened: ['description'],
  ChangeSetDescribed: ['description'],
  ChangeSetCollected: [],
  ChangeSetCommented: ['text'],
  ChangeSetChangesRequested: ['text'],
  ChangeSetApproved: ['text'],
  ChangeSetScheduled: [],
  ChangeSetUnscheduled: [],
  ChangeSetFailed: [],
  ChangeSetWithdrawn: [],
  ChangeSetApplied: [],
};

/** What is said about a picture may name who is on it. Its removal is its erasure. */
const PICTURE: FieldsOf<PictureFact['type']> = {
  PictureUploaded: ['title', 'alt', 'credit'],
  PictureDescribed: ['title', 'alt', 'credit'],
  PictureFocused: [],
  PictureRemoved: [],
};

/** Not of a person, but as secret: what signs, and addresses, which often contain a password. Removal is erasure. */
const WEBHOOK: FieldsOf<WebhookFact['type']> = {
  WebhookCreated: ['name', 'url', 'secret', 'filters.reason'],
  WebhookChanged: ['name', 'url', 'filters.reason'],
  WebhookSecretRotated: ['secret'],
  WebhookPaused: [],
  WebhookResumed: [],
  WebhookRemoved: [],
};

/** Nothing is confirmed yet: all that was typed may be about people, and is gone with the key. */
const SUBMISSION: FieldsOf<SubmissionFact['type']> = {
  SubmissionReceived: ['name', 'email', ...SUBMITTED_FIELDS.map((field) => `form.${field}`)],
  SubmissionLinkDrawn: [],
  SubmissionMailed: [],
  SubmissionConfirmed: [],
  SubmissionWithdrawn: [],
  SubmissionExpired: [],
  SubmissionErased: [],
};

/** As secret as the addresses of webhooks. */
const SOURCE: FieldsOf<SourceFact['type']> = {
  SourceAdded: ['name', 'address'],
  SourceChanged: ['name', 'address'],
  SourcePaused: [],
  SourceResumed: [],
  SourcePollBegun: [],
  SourcePolled: ['notes'],
  SourcePollFailed: ['detail', 'notes'],
  SourceRemoved: [],
};

/** A guest has no account: what is about them, and what they say, is under the key of their link. */
const GUEST: FieldsOf<GuestLinkFact['type']> = {
  GuestLinkMade: ['name'],
  GuestLinkRevoked: [],
  GuestCommented: ['text'],
  GuestApproved: ['text'],
  GuestErased: [],
};

const PROPOSAL: FieldsOf<ProposalFact['type']> = {
  ...TEXTS,
  ProposalOpened: [...TEXTS.ProposalOpened, ...OF_A_WISH],
  ProposalRevised: [...TEXTS.ProposalRevised, ...OF_A_WISH],
};

interface Rule {
  readonly prefix: string;
  readonly fields: readonly string[];
  readonly subjectIn: (event: Placed) => Subject | null;
}

const rules = (
  prefix: string,
  fields: { readonly [type: string]: readonly string[] },
  subjectIn: Rule['subjectIn'] = ({ stream }) => stream,
): [string, Rule][] =>
  Object.entries(fields).flatMap(([type, own]) =>
    own.length === 0 ? [] : [[type, { prefix, fields: own, subjectIn }]],
  );

/** The subject that an event names. */
const named =
  (member: string): Rule['subjectIn'] =>
  ({ data }) => {
    const subject = isObject(data) ? data[member] : undefined;
    return typeof subject === 'string' ? subject : null;
  };

/** The user who wrote a text; the system is none. */
const writerIn: Rule['subjectIn'] = ({ data }) => {
  const id = isObject(data) ? (data.by ?? data.author) : undefined;
  return typeof id === 'number' && id > 0 ? `user-${id}` : null;
};

const RULES: ReadonlyMap<string, readonly Rule[]> = byType([
  ...rules('organizer-', ORGANIZER),
  ...rules('user-', USER),
  ...rules('proposal-', TEXTS, writerIn),
  ...rules('proposal-', PROPOSAL, named('subject')),
  ...rules('set-', SET, writerIn),
  ...rules('picture-', PICTURE),
  ...rules('webhook-', WEBHOOK),
  ...rules('submission-', SUBMISSION),
  ...rules('source-', SOURCE),
  ...rules('guest-', GUEST),
  // Reservations of names; those of venues name no people.
  ...rules('name-organizer-', { NameTaken: ['name'] }, named('owner')),
]);

function byType(all: readonly (readonly [string, Rule])[]): Map<string, Rule[]> {
  const table = new Map<string, Rule[]>();
  for (const [type, rule] of all) table.set(type, [...(table.get(type) ?? []), rule]);
  return table;
}

/** Prefixes of all streams that contain personal data. */
export const PERSONAL_PREFIXES: readonly string[] = [
  ...new Set([...RULES.values()].flat().map(({ prefix }) => prefix)),
];

/** Facts after which no personal data of their stream is shown, whether its key exists or not. */
export const ERASING: ReadonlySet<string> = new Set([
  'OrganizerErased',
  'UserErased',
  'PictureRemoved',
  'WebhookRemoved',
  ...['SubmissionWithdrawn', 'SubmissionExpired', 'SubmissionErased'],
  'SourceRemoved',
  'GuestErased',
]);

/** The personal data in an event, by the table above; `fields` are paths (`credential.label`). */
export interface Personal {
  readonly subject: Subject;
  readonly fields: readonly string[];
}

type Placed = Pick<NewEvent, 'type' | 'data'> & { readonly stream: string };

const NONE: readonly Personal[] = [];

/**
 * Empty for the many events without personal data. A field of two subjects is encrypted under the key of each, in this
 * order, so that it is unreadable without either.
 */
export function personalIn(event: Placed): readonly Personal[] {
  const rulesOfType = RULES.get(event.type);
  if (rulesOfType === undefined) return NONE;
  return rulesOfType.flatMap(({ prefix, fields, subjectIn }) => {
    const subject = event.stream.startsWith(prefix) ? subjectIn(event) : null;
    return subject === null ? [] : [{ subject, fields }];
  });
}

/** Data with other values in some fields; absent fields stay absent. */
export function withFields(data: Json, paths: readonly string[], change: (value: Json, path: string) => Json): Json {
  return paths.reduce((changed, path) => withField(changed, path.split('.'), (value) => change(value, path)), data);
}

function withField(data: Json, [name, ...rest]: readonly string[], change: (value: Json) => Json): Json {
  if (name === undefined || !isObject(data)) return data;
  const value = data[name];
  if (value === undefined) return data;
  return { ...data, [name]: rest.length === 0 ? change(value) : withField(value, rest, change) };
}

/** The values of some fields, as far as they are present. */
export function valuesOf(data: Json, paths: readonly string[]): Json[] {
  return paths.flatMap((path) => {
    const value = path.split('.').reduce<Json | undefined>((at, name) => (isObject(at) ? at[name] : undefined), data);
    return value === undefined ? [] : [value];
  });
}

// `Array.isArray` does not narrow readonly arrays, hence a guard of our own.
export function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
