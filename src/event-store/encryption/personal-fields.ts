// Which fields of which facts are personal data. Everything else lies in the log as it is.
import type { OrganizerFact } from '../../domain/organizer.ts';
import type { UserFact } from '../../domain/user.ts';
import type { Json, NewEvent } from '../envelope.ts';
import type { Subject } from './subject-keys.ts';

/** Every sort of fact is listed, those without personal data too: who adds one has to decide. */
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
  // What a credential is for is free text, and may tell of a person.
  UserCredentialIssued: ['credential.label'],
  UserCredentialRevoked: [],
  // The issuer's name for the person; often an e-mail address.
  UserIdentityBound: ['subject'],
  UserRoleChanged: [],
  UserRemoved: [],
  UserErased: [],
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
  // The register of names; those of venues are no people's.
  ...rules('name-organizer-', { NameTaken: ['name'] }),
]);

/** Beginnings of all streams that hold something personal. */
export const PERSONAL_PREFIXES: readonly string[] = ['user-', 'organizer-', 'name-organizer-'];

/** Facts after which nothing personal of their stream is shown any more, whether its key is still there or not. */
export const ERASING: ReadonlySet<string> = new Set(['OrganizerErased', 'UserErased']);

/** What is personal in an event, by the table above; `fields` are paths (`credential.label`). */
export interface Personal {
  readonly subject: Subject;
  readonly fields: readonly string[];
}

export type Placed = Pick<NewEvent, 'type' | 'data'> & { readonly stream: string };

/** Null for the many events that hold nothing personal. */
export function personalIn(event: Placed): Personal | null {
  const rule = RULES.get(event.type);
  if (rule === undefined || !event.stream.startsWith(rule.prefix)) return null;
  const { prefix, fields } = rule;
  if (prefix !== 'name-organizer-') return { subject: event.stream, fields };
  const { data } = event;
  const owner = isObject(data) ? data.owner : undefined;
  return typeof owner === 'string' ? { subject: owner, fields } : null;
}

/** Data with other values in some fields; what is not there stays away. */
export function withFields(data: Json, paths: readonly string[], change: (value: Json, path: string) => Json): Json {
  return paths.reduce((changed, path) => withField(changed, path.split('.'), (value) => change(value, path)), data);
}

function withField(data: Json, [name, ...rest]: readonly string[], change: (value: Json) => Json): Json {
  if (name === undefined || !isObject(data)) return data;
  const value = data[name];
  if (value === undefined) return data;
  return { ...data, [name]: rest.length === 0 ? change(value) : withField(value, rest, change) };
}

/** The values of some fields that are there. */
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
