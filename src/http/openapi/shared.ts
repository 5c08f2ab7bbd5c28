// Headers and parameters that many routes share, by their component names in the document.

import type { DescriptionKey } from '../../locales/language.ts';
import Type, { type TSchema } from '../schemas/type.ts';

/** `required`: every answer that names it has it. */
const header =
  (required: boolean) =>
  (name: string, description: DescriptionKey, schema: TSchema = Type.String()) => ({
    name,
    component: { required, description, schema },
  });
const always = header(true);
const sometimes = header(false);

export const ANSWER_HEADERS = {
  RequestId: always('X-Request-Id', 'header.request_id'),
  Allow: sometimes('Allow', 'header.allow'),
  ETag: always('ETag', 'header.etag'),
  Total: always('X-TEC-Total', 'list.total', Type.Integer()),
  TotalPages: always('X-TEC-TotalPages', 'list.total_pages', Type.Integer()),
  TotalTwin: always('X-WP-Total', 'header.total_twin', Type.Integer()),
  TotalPagesTwin: always('X-WP-TotalPages', 'header.total_pages_twin', Type.Integer()),
  Location: always('Location', 'header.location', Type.String({ format: 'uri' })),
  Position: always('X-Daybook-Position', 'header.position'),
  Views: sometimes('X-Daybook-Views', 'header.views'),
  ReadAs: sometimes('X-Daybook-Read-As', 'header.read_as'),
  ShownPosition: sometimes('X-Daybook-Position', 'header.shown_position'),
  Lag: sometimes('X-Daybook-Lag', 'header.lag', Type.Integer()),
  RetryAfter: always('Retry-After', 'header.retry_after', Type.Integer()),
  Authenticate: always('WWW-Authenticate', 'header.authenticate'),
  Link: sometimes('Link', 'index.site'),
  Vary: sometimes('Vary', 'header.vary'),
  CacheControl: sometimes('Cache-Control', 'header.cache_control'),
  ContentLanguage: sometimes('Content-Language', 'header.content_language'),
  UnknownParameters: sometimes('X-Daybook-Unknown-Parameters', 'header.unknown_parameters'),
  ContentEncoding: sometimes('Content-Encoding', 'header.content_encoding'),
} as const;

export type AnswerHeader = keyof typeof ANSWER_HEADERS;

/** On every answer. Headers that only instruct browsers are left out. */
export const COMMON_HEADERS: readonly AnswerHeader[] = [
  'RequestId',
  'Allow',
  'Link',
  'Vary',
  'CacheControl',
  'ContentLanguage',
  'UnknownParameters',
];

const inQuery = (name: string, description: DescriptionKey, schema: TSchema = Type.String()) =>
  ({ name, in: 'query', required: false, description, schema }) as const;
const inHeader = (name: string, description: DescriptionKey) =>
  ({ name, in: 'header', required: false, description, schema: Type.String() }) as const;

export const SHARED_PARAMETERS = {
  Fields: inQuery('_fields', 'request.fields'),
  Envelope: inQuery('_envelope', 'request.envelope'),
  Locale: inQuery('_locale', 'request.locale'),
  Strict: inQuery('strict', 'request.strict', Type.Boolean()),
  LanguageHeader: inHeader('Accept-Language', 'request.accept_language'),
  MethodArgument: inQuery(
    '_method',
    'request.method',
    Type.String({ enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }),
  ),
  MethodHeader: inHeader('X-HTTP-Method-Override', 'request.method_header'),
  Password: inQuery('password', 'request.password'),
  EditContext: inQuery('context', 'request.edit_context'),
  EmbedContext: inQuery('context', 'request.embed_context'),
  IfMatch: inHeader('If-Match', 'request.if_match'),
  IfNoneMatch: inHeader('If-None-Match', 'request.if_none_match'),
  IdempotencyKey: inHeader('Idempotency-Key', 'request.idempotency_key'),
  ChangeReason: inHeader('X-Change-Reason', 'request.change_reason'),
  BypassReview: inHeader('X-Bypass-Review', 'request.bypass_review'),
  AtLeast: inHeader('X-Daybook-Position', 'request.at_least'),
  LastEventId: inHeader('Last-Event-ID', 'request.last_event_id'),
} as const;

export type SharedParameter = keyof typeof SHARED_PARAMETERS;

/** Accepted by every request. */
export const COMMON_PARAMETERS: readonly SharedParameter[] = [
  'Fields',
  'Envelope',
  'Locale',
  'Strict',
  'LanguageHeader',
];
/** Accepted by every POST. */
export const POST_PARAMETERS: readonly SharedParameter[] = ['MethodArgument', 'MethodHeader'];
