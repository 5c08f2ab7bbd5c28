// Building blocks of parameter schemas. The type argument is what handlers get; the keywords (keywords.ts) say which
// notations are accepted.
import type { Image } from '../../calendar/resource/domain/image.ts';
import type { PostKind, PostStatus } from '../../calendar/resource/domain/post.ts';
import type { TermKind } from '../../calendar/term/domain/term.ts';
import type { DateValue, WrittenDate } from '../../kernel/time/date-input.ts';
import type { DescriptionKey } from '../../locales/language.ts';
import type { Check, WireSchema } from './keywords.ts';
import Type, { type TOptional, type TProperties, type TUnsafe } from './type.ts';

type Details = Pick<WireSchema, 'default' | 'format' | 'items' | 'alsoTakes'>;

const scalar =
  <Usual>(type: string) =>
  <T = Usual>(description: DescriptionKey, check: Check, details: Details = {}): TUnsafe<T> =>
    Type.Unsafe({ type, ...details, description, check });

export const text = scalar<string>('string');
export const integer = scalar<number>('integer');
export const decimal = scalar<number>('number');

export const flag = (description: DescriptionKey, details: Details = {}): TUnsafe<boolean> =>
  Type.Unsafe({ type: 'boolean', ...details, description });

/** Without a declared type: values stay as they were sent, unless the check parses them. */
export const anything = <T = unknown>(
  description: DescriptionKey,
  check: Check = 'anything',
  details: Details = {},
): TUnsafe<T> => Type.Unsafe({ ...details, description, check });

/** Declared only in order to be refused: index and document leave it out. */
export const refused = <T = unknown>(check: Check = 'anything'): TUnsafe<T> => Type.Unsafe({ hidden: true, check });

/** Another name of a parameter, which writers of other calendars send. */
export const otherName = <T>(of: string, description: DescriptionKey, schema: TUnsafe<T>): TUnsafe<T> =>
  Type.Unsafe({ ...schema, description, otherNameOf: of });

/** A list in any notation; only the type of its members is declared. */
export const list = <T = unknown>(description: DescriptionKey, check: Check, details: Details = {}): TUnsafe<T> =>
  anything(description, check, { items: { type: 'integer' }, ...details });

type Optional<Properties extends TProperties> = { [Name in keyof Properties]: TOptional<Properties[Name]> };

/** Optional parameters. */
export const optional = <Properties extends TProperties>(properties: Properties): Optional<Properties> =>
  // Each under its own name.
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as Optional<Properties>;

/** A date that is stored; Unix seconds may come as a JSON number. */
export const dateField = (description: DescriptionKey): TUnsafe<WrittenDate> =>
  text(description, 'time', { format: 'date-time', alsoTakes: ['number'] });

/** A date to filter by. Requests have it as the checks have read it; what asks without a request may have a text. */
export const dateFilter = <Sent extends DateValue = DateValue>(
  description: DescriptionKey,
  details: Details = {},
): TUnsafe<Sent> => anything(description, 'time', { format: 'date', ...details });

export const contactField = (description: DescriptionKey): TUnsafe<string> =>
  text(description, 'stringOrEmpty', { default: null });

/** Shared by writes of events, venues and organizers. */
export const authorship = {
  author: integer('post.author', 'userId'),
  date: dateField('post.date'),
  date_utc: dateField('post.date_utc'),
  status: text<PostStatus>('post.status', 'writableStatus'),
};

/** An existing image, the address of a picture, or null to remove it. */
export type ImageInput = Image | string | null;

export const image = text<ImageInput>('post.image', 'image', { alsoTakes: ['number'] });

export const optionalImage = text<ImageInput>('post.image', 'imageOrEmpty', { default: null, alsoTakes: ['number'] });

export const description = (what: 'venue' | 'organizer') => text(`${what}.description`, 'longText', { default: null });

export const website = (what: 'venue' | 'organizer') => text(`${what}.website`, 'urlOrEmpty', { default: null });

/** A flag that is declared as text, with many words for yes; also a JSON boolean. */
export const wordFlag = (description: DescriptionKey): TUnsafe<boolean> =>
  text(description, 'flagWord', { default: null, alsoTakes: ['boolean'] });

export const passwordToSet = text('event.new_password', 'newPassword');

export const passwordToPresent = text('event.password', 'nonEmptyString');

type Identified =
  | PostKind
  | TermKind
  | 'user'
  | 'proposal'
  | 'set'
  | 'import'
  | 'picture'
  | 'series'
  | 'webhook'
  | 'source'
  | 'guest_link';

/** The id in the path, of which only the form is validated. */
export const anyId = (of: Identified) => integer(`${of}.id`, 'anything');

/** The id in the path, which must exist. */
export const existingId = (of: Identified, check: Check) => integer(`${of}.id`, check);

const MAX_PER_PAGE = 50;

/** `size` is the configured page size. */
export const paging = (size: number) =>
  optional({
    page: integer('list.page', 'positiveInt', { default: 1 }),
    per_page: integer('list.per_page', ['countUpTo', MAX_PER_PAGE], { default: size }),
  });
