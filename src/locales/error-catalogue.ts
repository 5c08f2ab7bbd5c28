// Every error that clients can meet: its code, its status, and a text that tells them what to do about it.

interface CatalogueEntry {
  /** HTTP status, unless the place that raises it decides (401 or 403). */
  readonly status: number;
  readonly message: string;
}

const entry = (status: number, message: string): CatalogueEntry => ({ status, message });

export const ERRORS = {
  rest_no_route: entry(404, 'Nothing answers to this path and method. The index at the API root lists every route.'),
  rest_invalid_namespace: entry(404, 'There is no such namespace. Leave the argument out or send the one of this API.'),
  rest_invalid_json: entry(
    400,
    'The body is not valid JSON in UTF-8. Correct it or send it with its own content type.',
  ),
  rest_invalid_form: entry(400, 'The multipart body cannot be read. Check its boundary and that it is complete.'),
  rest_too_many_parameters: entry(400, 'The query or form has too many or too deeply nested members. Send fewer.'),
  rest_invalid_host: entry(400, 'The Host header is not a host name with an optional port.'),
  rest_bad_request: entry(400, 'The request is not valid HTTP.'),
  rest_callback_disabled: entry(400, 'JSONP is not offered. Leave out _jsonp and use a cross-origin request.'),
  rest_missing_callback_param: entry(400, 'Missing parameter(s)'),
  rest_invalid_param: entry(400, 'Invalid parameter(s)'),
  rest_forbidden: entry(403, 'You are not allowed to do this. Sign in with an account that has the right.'),
  invalid_username: entry(401, 'No user has this login name. Check the name that came with the token.'),
  invalid_email: entry(401, 'No user has this e-mail address. Check the name that came with the token.'),
  incorrect_password: entry(401, 'The token is wrong or has been revoked. Ask for a new one.'),
  rest_invalid_token: entry(401, 'The token is not valid here, or not any more. Sign in again to get a new one.'),
  rest_no_role: entry(
    403,
    'The token gives no role in this calendar. Ask whoever runs the single sign-on to grant you one.',
  ),
  rest_user_removed: entry(403, 'This user has been removed from the calendar. Ask an administrator of it.'),
  rest_sign_on_unavailable: entry(
    503,
    'The keys of the single sign-on cannot be fetched at the moment. Try again after Retry-After seconds.',
  ),
  rest_user_not_found: entry(404, 'There is no such user. GET /users lists those that there are.'),
  rest_user_page_not_found: entry(404, 'The list of users has fewer pages. Ask for a lower page.'),
  rest_user_exists: entry(
    409,
    'Another user signs in with this login or e-mail address. data.params names which; choose a different one.',
  ),
  rest_last_administrator: entry(
    409,
    'Nobody could administer the calendar afterwards: this is the last administrator with a token. Give another user the role and a token first.',
  ),
  rest_credential_not_found: entry(404, 'There is no such token, or it has been revoked already.'),
  'rest-event-not-found': entry(404, 'There is no such event.'),
  'rest-invalid-event-id': entry(400, 'This id belongs to something that is not an event.'),
  'event-not-accessible': entry(403, 'This event is not public and you may not read it.'),
  'venue-not-accessible': entry(403, 'This venue is not public and you may not read it.'),
  'organizer-not-accessible': entry(403, 'This organizer is not public and you may not read it.'),
  'event-no-longer-available': entry(403, 'This event is in the trash. Who may edit it can restore it.'),
  'event-password-protected': entry(403, 'This event needs its password. Send it as the parameter password.'),
  'event-archive-page-not-found': entry(404, 'The list of events has fewer pages. Ask for a lower page.'),
  'venue-archive-page-not-found': entry(404, 'The list of venues has fewer pages. Ask for a lower page.'),
  'organizer-archive-page-not-found': entry(404, 'The list of organizers has fewer pages. Ask for a lower page.'),
  'event-is-in-trash': entry(410, 'This event is in the trash already.'),
  'venue-is-in-trash': entry(410, 'This venue is in the trash already.'),
  'organizer-is-in-trash': entry(410, 'This organizer is in the trash already.'),
  'organizer-is-erased': entry(
    410,
    'The personal data of this organizer has been erased, and it takes no other. Make a new organizer.',
  ),
  'could-not-create-venue': entry(400, 'The venue cannot be created. Give it a name, or link an existing one by id.'),
  'could-not-create-organizer': entry(
    400,
    'The organizer cannot be created. Give it a name, or link an existing one by id.',
  ),
  term_exists: entry(400, 'A term of this name exists under this parent already; data.term_id is its id.'),
  rest_taxonomy_not_hierarchical: entry(400, 'Tags have no parents. Leave out parent.'),
  duplicate_term_slug: entry(400, 'Another term has this slug. Choose a different one.'),
  rest_history_page_not_found: entry(404, 'The history has fewer pages. Ask for a lower page.'),
  rest_revision_not_found: entry(404, 'There is no such revision. Ask for one from 0 to data.last_revision.'),
  rest_revert_conflict: entry(409, 'It cannot look as it did; data.conflicts names what stands in the way.'),
  rest_not_there_then: entry(404, 'At this instant it was not there, or not public. Ask for a later as_of.'),
  rest_past_protected: entry(
    403,
    'Old states of what a password protects are for those who may read its history. Sign in as one of them.',
  ),
  rest_precondition_failed: entry(412, 'It has changed since you read it. Read it again and repeat with its new ETag.'),
  rest_request_too_large: entry(413, 'The body is larger than allowed. Send less at once.'),
  rest_uri_too_long: entry(414, 'The URL is longer than 16 KiB. Send parameters in the body.'),
  rest_headers_too_large: entry(431, 'The headers are larger than allowed. Send fewer or shorter ones.'),
  rest_request_timeout: entry(408, 'The request did not arrive in time. Send it again.'),
  rest_rate_limited: entry(429, 'Too many attempts. Wait for as long as Retry-After says.'),
  internal_server_error: entry(500, 'Something went wrong here. Quote the X-Request-Id header when you report it.'),
  rest_unavailable: entry(503, 'The calendar cannot be reached at the moment. Try again after Retry-After seconds.'),
} as const satisfies { readonly [code: string]: CatalogueEntry };

export type ErrorCode = keyof typeof ERRORS;
