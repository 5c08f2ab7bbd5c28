// Users over the API: administrators manage them, users manage their own credentials.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { As } from '../support/service.ts';
import { type Answer, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('users over the API');
test.before.each(async (context) => {
  context.daybook = await startTestService();
});
test.after.each(({ daybook }) => daybook.close());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const outcome = ({ status, body }: Answer) => [status, body?.code];

/** Kim, an author whom the administrator has added. */
const addKim = (daybook: TestService, members: object = {}) =>
  daybook.request('administrator', 'POST', '/users', {
    login: 'Kim',
    role: 'author',
    email: 'kim@example.org',
    ...members,
  });

test('an added user is answered with the token, and signs in with it', async ({ daybook }) => {
  const added = await addKim(daybook, { name: 'Kim Hill', label: 'laptop' });
  const { id, password, credentials, ...rest } = added.body;
  const url = `http://cal.example/calendar/events/v1/users/${id}`;
  assert.equal(
    [added.status, added.headers.location, added.headers.etag, added.headers['x-daybook-views']],
    [201, url, '"1"', undefined],
  );
  assert.match(added.headers['cache-control'] ?? '', 'private');
  assert.equal(rest, { login: 'Kim', name: 'Kim Hill', email: 'kim@example.org', role: 'author', url });
  assert.equal(credentials, [{ id: 1, label: 'laptop', issued: '2026-11-20T12:00:00.000Z' }]);
  assert.match(password, /^\d+-1-[A-Za-z0-9]{24}$/);
  const own = await daybook.get('/users/me', 'anonymous', bearer(password));
  assert.equal([own.status, own.body.login, own.body.password], [200, 'Kim', undefined]);
});

test('no answer contains a token twice, and none a hash', async ({ daybook }) => {
  const { body } = await addKim(daybook);
  const secret = body.password.slice(-24);
  const paths = ['', `/${body.id}`, `/${body.id}/credentials`, `/${body.id}/history`];
  for (const path of paths) {
    const { status, text } = await daybook.get(`/users${path}`, 'administrator');
    assert.is(status, 200, path);
    assert.not.ok(text.includes(secret) || /scrypt|hash/.test(text), path);
  }
});

test('what a user cannot be is refused by name', async ({ daybook }) => {
  await addKim(daybook);
  const cases: readonly (readonly [object, number, string, unknown])[] = [
    [{ login: 'kim' }, 409, 'rest_user_exists', ['login']],
    [{ login: 'lee', email: 'KIM@example.org' }, 409, 'rest_user_exists', ['email']],
    [{ login: 'l:e' }, 400, 'rest_invalid_param', { login: 'Invalid parameter.' }],
    [{ login: 'lee', email: 'lee' }, 400, 'rest_invalid_param', { email: 'Invalid parameter.' }],
    [
      { login: 'lee', role: 'boss' },
      400,
      'rest_invalid_param',
      { role: 'role must be one of administrator, editor, author, contributor, subscriber.' },
    ],
  ];
  for (const [members, status, code, params] of cases) {
    const refused = await addKim(daybook, members);
    assert.equal([...outcome(refused), refused.body.data.params], [status, code, params]);
  }
  const missing = await daybook.request('administrator', 'POST', '/users', {});
  assert.equal(missing.body.data.params, ['login', 'role']);
});

test('a repeated request with its key adds no other user and does not repeat the token', async ({ daybook }) => {
  const key = { 'idempotency-key': 'kim-1' };
  const send = () => daybook.request('administrator', 'POST', '/users', { login: 'Kim', role: 'author' }, key);
  const [first, second] = [await send(), await send()];
  assert.equal([first.status, second.status, second.body.id], [201, 201, first.body.id]);
  assert.type(first.body.password, 'string');
  assert.is(second.body.password, null);
  const path = `/users/${first.body.id}/credentials`;
  const issue = (k: string) => daybook.request('administrator', 'POST', path, { label: 'a' }, { 'idempotency-key': k });
  const credentials = [await issue('c'), await issue('c')];
  assert.equal(
    credentials.map(({ status, body }) => [status, body.id, body.password === null]),
    [
      [201, 2, false],
      [201, 2, true],
    ],
  );
  assert.equal(outcome(await issue('kim-1')), [400, 'rest_invalid_param']);
});

test('the list is paged by id, searched and narrowed by role', async ({ daybook }) => {
  await addKim(daybook, { name: 'Kim Hill' });
  const list = async (query: string) => {
    const { body, headers } = await daybook.get(`/users?${query}`, 'administrator');
    return [body.users.map(({ login }: { login: string }) => login), body.total, headers['x-tec-totalpages']];
  };
  assert.equal(await list('per_page=3&page=2'), [['contributor', 'subscriber', 'otherAuthor'], 8, '3']);
  assert.equal(await list('role=author'), [['author', 'otherAuthor', 'Kim'], 3, '1']);
  assert.equal(await list('search=KIM@EXAMPLE'), [['Kim'], 1, '1']);
  assert.equal(await list('search=hill+kim'), [['Kim'], 1, '1']);
  assert.equal(await list('search=unmatched'), [[], 0, '0']);
  assert.equal(await list('search=author&role=subscriber'), [[], 0, '0']);
  const { body } = await daybook.get('/users?per_page=1&page=2&role=author', 'administrator');
  assert.is(body.next_rest_url, 'http://cal.example/calendar/events/v1/users/?per_page=1&role=author&page=3');
  assert.equal(outcome(await daybook.get('/users?page=9', 'administrator')), [404, 'rest_user_page_not_found']);
  assert.equal(outcome(await daybook.get('/users?role=boss', 'administrator')), [400, 'rest_invalid_param']);
});

test('a list that has not changed is not sent again', async ({ daybook }) => {
  const { headers } = await daybook.get('/users', 'administrator');
  const tag = { 'if-none-match': headers.etag ?? '' };
  assert.is((await daybook.get('/users', 'administrator', tag)).status, 304);
  await addKim(daybook);
  assert.is((await daybook.get('/users', 'administrator', tag)).status, 200);
});

test('role, name and e-mail are changed under the tag of the user; the login is not', async ({ daybook }) => {
  const { id, password } = (await addKim(daybook)).body;
  const patch = (body: object, headers = {}) =>
    daybook.request('administrator', 'PATCH', `/users/${id}`, body, headers);
  const changed = await patch({ role: 'editor', name: 'Kim', email: '', login: 'Kim' }, { 'if-match': '"1"' });
  assert.equal(
    [changed.status, changed.body.role, changed.body.email, changed.headers.etag],
    [200, 'editor', '', '"3"'],
  );
  assert.is((await daybook.get('/users/me', 'anonymous', bearer(password))).body.role, 'editor');
  assert.equal(outcome(await patch({ name: 'K' }, { 'if-match': '"1"' })), [412, 'rest_precondition_failed']);
  assert.equal(outcome(await patch({ login: 'Lee' })), [400, 'rest_invalid_param']);
  assert.equal(outcome(await patch({ email: 'kim' })), [400, 'rest_invalid_param']);
  const read = await daybook.get(`/users/${id}`, 'administrator', { 'if-none-match': '"3"' });
  assert.is(read.status, 304);
  await addKim(daybook, { login: 'lee', email: 'kim@example.org' });
  assert.equal(outcome(await patch({ email: 'kim@example.org' })), [409, 'rest_user_exists']);
});

test('a removed user is refused at once, gone from the list, and listed in the history', async ({ daybook }) => {
  const { id, password } = (await addKim(daybook)).body;
  const removed = await daybook.request('administrator', 'DELETE', `/users/${id}`, { _reason: 'left us' });
  assert.equal([removed.status, removed.body.login], [200, 'Kim']);
  assert.equal(outcome(await daybook.get('/users/me', 'anonymous', bearer(password))), [401, 'incorrect_password']);
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/credentials'],
    ['DELETE', '/credentials/1'],
  ] as const)
    assert.equal(outcome(await daybook.request('administrator', method, `/users/${id}${path}`)), [
      404,
      'rest_user_not_found',
    ]);
  assert.is((await daybook.get('/users', 'administrator')).body.total, 7);
  const { body } = await daybook.get(`/users/${id}/history?per_page=2`, 'administrator');
  assert.equal(
    body.history.map((entry: { summary: string; actor: object; reason: string | null }) => [
      entry.summary,
      entry.actor,
      entry.reason,
    ]),
    [
      ['Removed.', { id: 1, name: 'administrator' }, 'left us'],
      ['Token 1 issued: first token.', { id: 1, name: 'administrator' }, null],
    ],
  );
  assert.equal([body.total, body.total_pages], [3, 2]);
  assert.is(
    (await daybook.get(`/users/${id}/history?page=9`, 'administrator')).body.code,
    'rest_history_page_not_found',
  );
  assert.equal(outcome(await daybook.get('/users/999/history', 'administrator')), [404, 'rest_user_not_found']);
});

test('all users list, issue and revoke their own credentials', async ({ daybook }) => {
  const { id, password } = (await addKim(daybook)).body;
  const kim = (method: string, path: string, body?: object) =>
    daybook.request('anonymous', method, `/users/${id}/credentials${path}`, body, bearer(password));
  const issued = await kim('POST', '', { label: 'phone' });
  const { password: second, ...credential } = issued.body;
  assert.equal([issued.status, credential.id, credential.label], [201, 2, 'phone']);
  assert.equal((await kim('GET', '')).body.credentials.length, 2);
  assert.is((await daybook.get('/users/me', 'anonymous', bearer(second))).status, 200);
  const revoked = await kim('DELETE', '/1');
  assert.equal([revoked.status, revoked.body.label], [200, 'first token']);
  assert.equal(outcome(await kim('GET', '')), [401, 'incorrect_password']);
  const left = await daybook.get(`/users/${id}/credentials`, 'anonymous', bearer(second));
  assert.equal(left.body.credentials, [credential]);
  const again = await daybook.request('administrator', 'DELETE', `/users/${id}/credentials/1`);
  assert.equal(outcome(again), [404, 'rest_credential_not_found']);
  assert.equal(outcome(await kim('POST', '', {})), [401, 'incorrect_password']);
  const blank = await daybook.request('administrator', 'POST', `/users/${id}/credentials`, { label: ' ' });
  assert.equal(outcome(blank), [400, 'rest_invalid_param']);
});

test('the last administrator stays one, and the refusal says why', async ({ daybook }) => {
  const id = daybook.userId('administrator');
  const attempts = [
    ['PATCH', `/users/${id}`, { role: 'editor' }],
    ['DELETE', `/users/${id}`],
    ['DELETE', `/users/${id}/credentials/1`],
  ] as const;
  for (const [method, path, body] of attempts) {
    const refused = await daybook.request('administrator', method, path, body);
    assert.equal(outcome(refused), [409, 'rest_last_administrator']);
    assert.match(refused.body.message, /last administrator/);
  }
  const other = (await addKim(daybook, { role: 'administrator' })).body;
  assert.is((await daybook.request('administrator', 'PATCH', `/users/${id}`, { role: 'editor' })).status, 200);
  assert.equal(outcome(await daybook.get('/users', 'administrator')), [403, 'rest_forbidden']);
  assert.is((await daybook.get('/users', 'anonymous', bearer(other.password))).status, 200);
});

/** Who may ask what: `own` is a path of the caller's own. */
const questions: readonly (readonly [string, string, 'administrators' | 'own'])[] = [
  ['GET', '/users', 'administrators'],
  ['POST', '/users', 'administrators'],
  ['GET', '/users/{id}', 'own'],
  ['PATCH', '/users/{id}', 'administrators'],
  ['PUT', '/users/{id}', 'administrators'],
  ['POST', '/users/{id}', 'administrators'],
  ['DELETE', '/users/{id}', 'administrators'],
  ['PUT', '/users/{id}/password', 'administrators'],
  ['GET', '/users/{id}/credentials', 'own'],
  ['POST', '/users/{id}/credentials', 'own'],
  ['DELETE', '/users/{id}/credentials/9', 'own'],
  ['GET', '/users/{id}/history', 'administrators'],
];
const BODY = { login: 'lee', role: 'author', label: 'phone', password: 'long enough a password' };

for (const [method, path, right] of questions)
  test(`${method} ${path} is for ${right === 'own' ? 'administrators and oneself' : 'administrators'}`, async ({
    daybook,
  }) => {
    const ask = (as: As, of: As) =>
      daybook.request(
        as,
        method,
        path.replace('{id}', String(daybook.userId(of))),
        method === 'GET' ? undefined : BODY,
      );
    assert.equal(outcome(await ask('anonymous', 'editor')), [401, 'rest_forbidden']);
    for (const as of ['editor', 'author', 'contributor', 'subscriber'] as const)
      assert.equal(outcome(await ask(as, 'otherAuthor')), [403, 'rest_forbidden'], as);
    const own = await ask('subscriber', 'subscriber');
    assert.is(own.body.code === 'rest_forbidden', right !== 'own', own.text);
  });

test('a history is in the language of its reader', async ({ daybook }) => {
  const { id } = (await addKim(daybook)).body;
  const read = await daybook.get(`/users/${id}/history?_locale=de`, 'administrator');
  assert.is(read.headers['content-language'], 'de');
  assert.equal(
    read.body.history.map(({ summary }: { summary: string }) => summary),
    ['Token 1 ausgestellt: first token.', 'Als „Kim“ mit der Rolle author angelegt.'],
  );
});

test('all signed-in users have their own profile', async ({ daybook }) => {
  assert.equal(outcome(await daybook.get('/users/me')), [401, 'rest_forbidden']);
  for (const as of ['administrator', 'subscriber'] as const)
    assert.is((await daybook.get('/users/me', as)).body.login, as);
});

test('allowed methods are those of the caller', async ({ daybook }) => {
  const id = daybook.userId('subscriber');
  const allow = async (as: As, path: string) => (await daybook.get(path, as)).headers.allow;
  assert.is(await allow('administrator', '/users'), 'GET, POST');
  assert.is(await allow('administrator', `/users/${id}`), 'GET, POST, PUT, PATCH, DELETE');
  assert.is(await allow('subscriber', `/users/${id}`), 'GET');
  assert.is(await allow('subscriber', `/users/${id}/credentials`), 'GET, POST');
});

test('the routes of users are last in the index', async ({ daybook }) => {
  const paths = Object.keys((await daybook.get('/')).body.routes).map((path) =>
    path.replace('/calendar/events/v1', ''),
  );
  const first = paths.findIndex((path) => path.startsWith('/users'));
  assert.equal(paths.slice(first), [
    '/users',
    '/users/me',
    '/users/(?P<id>\\d+)',
    '/users/(?P<id>\\d+)/credentials',
    '/users/(?P<id>\\d+)/credentials/(?P<credential>\\d+)',
    '/users/(?P<id>\\d+)/history',
    '/users/(?P<id>\\d+)/password',
    '/users/(?P<id>\\d+)/password-link',
    '/users/(?P<id>\\d+)/sessions',
    '/users/(?P<id>\\d+)/searches',
  ]);
});

test.run();
