import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RejectionCode } from '../../../src/domain/rejections.ts';
import {
  ApiError,
  asApiError,
  errorBody,
  forbidden,
  invalidParameters,
  rateLimited,
  rejectionError,
} from '../../../src/http/errors.ts';
import { ERROR_STATUSES, type ErrorCode } from '../../../src/locales/error-catalogue.ts';
import { ENGLISH } from '../../../src/locales/languages.ts';
import { AppendOutcomeUnknown } from '../../../src/log/event-store.ts';
import { EDITOR } from './shell.ts';

const test = suite('errors');

/** Raised by the routes of the resources themselves; their tests reach them. */
const RAISED_BY_ROUTES: readonly ErrorCode[] = [
  'rest_not_logged_in',
  'rest_term_invalid',
  'rest_post_invalid_id',
  'rest_post_invalid_page_number',
  'rest_trash_not_supported',
  'rest_import_not_found',
  'rest_picture_page_not_found',
  'rest_pictures_unavailable',
  'rest_series_page_not_found',
  'rest_upload_missing',
  'rest_upload_not_a_picture',
  'rest_upload_too_large',
  'event-not-accessible',
  'venue-not-accessible',
  'organizer-not-accessible',
  'event-no-longer-available',
  'event-password-protected',
  'event-archive-page-not-found',
  'venue-archive-page-not-found',
  'organizer-archive-page-not-found',
  'rest_history_page_not_found',
  'rest_request_not_found',
  'rest_schedule_page_not_found',
  'rest_revision_not_found',
  'rest_not_there_then',
  'rest_past_protected',
  'rest_user_not_found',
  'rest_user_page_not_found',
  'rest_user_exists',
  'rest_last_administrator',
  'rest_credential_not_found',
  'rest_moved_permanently',
  'rest_slug_changed',
  'rest_request_not_found',
  'rest_schedule_page_not_found',
];

/** Raised by the transport; transport.test.ts, socket.test.ts, sources.test.ts and index-route.test.ts reach them. */
const RAISED_BY_TRANSPORT: readonly ErrorCode[] = [
  'rest_no_route',
  'rest_proposal_page_not_found',
  'rest_invalid_namespace',
  'rest_invalid_json',
  'rest_invalid_form',
  'rest_too_many_parameters',
  'rest_invalid_host',
  'rest_bad_request',
  'rest_callback_disabled',
  'rest_missing_callback_param',
  'rest_request_too_large',
  'rest_uri_too_long',
  'rest_headers_too_large',
  'rest_request_timeout',
  'rest_rate_limited',
  'invalid_username',
  'invalid_email',
  'incorrect_password',
  'rest_invalid_token',
  'rest_no_role',
  'rest_user_removed',
  'rest_sign_on_unavailable',
  'rest_parked',
  'internal_server_error',
];

const REJECTIONS: { readonly [code in RejectionCode]: readonly [ErrorCode, number] } = {
  invalid_parameter: ['rest_invalid_param', 400],
  forbidden: ['rest_forbidden', 403],
  precondition_failed: ['rest_precondition_failed', 412],
  event_not_found: ['rest-event-not-found', 404],
  not_an_event: ['rest-invalid-event-id', 400],
  notice_unpublished: ['rest_invalid_param', 400],
  notice_required: ['rest_invalid_param', 400],
  password_not_proposed: ['rest_invalid_param', 400],
  organizer_not_proposed: ['rest_invalid_param', 400],
  event_in_trash: ['event-is-in-trash', 410],
  venue_in_trash: ['venue-is-in-trash', 410],
  organizer_in_trash: ['organizer-is-in-trash', 410],
  organizer_erased: ['organizer-is-erased', 410],
  could_not_create_venue: ['could-not-create-venue', 400],
  could_not_create_organizer: ['could-not-create-organizer', 400],
  term_exists: ['term_exists', 400],
  term_slug_taken: ['duplicate_term_slug', 400],
  tags_have_no_parent: ['rest_taxonomy_not_hierarchical', 400],
  revision_not_found: ['rest_revision_not_found', 404],
  revert_conflict: ['rest_revert_conflict', 409],
  nothing_proposed: ['rest_nothing_proposed', 400],
  own_proposal: ['rest_own_proposal', 403],
  proposal_closed: ['rest_proposal_closed', 409],
  proposal_conflict: ['rest_proposal_conflict', 409],
  proposal_not_found: ['rest_proposal_not_found', 404],
  already_approved: ['rest_already_approved', 409],
  review_required: ['rest_review_required', 403],
  bypass_refused: ['rest_bypass_refused', 403],
  zone_settled: ['rest_invalid_param', 400],
  merge_into_unknown: ['rest_invalid_param', 400],
  policy_locks_out: ['rest_policy_locks_out', 409],
  target_in_trash: ['rest_target_in_trash', 409],
  merged: ['rest_merged', 409],
  cannot_merge: ['rest_cannot_merge', 409],
  set_not_found: ['rest_set_not_found', 404],
  webhook_not_found: ['rest_webhook_not_found', 404],
  delivery_not_found: ['rest_delivery_not_found', 404],
  too_many_webhooks: ['rest_too_many_webhooks', 409],
  guest_link_not_found: ['rest_guest_link_not_found', 404],
  source_not_found: ['rest_source_not_found', 404],
  too_many_sources: ['rest_too_many_sources', 409],
  source_needs_review: ['rest_review_required', 403],
  source_polling: ['rest_source_polling', 409],
  set_closed: ['rest_set_closed', 409],
  picture_not_found: ['rest_picture_not_found', 404],
  series_not_found: ['rest_series_not_found', 404],
  series_joined: ['rest_series_joined', 409],
  picture_in_use: ['rest_picture_in_use', 409],
  set_empty: ['rest_set_empty', 400],
  set_unfit: ['rest_set_unfit', 409],
  own_set: ['rest_own_set', 403],
  set_already_approved: ['rest_set_already_approved', 409],
  user_not_found: ['rest_user_not_found', 404],
  credential_not_found: ['rest_credential_not_found', 404],
  login_taken: ['rest_user_exists', 409],
  email_taken: ['rest_user_exists', 409],
  id_taken: ['rest_unavailable', 503],
  password_length: ['rest_invalid_param', 400],
  last_administrator: ['rest_last_administrator', 409],
  not_decided: ['internal_server_error', 500],
  busy: ['rest_unavailable', 503],
};

test('every rejection has its code and status', () => {
  for (const [code, [wire, status]] of Object.entries(REJECTIONS)) {
    const error = rejectionError({ code: code as RejectionCode }, EDITOR); // The keys of the table are the codes.
    assert.is(error.code, wire);
    assert.is(error.status, status);
  }
});

test('who was overtaken may try again at once', () => {
  for (const code of ['busy', 'id_taken'] as const)
    assert.is(rejectionError({ code }, EDITOR).headers['Retry-After'], '1', code);
});

test('every code of the catalogue is raised somewhere', () => {
  const raised = new Set([
    ...RAISED_BY_ROUTES,
    ...RAISED_BY_TRANSPORT,
    ...Object.values(REJECTIONS).map(([code]) => code),
  ]);
  assert.equal(
    Object.keys(ERROR_STATUSES).filter((code) => !raised.has(code as ErrorCode)),
    [],
  );
  assert.equal(
    [...raised].filter((code) => !(code in ERROR_STATUSES)),
    [],
  );
});

test('every code has a sentence', () => {
  for (const [code, message] of Object.entries(ENGLISH.errors)) assert.ok(message.length > 15, code);
  for (const [code, status] of Object.entries(ERROR_STATUSES))
    assert.ok(status === 301 || status === 308 || (status >= 400 && status < 600), code);
});

test('the envelope holds code, message and status, and what more there is', () => {
  const error = rejectionError({ code: 'term_exists', details: { term_id: 7 } }, null);
  const { status } = error;
  const body = errorBody(error, ENGLISH);
  assert.is(status, 400);
  assert.equal(body, {
    code: 'term_exists',
    message: ENGLISH.errors.term_exists,
    data: { status: 400, term_id: 7 },
    additional_data: [7, 7],
  });
});

test('a refused parameter is named', () => {
  const body = errorBody(rejectionError({ code: 'invalid_parameter', parameter: 'start_date' }, null), ENGLISH);
  assert.equal(body, errorBody(invalidParameters('start_date'), ENGLISH));
  assert.equal((body as { data: unknown }).data, {
    status: 400,
    params: { start_date: 'Invalid parameter.' },
    details: [],
  });
});

test('a missing right is 401 with a challenge for the public, and 403 for others', () => {
  assert.is(forbidden(null).status, 401);
  assert.equal(forbidden(null).headers, { 'WWW-Authenticate': 'Bearer' });
  assert.is(forbidden(EDITOR).status, 403);
  assert.equal(forbidden(EDITOR).headers, {});
});

test('rate limits say how long to wait, in whole seconds', () => {
  assert.equal(rateLimited(1.2).headers, { 'Retry-After': '2' });
  assert.equal(rateLimited(0).headers, { 'Retry-After': '1' });
});

test('an append with unknown outcome is 503', () => assert.is(asApiError(new AppendOutcomeUnknown('x')).status, 503));

test('unknown errors are internal errors that reveal nothing', () => {
  for (const thrown of [new Error('secret'), 'secret', null, undefined, { code: 'EACCES', message: 'secret' }]) {
    const error = asApiError(thrown);
    assert.is(error.code, 'internal_server_error');
    assert.not.match(JSON.stringify(errorBody(error, ENGLISH)), /secret/);
  }
});

test('an API error passes as it is', () => {
  const error = new ApiError('rest_no_route');
  assert.is(asApiError(error), error);
});

test.run();
