// Which fields of which facts are personal data. Everything else is stored unencrypted.
import type { OrganizerFact } from '../../domain/organizer.ts';
import type { ProposalFact } from '../../domain/proposal.ts';
import type { UserFact } from '../../domain/user.ts';
import type { Json, NewEvent } from '../envelope.ts';
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
  UserRemoved: [],
  UserErased: [],
};

/** What an organizer is proposed to be, by the names of the command's input and of the facts that it decides to. */
const OF_A_WISH: readonly string[] = [
  ...['name', 'slug', 'phone', 'website', 'email'].map((member) => `wish.${member}`),
  ...Object.entries(ORGANIZER).flatMap(([type, fields]) => fields.map((field) => `facts.${type}.${field}`)),
];

const PROPOSAL: FieldsOf<ProposalFact['type']> = {
  ProposalOpened: OF_A_WISH,
  ProposalRevised: OF_A_WISH,
  ProposalCommented: [],
  ProposalChangesRequested: [],
  ProposalApproved: [],
  ProposalRejected: [],
  ProposalWithdrawn: [],
  ProposalSetBack: [],
  ProposalApplied: [],
};

interface Rule {
  readonly prefix: string;
  readonly fields: readonly string[];
}

const rules = (prefix: string, fields: { readonly [type: string]: readonly string[] }): [string, Rule][] =>
  Object.entries(fields).flatMap(([type, own]) => (own.length === 0 ? [] : [[type, { prefix, fields: own }]]));

const RULES: ReadonlyMap<string, Rule> = new Map([
  ...rules('organizer-', ORGANIZER),
  ...rules('user-', USER),
  ...rules('proposal-', PROPOSAL),
  // Reservations of names; those of venues name no people.
  ...rules('name-organizer-', { NameTaken: ['name'] }),
]);

/** Prefixes of all streams that contain personal data. */
export const PERSONAL_PREFIXES: readonly string[] = ['user-', 'organizer-', 'name-organizer-', 'proposal-'];

/** Facts after which no personal data of their stream is shown, whether its key exists or not. */
export const ERASING: ReadonlySet<string> = new Set(['OrganizerErased', 'UserErased']);

/** The personal data in an event, by the table above; `fields` are paths (`credential.label`). */
export interface Personal {
  readonly subject: Subject;
  readonly fields: readonly string[];
}

export type Placed = Pick<NewEvent, 'type' | 'data'> & { readonly stream: string };

/** Where events name whose data they hold; those of other streams hold that of their stream. */
const SUBJECT_MEMBER: ReadonlyMap<string, string> = new Map([
  ['name-organizer-', 'owner'],
  ['proposal-', 'subject'],
]);

/** Null for the many events without personal data. */
export function personalIn(event: Placed): Personal | null {
  const rule = RULES.get(event.type);
  if (rule === undefined || !event.stream.startsWith(rule.prefix)) return null;
  const { prefix, fields } = rule;
  const named = SUBJECT_MEMBER.get(prefix);
  if (named === undefined) return { subject: event.stream, fields };
  const { data } = event;
  const subject = isObject(data) ? data[named] : undefined;
  return typeof subject === 'string' ? { subject, fields } : null;
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
