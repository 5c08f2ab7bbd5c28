// `POST /reverts`: reverts what a whole request or import did.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, type As, type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('reverting requests over HTTP');

test.before.each(async (context) => {
  context.daybook = await startTestService();
});
test.after.each(({ daybook }) => daybook.close());

const idOf = ({ headers }: Answer): string => String(headers['x-request-id']);
const brief = (resources: readonly Body[]): string[] =>
  resources.map(({ kind, id, action, outcome }) => `${kind} ${id} ${action} ${outcome}`);

const revert = ({ request }: TestService, body: object, headers = {}, as: As = 'editor') =>
  request(as, 'POST', '/reverts', body, headers);

/** One request that makes an event, its venue and a tag. */
async function makeThree({ request }: TestService): Promise<string> {
  return idOf(await request('editor', 'POST', '/events', someEvent({ venue: { venue: 'Hall' }, tags: ['loud'] })));
}

test('a dry run says what would happen and writes nothing; the run does that, and can itself be reverted', async ({
  daybook,
}) => {
  const made = await makeThree(daybook);
  const head = async () => (await daybook.get('/changes?after=end', 'editor')).body.next;
  const before = await head();
  const expected = ['event 2 trash done', 'venue 1 trash done', 'tag 1 delete done'];
  const dry = await revert(daybook, { request: made, dry_run: true });
  assert.is(dry.status, 200);
  assert.equal([brief(dry.body.resources), dry.body.dry_run, dry.body.correlation_id], [expected, true, null]);
  assert.is(await head(), before, 'a dry run writes nothing');
  const { body, headers } = await revert(daybook, { import: made });
  assert.equal(brief(body.resources), expected);
  assert.equal([body.complete, body.done, body.unchanged, body.conflicts, body.left], [true, 3, 0, 0, 0]);
  assert.not('users_not_reverted' in body, 'editors do not manage users');
  assert.ok(headers['x-daybook-position']);
  assert.is((await daybook.get('/events/2', 'editor')).status, 403);
  const [entry] = (await daybook.get('/changes?order=desc', 'editor')).body.changes;
  assert.equal(
    [entry.correlation_id, entry.reason, entry.actor.name],
    [body.correlation_id, `revert of ${made}`, 'editor'],
  );
  const again = await revert(daybook, { request: body.correlation_id }, {}, 'administrator');
  assert.equal([again.body.done, again.body.users_not_reverted], [3, 0]);
  assert.is((await daybook.get('/events/2')).status, 200);
});

test('what was changed since, or is still in use, stays and says why', async ({ daybook }) => {
  const made = await makeThree(daybook);
  await daybook.created('editor', 'events', someEvent({ title: 'Other', venue: 1 }));
  await daybook.request('editor', 'PATCH', '/tags/1', { name: 'quiet' });
  for (const dry_run of [true, false]) {
    const { body } = await revert(daybook, { request: made, dry_run });
    assert.equal(brief(body.resources).sort(), [
      'event 2 trash done',
      'tag 1 delete changed_later',
      'venue 1 trash in_use',
    ]);
    const why = (kind: string) => body.resources.find((one: Body) => one.kind === kind).why;
    assert.match(why('tag'), /^changed since by editor at /);
    assert.is(why('venue'), 'still used by event 3');
    assert.is(body.conflicts, 2);
  }
  const german = await revert(daybook, { request: made, dry_run: true }, { 'accept-language': 'de' });
  assert.match(JSON.stringify(german.body), 'noch verwendet von event 3');
});

test('the same key is the same run, and writes nothing the second time', async ({ daybook }) => {
  const made = await makeThree(daybook);
  const first = await revert(daybook, { request: made }, { 'idempotency-key': 'k1' });
  const { next } = (await daybook.get('/changes?after=end', 'editor')).body;
  const second = await revert(daybook, { request: made }, { 'idempotency-key': 'k1' });
  assert.equal([second.body.done, second.body.correlation_id], [3, first.body.correlation_id]);
  assert.is((await daybook.get('/changes?after=end', 'editor')).body.next, next);
  const other = await revert(daybook, { request: made }, { 'idempotency-key': 'k2' });
  assert.equal([other.body.done, other.body.unchanged], [0, 3]);
  assert.is.not(other.body.correlation_id, first.body.correlation_id);
});

const RIGHTS: { readonly [Who in As]?: number } = {
  administrator: 200,
  editor: 200,
  author: 403,
  contributor: 403,
  subscriber: 403,
  anonymous: 401,
};

for (const [as, status] of Object.entries(RIGHTS) as [As, number][])
  test(`${as} gets ${status}, for a dry run too`, async ({ daybook }) => {
    const made = await makeThree(daybook);
    for (const dry_run of [true, false])
      assert.is((await revert(daybook, { request: made, dry_run }, {}, as)).status, status);
    assert.is((await daybook.get('/events/2')).status, status === 200 ? 403 : 200);
  });

test('what cannot be reverted is refused in a sentence', async ({ daybook }) => {
  const code = async (body: object, as: As = 'editor') => {
    const { status, body: answered } = await revert(daybook, body, {}, as);
    return `${status} ${answered.code}`;
  };
  assert.is(await code({ request: 'of none' }), '404 rest_request_not_found');
  for (const body of [{}, { request: 'a', import: 'b' }, { request: '' }, { request: 'a', dry_run: 'perhaps' }])
    assert.is(await code(body), '400 rest_invalid_param', JSON.stringify(body));
  const user = { login: 'zoe', role: 'author', email: 'zoe@example.org' };
  const added = idOf(await daybook.request('administrator', 'POST', '/users', user));
  assert.is(await code({ request: added }), '404 rest_request_not_found', 'editors learn nothing of users');
  const seen = await revert(daybook, { request: added, dry_run: true }, {}, 'administrator');
  assert.equal([seen.body.resources, seen.body.users_not_reverted], [[], 1]);
});

test.run();
