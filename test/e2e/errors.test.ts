import { once } from 'node:events';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ERROR_STATUSES, type ErrorCode } from '../../src/locales/error-catalogue.ts';
import { EventStoreUnavailable } from '../../src/log/event-store.ts';
import { ReadModelUnavailable } from '../../src/read-model/read-model.ts';
import type { Stores } from '../../src/stores.ts';
import { type Answer, type Body, PREFIX, someEvent, startTestService, type TestService } from '../support/service.ts';

/** What the next call of the store or of the read model fails with; null: nothing. */
const failing: { store: Error | null; readModel: Error | null } = { store: null, readModel: null };

/** Every method but those that the runner lives on fails while it is told to. */
function brittle<T extends object>(adapter: T, of: keyof typeof failing, spared: readonly string[]): T {
  return new Proxy(adapter, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || spared.includes(String(name))) return member;
      return (...args: unknown[]) => {
        const error = failing[of];
        return error ? Promise.reject(error) : member.apply(target, args);
      };
    },
  });
}

const wrap = (stores: Stores): Stores => ({
  ...stores,
  store: brittle(stores.store, 'store', ['subscribe', 'close', 'head']),
  readModel: brittle(stores.readModel, 'readModel', ['checkpoint', 'apply', 'close', 'version']),
});

let daybook: TestService;
let port = 0;
const ids: { [name: string]: number } = {};
const test = suite('errors over HTTP');

/** A proposal of the editor about the event. */
async function proposed(excerpt: string): Promise<number> {
  const { body } = await daybook.request('editor', 'POST', `/events/${ids.event}/proposals`, { excerpt });
  return body.id;
}

test.before(async () => {
  daybook = await startTestService({ wrap });
  await daybook.service.app.listen({ host: '127.0.0.1', port: 0 });
  const address = daybook.service.app.server.address();
  port = typeof address === 'object' && address ? address.port : 0;
  for (const [kind, name] of [
    ['venue', 'Hall'],
    ['organizer', 'Guild'],
  ] as const) {
    ids[kind] = (await daybook.created('editor', `${kind}s`, { [kind]: name })).id;
    ids[`draft ${kind}`] = (await daybook.created('editor', `${kind}s`, { [kind]: `D ${name}`, status: 'draft' })).id;
    ids[`trashed ${kind}`] = (await daybook.created('editor', `${kind}s`, { [kind]: `T ${name}` })).id;
    await daybook.request('editor', 'DELETE', `/${kind}s/${ids[`trashed ${kind}`]}`);
  }
  const event = async (members: object) => (await daybook.created('editor', 'events', someEvent(members))).id;
  ids.event = await event({});
  ids['draft event'] = await event({ status: 'draft' });
  ids['locked event'] = await event({ password: 'sesame' });
  ids['trashed event'] = await event({});
  await daybook.request('editor', 'DELETE', `/events/${ids['trashed event']}`);
  ids.one = (await daybook.created('editor', 'tags', { name: 'one' })).id;
  ids.two = (await daybook.created('editor', 'tags', { name: 'two' })).id;
});
test.before.each(() => {
  failing.store = null;
  failing.readModel = null;
});
test.after(() => daybook.close());

/** Sends bytes as they are, and parses what comes back. */
async function raw(text: string): Promise<Answer> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.write(text);
  await once(socket, 'close');
  const [head = '', ...rest] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n');
  const answer = rest.join('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), headers: {}, text: answer, body: JSON.parse(answer) };
}

const basic = (user: string, token: string) => `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`;
const withToken = (authorization: string) => daybook.get('/events', 'anonymous', { authorization });
const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
const json = { 'content-type': 'application/json' };

/** One request for each code; the status is the catalogue's unless it stands here. */
const REACHED: { readonly [Code in ErrorCode]?: () => Promise<Answer> } = {
  rest_no_route: () => daybook.get('/nothing'),
  rest_invalid_namespace: () => daybook.get('?namespace=other/v2'),
  rest_invalid_json: () => daybook.request('editor', 'POST', '/events', '{"title":', json),
  rest_invalid_form: () => daybook.request('editor', 'POST', '/events', 'no form', multipart),
  rest_too_many_parameters: () => daybook.get(`/events?${'a=1&'.repeat(2001)}`),
  rest_invalid_host: () => daybook.get('/events', 'anonymous', { host: 'evil.example/"><script>' }),
  rest_bad_request: () => raw('NONSENSE\r\n\r\n'),
  rest_callback_disabled: () => daybook.get('/events?_jsonp=alert'),
  rest_missing_callback_param: () => daybook.request('editor', 'POST', '/events', {}),
  rest_invalid_param: () => daybook.get('/events?page=0'),
  rest_forbidden: () => daybook.request('subscriber', 'POST', '/events', someEvent()),
  invalid_username: () => withToken(basic('stranger', `1-1-${'a'.repeat(24)}`)),
  invalid_email: () => withToken(basic('stranger@cal.example', `1-1-${'a'.repeat(24)}`)),
  incorrect_password: () => withToken(basic('editor', `2-1-${'a'.repeat(24)}`)),
  'rest-event-not-found': () => daybook.get('/events/999999'),
  'rest-invalid-event-id': () => daybook.get(`/events/${ids.venue}`),
  'event-not-accessible': () => daybook.get(`/events/${ids['draft event']}`),
  'venue-not-accessible': () => daybook.get(`/venues/${ids['draft venue']}`),
  'organizer-not-accessible': () => daybook.get(`/organizers/${ids['draft organizer']}`),
  'event-no-longer-available': () => daybook.get(`/events/${ids['trashed event']}`, 'administrator'),
  'event-password-protected': () => daybook.get(`/events/${ids['locked event']}`, 'administrator'),
  'event-archive-page-not-found': () => daybook.get('/events?page=99'),
  'venue-archive-page-not-found': () => daybook.get('/venues?page=99'),
  'organizer-archive-page-not-found': () => daybook.get('/organizers?page=99'),
  'event-is-in-trash': () => daybook.request('editor', 'DELETE', `/events/${ids['trashed event']}`),
  'venue-is-in-trash': () => daybook.request('editor', 'DELETE', `/venues/${ids['trashed venue']}`),
  'organizer-is-in-trash': () => daybook.request('editor', 'DELETE', `/organizers/${ids['trashed organizer']}`),
  'could-not-create-venue': () => daybook.request('editor', 'POST', '/events', someEvent({ venue: { venue: ' ' } })),
  'could-not-create-organizer': () =>
    daybook.request('editor', 'POST', '/events', someEvent({ organizer: { organizer: ' ' } })),
  rest_history_page_not_found: () => daybook.get(`/events/${ids.event}/history?page=99`, 'editor'),
  rest_revision_not_found: () => daybook.get(`/events/${ids.event}?revision=99`, 'editor'),
  rest_revert_conflict: async () => {
    const { id } = await daybook.created('editor', 'tags', { name: 'soon gone' });
    const event = await daybook.created('editor', 'events', someEvent({ title: 'Tagged', tags: [id] }));
    await daybook.request('editor', 'POST', `/events/${event.id}`, { tags: '' });
    await daybook.request('editor', 'DELETE', `/tags/${id}`);
    return daybook.request('editor', 'POST', `/events/${event.id}/revert`, { revision: 1 });
  },
  rest_nothing_proposed: () => daybook.request('editor', 'POST', `/events/${ids.event}/proposals`, {}),
  rest_own_proposal: async () => daybook.request('editor', 'POST', `/proposals/${await proposed('a')}/approve`, {}),
  rest_proposal_closed: async () => {
    const id = await proposed('b');
    await daybook.request('editor', 'POST', `/proposals/${id}/withdraw`, {});
    return daybook.request('editor', 'POST', `/proposals/${id}/withdraw`, {});
  },
  rest_proposal_conflict: async () => {
    const id = await proposed('c');
    await daybook.request('editor', 'POST', `/events/${ids.event}`, { excerpt: 'other' });
    return daybook.request('administrator', 'POST', `/proposals/${id}/approve`, {});
  },
  rest_proposal_not_found: () => daybook.get('/proposals/999', 'editor'),
  rest_set_closed: async () => {
    const { body } = await daybook.request('editor', 'POST', '/sets', { name: 'Closed' });
    await daybook.request('editor', 'DELETE', `/sets/${body.id}`);
    return daybook.request('editor', 'POST', `/sets/${body.id}/apply`, {});
  },
  rest_set_empty: async () => {
    const { body } = await daybook.request('editor', 'POST', '/sets', { name: 'Empty' });
    return daybook.request('editor', 'POST', `/sets/${body.id}/apply`, {});
  },
  rest_guest_link_not_found: () => daybook.get('/guest-links/999', 'editor'),
  rest_source_not_found: () => daybook.get('/sources/999', 'editor'),
  rest_webhook_not_found: () => daybook.get('/webhooks/999', 'administrator'),
  rest_set_not_found: () => daybook.get('/sets/999', 'editor'),
  rest_set_unfit: async () => {
    const id = await proposed('unfit');
    await daybook.request('editor', 'POST', `/proposals/${id}/withdraw`, {});
    const { body } = await daybook.request('editor', 'POST', '/sets', { name: 'Unfit', proposals: [id] });
    return daybook.request('editor', 'POST', `/sets/${body.id}/apply`, {});
  },
  rest_own_set: async () => {
    const { body } = await daybook.request('editor', 'POST', '/sets', {
      name: 'Own',
      proposals: [await proposed('own set')],
    });
    return daybook.request('editor', 'POST', `/sets/${body.id}/approve`, {});
  },
  rest_set_already_approved: async () => {
    const sent = { name: 'Twice', proposals: [await proposed('approved twice')] };
    const { body } = await daybook.request('editor', 'POST', '/sets', sent);
    await daybook.request('administrator', 'POST', `/sets/${body.id}/approve`, {});
    return daybook.request('administrator', 'POST', `/sets/${body.id}/approve`, {});
  },
  rest_proposal_page_not_found: () => daybook.get('/proposals?page=999', 'editor'),
  rest_target_in_trash: async () => {
    const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Binned' }));
    await daybook.request('editor', 'DELETE', `/events/${id}`);
    return daybook.request('editor', 'POST', `/events/${id}/proposals`, { title: 'x' });
  },
  rest_not_there_then: () => daybook.get(`/events/${ids.event}?as_of=2001-01-01`),
  rest_past_protected: () => daybook.get(`/events/${ids['locked event']}?as_of=now`),
  term_exists: () => daybook.request('editor', 'POST', '/tags', { name: 'ONE' }),
  rest_taxonomy_not_hierarchical: () => daybook.request('editor', 'POST', '/tags', { name: 'x', parent: ids.one }),
  duplicate_term_slug: () => daybook.request('editor', 'PUT', `/tags/${ids.two}`, { slug: 'one' }),
  rest_user_not_found: () => daybook.get('/users/999', 'administrator'),
  rest_user_page_not_found: () => daybook.get('/users?page=99', 'administrator'),
  rest_user_exists: () => daybook.request('administrator', 'POST', '/users', { login: 'EDITOR', role: 'author' }),
  rest_last_administrator: () =>
    daybook.request('administrator', 'DELETE', `/users/${daybook.userId('administrator')}`),
  rest_credential_not_found: () =>
    daybook.request('administrator', 'DELETE', `/users/${daybook.userId('editor')}/credentials/9`),
  rest_precondition_failed: () =>
    daybook.request('editor', 'PUT', `/events/${ids.event}`, { title: 'x' }, { 'if-match': '"77"' }),
  rest_request_too_large: () =>
    daybook.request('editor', 'POST', '/events', JSON.stringify({ title: 'x'.repeat(1_048_576) }), json),
  rest_uri_too_long: () => daybook.get(`/events?search=${'x'.repeat(16_384)}`),
  rest_headers_too_large: () =>
    raw(`GET ${PREFIX}/events HTTP/1.1\r\nHost: cal.example\r\nX-Filler: ${'x'.repeat(50_000)}\r\n\r\n`),
  internal_server_error: () => {
    failing.readModel = new Error('the secret reason, at /home/deploy');
    return daybook.get('/events');
  },
  rest_schedule_page_not_found: () => daybook.get('/schedule?page=99', 'editor'),
  rest_import_not_found: () => daybook.get('/imports/7', 'editor'),
  rest_picture_not_found: () => daybook.get('/media/99', 'author'),
  rest_picture_page_not_found: () => daybook.get('/media?page=99', 'author'),
  rest_series_not_found: () => daybook.get('/series/99999'),
  rest_series_page_not_found: () => daybook.get('/series?page=99'),
  rest_request_not_found: () => daybook.request('editor', 'POST', '/reverts', { request: 'nothing' }),
  rest_cannot_merge: () => daybook.request('editor', 'POST', `/venues/${ids.venue}/merge`, { into: String(ids.venue) }),
  rest_unavailable: () => {
    failing.readModel = new ReadModelUnavailable('views.db is gone');
    return daybook.get('/events');
  },
};

const SIGN_ON = 'takes a single sign-on; single-sign-on.test.ts reaches it';

const REVIEW = 'takes rules of review; review-policy.test.ts reaches it';

const PICTURE = 'takes a file; media.test.ts reaches it';

const SHIM = 'takes an alias; shims.test.ts reaches it';
const NOT_REACHED: { readonly [Code in ErrorCode]?: string } = {
  rest_request_timeout: 'takes a client that stalls for minutes; test/http covers the mapping',
  rest_invalid_token: SIGN_ON,
  rest_no_role: SIGN_ON,
  rest_user_removed: SIGN_ON,
  rest_sign_on_unavailable: SIGN_ON,
  rest_rate_limited: 'takes many attempts; guessing.test.ts reaches it',
  rest_not_logged_in: SHIM,
  rest_term_invalid: SHIM,
  rest_post_invalid_id: SHIM,
  rest_post_invalid_page_number: SHIM,
  rest_trash_not_supported: SHIM,
  rest_already_approved: REVIEW,
  rest_bypass_refused: REVIEW,
  rest_policy_locks_out: REVIEW,
  rest_review_required: REVIEW,
  rest_picture_in_use: PICTURE,
  rest_upload_missing: PICTURE,
  rest_upload_not_a_picture: PICTURE,
  rest_upload_too_large: PICTURE,
  rest_pictures_unavailable: PICTURE,
  rest_delivery_not_found: 'takes a webhook; document.test.ts reaches it',
  rest_too_many_webhooks: 'takes many of them; document.test.ts reaches it',
  rest_too_many_sources: 'takes many of them; document.test.ts reaches it',
  rest_source_polling: 'takes two polls at once; document.test.ts reaches it',
  rest_series_joined: 'takes a split that was taken back; series-reverts.test.ts reaches it',
  rest_merged: 'takes a merge; merges.test.ts reaches it',
  rest_parked: 'takes an event of a newer version; poison.test.ts reaches it',
  rest_moved_permanently: 'takes a merge; merges.test.ts reaches it',
  rest_slug_changed: 'takes another slug; former-slugs.test.ts reaches it',
  'organizer-is-erased': 'takes an erasure; erasure.test.ts reaches it',
};

test('every code of the catalogue is reached here, or listed with a reason', () => {
  const covered = [...Object.keys(REACHED), ...Object.keys(NOT_REACHED)].sort();
  assert.equal(covered, Object.keys(ERROR_STATUSES).sort());
});

const ENVELOPE = ['additional_data', 'code', 'data', 'message'];

for (const [code, send] of Object.entries(REACHED)) {
  test(`${code} comes in the envelope, with its status twice`, async () => {
    const { status, body, text } = await send();
    assert.is(body.code, code, text.slice(0, 200));
    assert.is(status, ERROR_STATUSES[code as ErrorCode]);
    assert.is(body.data.status, status);
    assert.ok(typeof body.message === 'string' && body.message !== '');
    assert.ok(Object.keys(body).every((member) => ENVELOPE.includes(member)));
  });
}

test('missing parameters are named in a list, refused and mistyped ones in an object', async () => {
  const missing = await daybook.request('editor', 'POST', '/events', { title: null });
  assert.equal(missing.body.data, { status: 400, params: ['title', 'start_date', 'end_date'] });
  const refused = await daybook.get('/events?page=0&per_page=x&featured=maybe');
  assert.equal(refused.body.data.params, {
    page: 'page must be a whole number from 1.',
    per_page: 'per_page must be 1 to 50.',
  });
  assert.equal(refused.body.data.details, []);
  const mistyped = await daybook.get('/events?featured=maybe');
  const message = 'featured is not of type boolean.';
  assert.equal(mistyped.body.data.params, { featured: message });
  assert.equal(mistyped.body.data.details, {
    featured: { code: 'rest_invalid_type', message, data: { param: 'featured' } },
  });
});

test('an existing term is named by its id where another one is refused', async () => {
  const { body } = await daybook.request('editor', 'POST', '/tags', { name: 'One' });
  assert.equal([body.data.term_id, body.additional_data], [ids.one, [ids.one, ids.one]]);
});

test('a failure inside shows nothing of itself to the client, and all of it in the log', async () => {
  failing.readModel = new Error('the secret reason, at /home/deploy');
  const { text, headers, status } = await daybook.get('/events');
  assert.is(status, 500);
  assert.not.match(text, /secret|deploy|\.ts|stack/);
  assert.not.match(JSON.stringify(headers), /secret/);
  const line = daybook.logged.find(({ correlationId }: Body) => correlationId === headers['x-request-id']);
  assert.match(line.err.message, 'the secret reason');
});

const READS = ['/events', '/venues', '/organizers', '/categories', '/tags', '/events.ics', '/events.rss'];

test('lists answer 503 with Retry-After while the read model is unavailable, and recover', async () => {
  for (const target of READS) {
    failing.readModel = new ReadModelUnavailable('away');
    const { status, body, headers } = await daybook.get(target);
    assert.equal([target, status, body.code], [target, 503, 'rest_unavailable']);
    assert.is(headers['retry-after'], '5');
  }
  failing.readModel = null;
  assert.is((await daybook.get('/events')).status, 200);
});

test('writes answer 503 while the event store is unavailable, reads continue', async () => {
  failing.store = new EventStoreUnavailable('away');
  const writes: readonly (readonly [string, string, object?])[] = [
    ['POST', '/events', someEvent()],
    ['PUT', `/events/${ids.event}`, { title: 'x' }],
    ['DELETE', `/venues/${ids.venue}`],
    ['POST', '/categories', { name: 'x' }],
  ];
  for (const [method, target, body] of writes) {
    const answer = await daybook.request('editor', method, target, body);
    assert.equal([method, target, answer.status, answer.body.code], [method, target, 503, 'rest_unavailable']);
    assert.ok(answer.headers['retry-after']);
  }
  assert.is((await daybook.get('/events')).status, 200);
  assert.is((await daybook.get(`/events/${ids.event}`)).status, 200);
});

test('an unexpected failure of the event store is a 500 and writes nothing', async () => {
  const before = await daybook.store.head();
  failing.store = new Error('disk on fire');
  const answer = await daybook.request('editor', 'POST', '/events', someEvent());
  assert.equal([answer.status, answer.body.code], [500, 'internal_server_error']);
  failing.store = null;
  assert.is(await daybook.store.head(), before);
});

test('an unknown method on a known path, and any on an unknown one, has no route', async () => {
  const cases = [
    ['DELETE', '/events'],
    ['PUT', '/venues'],
    ['POST', '/events/by-slug'],
    ['GET', '/events/abc'],
    ['GET', '/events/-1'],
    ['GET', '/events/1.5'],
    ['GET', '/events/by-slug/'],
    ['GET', '/categories/by-slug/one'],
    ['GET', '//elsewhere'],
    ['POST', '//'],
  ] as const;
  for (const [method, target] of cases) {
    const { status, body } = await daybook.request('editor', method, target);
    assert.equal([method, target, status, body.code], [method, target, 404, 'rest_no_route']);
  }
});

test.run();
