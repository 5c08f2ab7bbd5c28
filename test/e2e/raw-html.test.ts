// More of what administrators write is shown where a setting says so: frames of named hosts; never of other users.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formOf, signedIn, textAreasOf } from '../support/desk.ts';
import { type As, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('HTML of administrators');
const MAP = '<iframe src="https://maps.example/embed?a=1&amp;b=2" title="Map" width="600" height="400"></iframe>';
const EVIL =
  '<iframe src="https://evil.example/"></iframe><iframe src="http://maps.example/"></iframe>' +
  '<iframe src="https://a@maps.example/"></iframe><iframe srcdoc="<b>x</b>"></iframe><iframe src="//maps.example/"></iframe>' +
  '<script>alert(1)</script><style>body{}</style><p onclick="x()" style="color:red">Text</p><form action="/desk"><input></form>' +
  '<object data="x"></object><meta http-equiv="refresh" content="0;url=https://evil.example"><base href="https://evil.example">';

test.before(async (context) => {
  context.daybook = await startTestService({
    environment: { DAYBOOK_RAW_HTML: 'administrators', DAYBOOK_FRAME_HOSTS: 'maps.example, video.example' },
  });
});
test.after(({ daybook }) => daybook.close());

async function written(daybook: TestService, as: As, description: string): Promise<{ id: number; slug: string }> {
  const { id, slug } = await daybook.created(
    as,
    'events',
    someEvent({ title: `By ${as}`, description, status: 'publish' }),
  );
  return { id, slug };
}

const pageOf = async ({ get }: TestService, slug: string): Promise<string> => (await get(`//event/${slug}/`)).text;
const isFramed = async (daybook: TestService, slug: string): Promise<boolean> =>
  (await pageOf(daybook, slug)).includes('https://maps.example/embed?a=1&amp;b=2"');

test('a frame of a named host is shown as an administrator has written it, locked in', async ({ daybook }) => {
  const { slug } = await written(daybook, 'administrator', `<section><p>Here:</p>${MAP}${EVIL}</section>`);
  const answer = await daybook.get(`//event/${slug}/`);
  const { text } = answer;
  assert.ok(
    text.includes(
      '<iframe src="https://maps.example/embed?a=1&amp;b=2" title="Map" width="600" height="400" loading="lazy"' +
        ' referrerpolicy="no-referrer" sandbox="allow-scripts allow-same-origin allow-popups"></iframe>',
    ),
    text,
  );
  const [prose = ''] = /<div class="prose"[\s\S]*?<\/section>/.exec(text) ?? [];
  assert.is(prose.match(/<iframe/g)?.length, 1, prose);
  assert.not.match(prose, /evil|script>|<style|onclick|style=|<form|<object|<meta|<base|srcdoc/);
  const policy = String(answer.headers['content-security-policy']);
  assert.match(policy, 'frame-src https://maps.example https://video.example');
  assert.match(policy, /script-src 'self';/);
  assert.not.match(policy, 'unsafe');
});

test('others are cleaned, also in the words of an administrator that they change or bring back', async ({
  daybook,
}) => {
  const editors = await written(daybook, 'editor', `<p>x</p>${MAP}`);
  assert.not(await isFramed(daybook, editors.slug));
  await daybook.request('administrator', 'PATCH', `/events/${editors.id}`, { title: 'Another title' });
  assert.not(await isFramed(daybook, editors.slug), 'only the title is of an administrator');
  await daybook.request('administrator', 'PATCH', `/events/${editors.id}`, { description: `<p>Mine</p>${MAP}` });
  assert.ok(await isFramed(daybook, editors.slug));
  const back = await daybook.request('administrator', 'POST', `/events/${editors.id}/revert`, { revision: 1 });
  assert.is(back.status, 200, back.text);
  assert.match(await pageOf(daybook, editors.slug), '<p>x</p>');
  assert.not(await isFramed(daybook, editors.slug), 'brought back by an administrator, written by an editor');

  const { id, slug } = await written(daybook, 'administrator', `<p>y</p>${MAP}`);
  await daybook.request('editor', 'PATCH', `/events/${id}`, { cost: '5' });
  assert.ok(await isFramed(daybook, slug), 'only the price is of an editor');
  await daybook.request('editor', 'PATCH', `/events/${id}`, { description: `<p>y!</p>${MAP}` });
  assert.not(await isFramed(daybook, slug));
  await daybook.request('editor', 'PATCH', `/events/${id}`, { description: `<p>y</p>${MAP}` });
  assert.not(await isFramed(daybook, slug), 'the words of an administrator, said again by an editor');
});

test('what an administrator approves, duplicates for an editor or imports is not theirs', async ({ daybook }) => {
  const { id, slug } = await written(daybook, 'administrator', '<p>plain</p>');
  const proposal = await daybook.request('editor', 'POST', `/events/${id}/proposals`, {
    description: `<p>z</p>${MAP}`,
  });
  await daybook.request('administrator', 'POST', `/proposals/${proposal.body.id}/approve`);
  assert.match((await daybook.get(`/events/${id}`)).body.description, 'maps.example');
  assert.not(await isFramed(daybook, slug));
  const reason = { 'x-change-reason': 'imported from elsewhere.example' };
  await daybook.request('administrator', 'PATCH', `/events/${id}`, { description: `<p>i</p>${MAP}` }, reason);
  assert.not(await isFramed(daybook, slug));

  const editor = await signedIn(daybook, 'editor');
  const { id: theirs } = await written(daybook, 'administrator', `<p>d</p>${MAP}`);
  const page = await editor.get(`/desk/events/new?from=${theirs}`);
  const form = {
    ...formOf(page, '/desk/events'),
    ...textAreasOf(page),
    title: 'A copy',
    status: 'publish',
    duplicate_known: '1',
  };
  const made = await editor.post('/desk/events', form);
  assert.is(made.status, 303, made.text);
  const copy = Number(/\d+/.exec(String(made.headers.location))?.[0]);
  const { body } = await daybook.get(`/events/${copy}`);
  assert.not(await isFramed(daybook, body.slug));
});

test('who is no administrator any more, or was none yet, is cleaned', async ({ daybook }) => {
  const role = (name: string) =>
    daybook.request('administrator', 'PATCH', `/users/${daybook.userId('editor')}`, { role: name });
  const before = await written(daybook, 'editor', MAP);
  daybook.clock.at += 10;
  assert.is((await role('administrator')).status, 200);
  assert.not(await isFramed(daybook, before.slug));
  daybook.clock.at += 10;
  const after = await written(daybook, 'editor', `<p>now</p>${MAP}`);
  assert.ok(await isFramed(daybook, after.slug));
  daybook.clock.at += 10;
  await role('editor');
  assert.not(await isFramed(daybook, after.slug));
});

test('without the setting nothing of it is shown, and the policy names no frames', async () => {
  const daybook = await startTestService({ environment: { DAYBOOK_FRAME_HOSTS: 'maps.example' } });
  try {
    const { slug } = await written(daybook, 'administrator', MAP);
    assert.not(await isFramed(daybook, slug));
    const { headers } = await daybook.get(`//event/${slug}/`);
    assert.not.match(String(headers['content-security-policy']), 'frame-src');
  } finally {
    await daybook.close();
  }
});

test.run();
