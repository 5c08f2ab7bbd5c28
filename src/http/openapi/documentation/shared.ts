// Headers and parameters that many endpoints share, by their names in the document's components.
import Type, { type TSchema } from 'typebox';

export interface SharedHeader {
  readonly name: string;
  readonly schema: TSchema;
  readonly description: string;
  /** Whether every answer that names it has it. */
  readonly presence: 'always' | 'sometimes';
}

const always = (name: string, schema: TSchema, description: string): SharedHeader => ({
  name,
  schema,
  description,
  presence: 'always',
});
const sometimes = (name: string, schema: TSchema, description: string): SharedHeader => ({
  name,
  schema,
  description,
  presence: 'sometimes',
});

export const ANSWER_HEADERS = {
  RequestId: always('X-Request-Id', Type.String(), 'Names this request; quote it when something went wrong.'),
  Allow: sometimes('Allow', Type.String(), 'Methods that the caller may use here.'),
  ETag: always('ETag', Type.String(), 'Version of the answer, for If-None-Match; of one thing also for If-Match.'),
  Total: always('X-TEC-Total', Type.Integer(), 'Number of items on all pages.'),
  TotalPages: always('X-TEC-TotalPages', Type.Integer(), 'Number of pages.'),
  TotalTwin: always('X-WP-Total', Type.Integer(), 'The same as X-TEC-Total.'),
  TotalPagesTwin: always('X-WP-TotalPages', Type.Integer(), 'The same as X-TEC-TotalPages.'),
  Location: always('Location', Type.String({ format: 'uri' }), 'Address of what was created.'),
  Position: always(
    'X-Daybook-Position',
    Type.String(),
    'Place in the log; send it with a read to see at least this write.',
  ),
  Views: sometimes('X-Daybook-Views', Type.String(), 'lagging: reads do not show this yet.'),
  ReadAs: sometimes(
    'X-Daybook-Read-As',
    Type.String(),
    'How dates were read that could have been meant otherwise, by name.',
  ),
  ShownPosition: sometimes('X-Daybook-Position', Type.String(), 'Place in the log up to which the answer shows it.'),
  Lag: sometimes('X-Daybook-Lag', Type.Integer(), 'How many events the answer does not show yet.'),
  RetryAfter: always('Retry-After', Type.Integer(), 'Seconds until it makes sense to try again.'),
  Authenticate: always('WWW-Authenticate', Type.String(), 'How to sign in.'),
  Link: sometimes('Link', Type.String(), 'The site.'),
  Vary: sometimes('Vary', Type.String(), 'What of the request decides about the answer.'),
  CacheControl: sometimes('Cache-Control', Type.String(), 'Who may keep the answer, and for how long.'),
  ContentLanguage: sometimes('Content-Language', Type.String(), 'Language of the texts of the answer.'),
  ContentEncoding: sometimes('Content-Encoding', Type.String(), 'How the body is compressed.'),
} as const satisfies { readonly [name: string]: SharedHeader };

export type AnswerHeader = keyof typeof ANSWER_HEADERS;

/** On every answer, whatever it says. Those that only tell browsers what to do with it are left out. */
export const COMMON_HEADERS: readonly AnswerHeader[] = [
  'RequestId',
  'Allow',
  'Link',
  'Vary',
  'CacheControl',
  'ContentLanguage',
];

interface Shared {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly schema: TSchema;
  readonly description: string;
}

const inQuery = (name: string, description: string, schema: TSchema = Type.String()): Shared => ({
  name,
  in: 'query',
  schema,
  description,
});
const inHeader = (name: string, description: string): Shared => ({
  name,
  in: 'header',
  schema: Type.String(),
  description,
});

export const SHARED_PARAMETERS = {
  Fields: inQuery('_fields', 'Only these members of the answer, separated by commas; dots lead into objects.'),
  Envelope: inQuery('_envelope', 'Answer 200 with body, status and headers inside the body.'),
  Locale: inQuery('_locale', 'Language of the texts of the answer, such as de. It counts more than Accept-Language.'),
  LanguageHeader: inHeader('Accept-Language', 'Languages that the reader knows.'),
  MethodArgument: inQuery(
    '_method',
    'The method that this request stands for.',
    Type.String({ enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }),
  ),
  MethodHeader: inHeader('X-HTTP-Method-Override', 'The same as _method, which counts more.'),
  Password: inQuery('password', 'Password of what is protected by one; what has it is shown in full.'),
  EditContext: inQuery('context', 'edit: whoever may edit the event needs no password.'),
  EmbedContext: inQuery('context', 'embed: only id, name, slug, taxonomy and links.'),
  IfMatch: inHeader('If-Match', 'Write only if the thing still has this ETag.'),
  IfNoneMatch: inHeader('If-None-Match', 'Answer 304 when the ETag is still this one.'),
  IdempotencyKey: inHeader(
    'Idempotency-Key',
    'Any text. Sent again with the same key, nothing is created a second time.',
  ),
  ChangeReason: inHeader(
    'X-Change-Reason',
    'Why it is changed, percent-encoded; the history tells it. The member _reason says the same.',
  ),
  AtLeast: inHeader('X-Daybook-Position', 'Position of an earlier write: the answer shows at least that.'),
  LastEventId: inHeader('Last-Event-ID', 'Where a stream of changes goes on.'),
} as const satisfies { readonly [name: string]: Shared };

export type SharedParameter = keyof typeof SHARED_PARAMETERS;

/** Every request may send these. */
export const COMMON_PARAMETERS: readonly SharedParameter[] = ['Fields', 'Envelope', 'Locale', 'LanguageHeader'];
/** Every POST may. */
export const POST_PARAMETERS: readonly SharedParameter[] = ['MethodArgument', 'MethodHeader'];
