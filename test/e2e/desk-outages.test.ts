// The desk while the event store is away: what was typed is given back, and takes effect once.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formOf, signedIn, textAreasOf } from '../support/desk.ts';
import { begin, end, type OutageContext } from '../support/outage-calendar.ts';

const test = suite<OutageContext>('outages at the desk');
test.before.each(begin);
test.after.each(end);

test('a form that meets an outage is given back, and sent again it takes effect once', async ({
  daybook,
  away,
  ids,
}) => {
  const editor = await signedIn(daybook, 'editor');
  const path = `/desk/events/${ids.gig}`;
  const page = await editor.get(path);
  away.down.store = true;
  const failed = await editor.post(path, { ...formOf(page, path), ...textAreasOf(page), title: 'Typed long ago' });
  assert.equal([failed.status, failed.headers['retry-after']], [503, '5']);
  assert.match(failed.text, 'Please try again in a few seconds.');
  const kept = formOf(failed, path);
  assert.is(kept.title, 'Typed long ago');
  assert.is(kept._key, formOf(page, path)._key, 'the same form, so that it takes effect once');
  away.down.store = false;
  assert.is((await editor.post(path, { ...kept, ...textAreasOf(failed) })).status, 303);
  assert.is((await daybook.get(`/events/${ids.gig}`, 'editor')).body.title, 'Typed long ago');
});

test('pages that need the log say when to come back', async ({ daybook, away, ids }) => {
  const editor = await signedIn(daybook, 'editor');
  away.down.store = true;
  const history = await editor.get(`/desk/events/${ids.gig}/history`);
  assert.equal([history.status, history.headers['retry-after']], [503, '5']);
  assert.match(history.text, 'Please try again in a few seconds.');
  assert.is((await editor.get('/desk/events')).status, 200, 'lists are read from the read model');
});

test('what cannot be read now is not told as nothing: home, system and look-up say when to come back', async ({
  daybook,
  away,
}) => {
  const administrator = await signedIn(daybook, 'administrator');
  const whole = (await administrator.get('/desk')).text;
  assert.match(whole, 'All is well.');
  away.down.views = true;
  const home = await administrator.get('/desk');
  assert.is(home.status, 200);
  assert.not.match(home.text, /All is well|Nothing waits for you|Create the first event/);
  assert.ok([...home.text.matchAll(/class="problems"/g)].length >= 3, home.text.slice(-4_000));
  const found = await administrator.get('/desk/find?search=gig');
  assert.equal([found.status, found.headers['retry-after']], [503, '5']);
  away.down.views = false;
  away.down.store = true;
  const system = (await administrator.get('/desk/system')).text;
  assert.not.match(system, /0 of 0/);
});

test.run();
