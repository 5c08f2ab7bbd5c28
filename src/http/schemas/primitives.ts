// The pieces that parameter tables are made of. A schema is what clients are told; `accept` is what is checked first.
import Type from 'typebox';
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
  /** Known only in order to be refused: the index leaves it out. */
  readonly hidden?: true;
}

/** `exactOptionalPropertyTypes` wants absent members absent. */
const withAccept = (schema: Parameter['schema'], accept: Validator | undefined): Parameter =>
  accept === undefined ? { schema } : { schema, accept };

export const text = (description: string, accept: Validator, details: Details = {}): Parameter => ({
  schema: Type.String({ ...details, description }),
  accept,
});

export const integer = (description: string, accept: Validator, details: Details = {}): Parameter => ({
  schema: Type.Integer({ ...details, description }),
  accept,
});

export const decimal = (description: string, accept: Validator, details: Details = {}): Parameter => ({
  schema: Type.Number({ ...details, description }),
  accept,
});

export const flag = (description: string, details: Details = {}): Parameter => ({
  schema: Type.Boolean({ ...details, description }),
});

/** Without a declared type: values stay as they were sent. */
export const anything = (description: string, accept?: Validator, details: Details = {}): Parameter =>
  withAccept(Type.Unknown({ ...details, description }), accept);

/** A list in any notation; only the type of its members is declared. */
export const list = (description: string, accept: Validator, details: Details = {}): Parameter =>
  anything(description, accept, { items: { type: 'integer' }, ...details });

export const required = (parameter: Parameter): Parameter => ({ ...parameter, required: true });

/** A date that is written; Unix seconds may come as a JSON number. */
export const dateField = (description: string, details: Details = {}): Parameter =>
  text(description, time, { format: 'date-time', alsoTakes: ['number'], ...details });

/** A date to filter by. */
export const dateFilter = (description: string, details: Details = {}): Parameter =>
  anything(description, time, { format: 'date', ...details });

export const contactField = (description: string): Parameter => text(description, stringOrEmpty, { default: null });

/** What events, venues and organizers share when they are written. */
export const authorship = {
  author: integer('Id of the user who is the author. Default: the caller.', userId),
  date: dateField('Date and time of publication, in the zone of the site.', {}),
  date_utc: dateField('Date and time of publication, in UTC.', {}),
  status: text('One of publish, future, draft, pending, private, trash.', writableStatus),
} as const;

export const optionalImage = text('Id of an image, or its absolute http or https address.', imageOrEmpty, {
  default: null,
  alsoTakes: ['number'],
});

export const description = (what: string): Parameter =>
  text(`Description of the ${what}.`, longText, { default: null });

export const website = (what: string): Parameter =>
  text(`Absolute address of the ${what}'s own web site.`, urlOrEmpty, { default: null });

/** A flag that is declared as text, with many words for yes; also a JSON boolean. */
export const wordFlag = (what: string): Parameter => text(what, flagWord, { default: null, alsoTakes: ['boolean'] });

export const passwordToSet = text('Password that readers must present; empty removes it.', newPassword);

export const passwordToPresent = text('Password of the event, if it has one.', nonEmptyString);

/** The id in the path, whose form alone is checked. */
export const anyId = (what: string): Parameter => required(integer(`Id of the ${what}.`, () => true));

/** The id in the path, which must exist. */
export const existingId = (what: string, accept: Validator): Parameter =>
  required(integer(`Id of the ${what}.`, accept));

export const pageNumber = integer('Page of the list to answer, from 1.', positiveInt, { default: 1 });

const MOST_PER_PAGE = 50;

/** `size` is the configured page size. */
export const perPage = (size: number): Parameter =>
  integer('Items on a page; more than 50 count as 50.', countUpTo(MOST_PER_PAGE), { default: size });
