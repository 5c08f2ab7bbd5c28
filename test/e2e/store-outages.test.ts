// The store down: writes answer 503, reads go on. Back: everything goes on by itself.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  begin,
  caughtUp,
  end,
  giveBack,
  isRefusal,
  linesOf,
  type OutageContext,
  POSITION,
  reads,
  send,
  writes,
} from '../support/outage-calendar.ts';
import { someEvent, type TestService } from '../support/service.ts';

const test = suite<OutageContext>('a store that is away');
test.before.each(begin);
test.after.each(end);

test('without the store every write answers 503 with Retry-After', async ({ daybook, away, ids }) => {
  away.down.store = true;
  for (const write of [...writes(ids), ['DELETE', `/tags/${ids.loud}`, undefined, 200] as const]) {
    const lines = linesOf(daybook, 'request failed');
    isRefusal(await send(daybook, write), write.slice(0, 2).join(' '));
    assert.is(linesOf(daybook, 'request failed'), lines + 1, 'one line for each');
  }
  assert.is(linesOf(daybook, 'allowed methods could not be determined'), 0);
  away.down.store = false;
  for (const write of writes(ids)) {
    const answer = await send(daybook, write);
    assert.equal([answer.status, answer.headers['x-daybook-views']], [write[3], undefined], answer.text);
  }
  assert.is((await daybook.get('/events/by-slug/new')).body.title, 'New');
});

test('with the store down every read goes on; only newer facts of users are asked for', async ({
  daybook,
  away,
  ids,
}) => {
  const { headers } = await daybook.request('editor', 'PATCH', `/events/${ids.gig}`, { featured: true });
  away.down.store = true;
  const password = { authorization: `Basic ${Buffer.from(`EDITOR:${bearerOf(daybook)}`).toString('base64')}` };
  const byAnonymous = await away.storeCallsOf(async () => {
    for (const target of reads(ids)) {
      assert.is((await daybook.get(target)).status, 200, target);
      assert.is((await daybook.request('anonymous', 'HEAD', target)).status, 200, target);
      assert.is((await daybook.request('anonymous', 'OPTIONS', target)).status, 200, target);
    }
  });
  assert.is(byAnonymous, 0);
  const byUsers = await away.storeCallsOf(async () => {
    for (const target of reads(ids)) {
      for (const as of ['editor', 'otherAuthor'] as const)
        assert.is((await daybook.get(target, as)).status, 200, `${as} ${target}`);
      assert.is((await daybook.get(target, 'anonymous', password)).status, 200, target);
      assert.is((await daybook.request('editor', 'HEAD', target)).status, 200, target);
      assert.is((await daybook.request('editor', 'OPTIONS', target)).status, 200, target);
    }
    for (const target of ['/events/999', '/events/by-slug/none', '/venues/999', '/venues/by-slug/none', '/tags/999'])
      assert.ok((await daybook.get(target, 'editor')).status < 500, target);
  });
  assert.ok(byUsers > 0 && byUsers < 20, `${byUsers}: not at every request`);
  const { allow } = (await daybook.get(`/events/${ids.gig}`, 'editor')).headers;
  assert.is(allow, 'GET, DELETE, POST, PUT, PATCH');
  for (const target of reads(ids)) {
    const answer = await daybook.get(target, 'editor', { [POSITION]: headers[POSITION] ?? '' });
    assert.is(answer.status, 200, `${target} from a position that the views have reached: ${answer.text}`);
  }
  assert.is(linesOf(daybook, 'request failed'), 0);
});

const bearerOf = (daybook: TestService): string => daybook.authorization('editor').replace('Bearer ', '');

test('with the store down, what only the log could confirm is no bad request', async ({ daybook, away, ids }) => {
  const { headers } = await daybook.request('editor', 'PATCH', `/events/${ids.gig}`, { featured: true });
  away.down.store = true;
  isRefusal(await daybook.get('/events?venue=999', 'anonymous', { [POSITION]: headers[POSITION] ?? '' }), 'read');
  isRefusal(await daybook.request('editor', 'POST', '/events', someEvent({ venue: 999 })), 'write');
  assert.is(
    (await daybook.request('editor', 'POST', '/events', {})).status,
    400,
    'what is wrong in itself stays wrong',
  );
});

test('without both sign-in fails, and everything recovers by itself', async ({ daybook, away, ids }) => {
  Object.assign(away.down, { store: true, views: true });
  for (const target of [`/events/${ids.gig}`, '/events?per_page=7']) {
    isRefusal(await daybook.get(target), target);
    isRefusal(await daybook.get(target, 'editor'), target);
  }
  isRefusal(await daybook.request('editor', 'PATCH', `/events/${ids.gig}`, { title: 'No' }), 'write');
  assert.is(linesOf(daybook, 'request failed'), 5);
  giveBack(away);
  const answer = await daybook.request('editor', 'PATCH', `/events/${ids.gig}`, { title: 'Yes' });
  await caughtUp(daybook, answer.headers[POSITION]);
  assert.is((await daybook.get(`/events/${ids.gig}`)).body.title, 'Yes');
});

test('a write that is in the log is never answered with 503', async ({ daybook, away, ids }) => {
  const links = { venue: ids.hall, categories: [ids.jazz] };
  away.applied = () => {
    away.down.views = true;
  };
  const lost = await daybook.request('editor', 'POST', '/events', someEvent({ title: 'Seen', ...links }));
  assert.equal([lost.status, lost.headers['x-daybook-views'], lost.body.venue.venue], [201, 'lagging', 'Hall']);
  away.written = () => {
    away.down.store = true;
  };
  const alone = await daybook.request('editor', 'PATCH', `/tags/${ids.loud}`, { name: 'Alone' });
  assert.equal([alone.status, alone.body.name], [200, 'Alone']);
  away.down.store = false;
  const bare = await daybook.request('editor', 'PATCH', `/events/${ids.show}`, { title: 'Bare' });
  assert.equal([bare.status, bare.headers['x-daybook-views']], [200, 'lagging']);
  assert.equal([bare.body.title, bare.body.venue, bare.body.organizer], ['Bare', [], []]);
});

test.run();
