// Rules of review on EventStoreDB and Redis, with two processes that answer: both judge by the same rules at once, and
// approvals that arrive at both at the same time are counted once each.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import type { Serving } from '../support/process.ts';
import { type Body, someEvent } from '../support/service.ts';

interface Context {
  deployment: Deployment;
  apis: readonly [Serving, Serving];
  /** By login. */
  tokens: ReadonlyMap<string, string>;
  /** The newest position in an answer so far. */
  seen: { at: string };
}

const test = suite<Context>('rules of review and several processes');

test.before(async (context) => {
  context.deployment = await startDeployment();
  const { start } = context.deployment;
  const [, one, other] = await Promise.all([start('projector'), start('api'), start('api')]);
  context.apis = [one, other];
  const tokens = new Map([['root', one.token ?? other.token ?? '']]);
  context.tokens = tokens;
  context.seen = { at: '' };
  for (const [login, role] of [
    ['ann', 'author'],
    ['ed', 'editor'],
    ['eve', 'editor'],
  ] as const) {
    const added = await call(context, one, 'root', 'POST', '/users', { login, role, label: 'test' });
    assert.is(added.status, 201, JSON.stringify(added.body));
    tokens.set(login, added.body.password);
  }
});
test.after(({ deployment }) => deployment.close());

async function call(
  context: Pick<Context, 'tokens' | 'seen'>,
  { api }: Serving,
  login: string,
  method: string,
  target: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: Body }> {
  // What another process has answered is there, however late the projector is.
  const position = context.seen.at;
  const answer = await fetch(`${api}${target}`, {
    method,
    headers: {
      authorization: `Bearer ${context.tokens.get(login)}`,
      'content-type': 'application/json',
      ...(position && { 'x-daybook-position': position }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const written = answer.headers.get('x-daybook-position') ?? '';
  if (written > position) context.seen.at = written;
  return { status: answer.status, body: await answer.json() };
}

const ROUNDS = 3;

test('a write is proposed everywhere as soon as the rules say so, and applied once by two approvals at once', async (context) => {
  const [one, other] = context.apis;
  const { body: event } = await call(context, one, 'ann', 'POST', '/events', someEvent());
  const set = await call(context, one, 'root', 'PUT', '/policy', { events: { author: 'review', approvals: 2 } });
  assert.is(set.status, 200, JSON.stringify(set.body));
  for (let round = 1; round <= ROUNDS; round += 1) {
    const title = `Moved ${round}`;
    const proposed = await call(context, other, 'ann', 'PATCH', `/events/${event.id}`, { title });
    assert.equal([proposed.status, proposed.body.state], [202, 'open'], JSON.stringify(proposed.body));
    assert.is.not((await call(context, other, 'ed', 'GET', `/events/${event.id}`)).body.title, title);
    const { id } = proposed.body;
    const own = await call(context, one, 'ann', 'POST', `/proposals/${id}/approve`, {});
    assert.is(own.body.code, 'rest_own_proposal');
    const answers = await Promise.all([
      call(context, one, 'ed', 'POST', `/proposals/${id}/approve`, {}),
      call(context, other, 'eve', 'POST', `/proposals/${id}/approve`, {}),
    ]);
    const said = JSON.stringify(answers.map(({ body }) => body));
    assert.equal(
      answers.map(({ status, body }) => `${status} ${body.state}`).sort(),
      ['200 applied', '200 open'],
      said,
    );
    const again = await call(context, other, 'ed', 'POST', `/proposals/${id}/approve`, {});
    assert.equal([again.status, again.body.code], [409, 'rest_proposal_closed']);
    for (const api of context.apis)
      assert.is((await call(context, api, 'ed', 'GET', `/events/${event.id}`)).body.title, title);
  }
  const { body } = await call(context, other, 'ed', 'GET', `/events/${event.id}/history?per_page=50`);
  const retitled = body.history.filter(({ type }: Body) => type === 'EventRetitled');
  assert.is(retitled.length, ROUNDS);
  const { changes } = (await call(context, one, 'ed', 'GET', '/changes?kind=proposal,policy&per_page=100')).body;
  const counts = new Map<string, number>();
  for (const { type } of changes) counts.set(type, (counts.get(type) ?? 0) + 1);
  assert.equal(Object.fromEntries(counts), {
    ReviewPolicySet: 1,
    ProposalOpened: ROUNDS,
    ProposalApprovalGiven: ROUNDS,
    ProposalApproved: ROUNDS,
    ProposalApplied: ROUNDS,
  });
});

test('a date without the notice that the rules demand is refused by both, and a rule that locks out by both', async (context) => {
  const [one, other] = context.apis;
  const { body: event } = await call(context, one, 'ed', 'POST', '/events', someEvent());
  await call(context, other, 'root', 'PUT', '/policy', { events: { notice: 'required' } });
  for (const api of context.apis) {
    const moved = await call(context, api, 'ed', 'PATCH', `/events/${event.id}`, { start_date: '2031-03-02 20:00:00' });
    assert.equal([moved.status, Object.keys(moved.body.data.params)], [400, ['notice']], JSON.stringify(moved.body));
    const locking = await call(context, api, 'root', 'PUT', '/policy', { events: { editor: 'review', approvals: 3 } });
    assert.equal([locking.status, locking.body.data.approvers], [409, 2], JSON.stringify(locking.body));
  }
});

test.run();
