// The pieces that parameter tables are made of. A schema is what clients are told; `accept` is what is checked first.
import Type from 'typebox';
import type { PostKind } from '../../domain/post.ts';
import type { TermKind } from '../../domain/term.ts';
import type { DescriptionKey } from '../../locales/language.ts';
import {
  countUpTo,
  flagWord,
  imageOrEmpty,
  longText,
  newPassword,
  nonEmptyString,
  positiveInt,
  stringOrEmpty,
  time,
  urlOrEmpty,
  userId,
  type Validator,
  writableStatus,
} from '../parameters/validators.ts';
import type { Parameter } from '../route.ts';

interface Details {
  readonly default?: unknown;
  readonly format?: string;
  readonly items?: { readonly type: 'integer' };
  /** Types taken beside the declared one; not shown to clients. */
  readonly alsoTakes?: readonly ('number' | 'boolean' | 'null')[];
}

/** `exactOptionalPropertyTypes` wants absent members absent. */
const withAccept = (schema: Parameter['schema'], accept: Validator | undefined): Parameter =>
  accept === undefined ? { schema } : { schema, accept };

export const text = (description: DescriptionKey, accept: Validator, details: Details = {}): Parameter => ({
  schema: Type.String({ ...details, description }),
  accept,
});

export const integer = (description: DescriptionKey, accept: Validator, details: Details = {}): Parameter => ({
  schema: Type.Integer({ ...details, description }),
  accept,
});

export const decimal = (description: DescriptionKey, accept: Validator, details: Details = {}): Parameter => ({
  schema: Type.Number({ ...details, description }),
  accept,
});

export const flag = (description: DescriptionKey, details: Details = {}): Parameter => ({
  schema: Type.Boolean({ ...details, description }),
});

/** Without a declared type: values stay as they were sent. */
export const anything = (description: DescriptionKey, accept?: Validator, details: Details = {}): Parameter =>
  withAccept(Type.Unknown({ ...details, description }), accept);

/** Declared only in order to be refused: index and document leave it out. */
export const refused = (accept?: Validator): Parameter => withAccept(Type.Unknown({ hidden: true }), accept);

/** A list in any notation; only the type of its members is declared. */
export const list = (description: DescriptionKey, accept: Validator, details: Details = {}): Parameter =>
  anything(description, accept, { items: { type: 'integer' }, ...details });

export const required = (parameter: Parameter): Parameter => ({ ...parameter, required: true });

/** A date that is written; Unix seconds may come as a JSON number. */
export const dateField = (description: DescriptionKey, details: Details = {}): Parameter =>
  text(description, time, { format: 'date-time', alsoTakes: ['number'], ...details });

/** A date to filter by. */
export const dateFilter = (description: DescriptionKey, details: Details = {}): Parameter =>
  anything(description, time, { format: 'date', ...details });

export const contactField = (description: DescriptionKey): Parameter =>
  text(description, stringOrEmpty, { default: null });

/** What events, venues and organizers share when they are written. */
export const authorship = {
  author: integer('post.author', userId),
  date: dateField('post.date', {}),
  date_utc: dateField('post.date_utc', {}),
  status: text('post.status', writableStatus),
} as const;

export const optionalImage = text('post.image', imageOrEmpty, {
  default: null,
  alsoTakes: ['number'],
});

export const description = (what: 'venue' | 'organizer'): Parameter =>
  text(`${what}.description`, longText, { default: null });

export const website = (what: 'venue' | 'organizer'): Parameter =>
  text(`${what}.website`, urlOrEmpty, { default: null });

/** A flag that is declared as text, with many words for yes; also a JSON boolean. */
export const wordFlag = (description: DescriptionKey): Parameter =>
  text(description, flagWord, { default: null, alsoTakes: ['boolean'] });

export const passwordToSet = text('event.new_password', newPassword);

export const passwordToPresent = text('event.password', nonEmptyString);

type Identified = PostKind | TermKind | 'user';

/** The id in the path, whose form alone is checked. */
export const anyId = (of: Identified): Parameter => required(integer(`${of}.id`, () => true));

/** The id in the path, which must exist. */
export const existingId = (of: Identified, accept: Validator): Parameter => required(integer(`${of}.id`, accept));

export const pageNumber = integer('list.page', positiveInt, { default: 1 });

const MOST_PER_PAGE = 50;

/** `size` is the configured page size. */
export const perPage = (size: number): Parameter =>
  integer('list.per_page', countUpTo(MOST_PER_PAGE), { default: size });
