// Events at the desk: found, created, changed, duplicated, as the API would.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Fields, formOf, signedIn, textAreasOf, type Visitor } from '../support/desk.ts';
import { type Answer, type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService; editor: Visitor }>('events at the desk');
test.before(async (context) => {
  context.daybook = await startTestService();
  context.editor = await signedIn(context.daybook, 'editor');
});
test.after(({ daybook }) => daybook.close());

/** What a browser sends of the form of an event that it was shown. */
const shownForm = (page: Answer, action: string): { [name: string]: string } => ({
  ...formOf(page, action),
  ...textAreasOf(page),
});

async function save(visitor: Visitor, id: number | 'new', typed: Fields): Promise<Answer> {
  const [place, action] =
    id === 'new' ? ['/desk/events/new', '/desk/events'] : [`/desk/events/${id}`, `/desk/events/${id}`];
  const page = await visitor.get(place);
  assert.is(page.status, 200, place);
  return visitor.post(action, { ...shownForm(page, action), ...typed });
}

const titles = ({ text }: Answer): string[] =>
  [...text.matchAll(/<a href="\/desk\/events\/\d+">([^<]*)<\/a>/g)].map(([, title = '']) => title);

const source = async (daybook: TestService, id: number): Promise<Body> =>
  (await daybook.get(`/events/${id}/fields`, 'editor')).body.fields;

test('a new event has what was typed, as it was typed', async ({ daybook, editor }) => {
  const music = await daybook.created('editor', 'categories', { name: 'Music' });
  const hall = await daybook.created('editor', 'venues', { venue: 'Harbour Hall', status: 'publish' });
  const typed = {
    ...{ title: 'Tom\'s "Winter" & Frost', description: 'One\r\n\r\nTwo -- <em>x</em>', status: 'publish' },
    ...{ start_date: '2026-12-05T19:00', end_date: '2026-12-05T22:30', timezone: 'Europe/Berlin', cost: '12, 15' },
    ...{ venue_add: 'harbour hall', organizer_add: 'The Guild', organizer_create: '1', tags: 'winter, frost' },
    ...{ 'categories[]': [String(music.id)], featured: '1', website: 'https://a.example/?a=1&b=2' },
  };
  const made = await save(editor, 'new', typed);
  assert.match(made.headers.location ?? '', /^\/desk\/events\/\d+\?said=said_created$/);
  const id = Number(/\d+/.exec(made.headers.location ?? '')?.[0]);
  const fields = await source(daybook, id);
  assert.equal(
    [fields.title, fields.description, fields.start_date, fields.end_date, fields.timezone, fields.featured],
    [typed.title, 'One\n\nTwo -- <em>x</em>', '2026-12-05 19:00:00', '2026-12-05 22:30:00', 'Europe/Berlin', true],
  );
  const shown = (await daybook.get(`/events/${id}`)).body;
  assert.equal(
    [shown.venue.id, shown.organizer[0].organizer, shown.categories[0].id, shown.cost, shown.status],
    [hall.id, 'The Guild', music.id, '$12 – $15', 'publish'],
  );
  assert.equal(shown.tags.map(({ name }: Body) => name).sort(), ['frost', 'winter']);
  const before = (await daybook.get(`/events/${id}/history`, 'editor')).body.total;
  assert.is((await save(editor, id, {})).headers.location, `/desk/events/${id}?said=said_saved`);
  assert.is((await daybook.get(`/events/${id}/history`, 'editor')).body.total, before, 'nothing typed changes nothing');
});

test('online: where to attend and over what, refused beside its field, told by the history, and at a place again', async ({
  daybook,
  editor,
}) => {
  const online = { virtual_url: 'https://meet.example/1', virtual_video_source: 'zoom' };
  const refused = await save(editor, 'new', { title: 'Talk', ...online, virtual_url: 'nowhere' });
  assert.is(refused.status, 400);
  assert.ok(refused.text.includes('id="virtual_url-problem"'));
  assert.ok(refused.text.includes('value="nowhere"'));
  const made = await save(editor, 'new', { title: 'Talk', ...online });
  const id = Number(/\d+/.exec(made.headers.location ?? '')?.[0]);
  const place = `/desk/events/${id}`;
  const said = async () => {
    const { is_virtual: isVirtual, virtual_url: url, virtual_video_source: service } = await source(daybook, id);
    return [isVirtual, url, service];
  };
  assert.equal(await said(), [true, 'https://meet.example/1', 'zoom'], 'an address alone makes it an online one');
  const form = shownForm(await editor.get(place), place);
  assert.equal([form.is_virtual, form.virtual_url, form.virtual_video_source], ['1', 'https://meet.example/1', 'zoom']);
  const [{ revision }] = (await daybook.get(`/events/${id}/history`, 'editor')).body.history;
  const at = await editor.get(`${place}/history/at?revision=${revision}`);
  assert.match(at.text, '<dt>Takes place online</dt><dd>Yes</dd>');
  assert.match(at.text, '<dt>Address to attend online</dt><dd>https://meet.example/1</dd>');
  const { is_virtual: _ticked, ...unticked } = form;
  assert.is((await editor.post(place, { ...unticked, virtual_url: '', virtual_video_source: '' })).status, 303);
  assert.equal(await said(), [false, null, '']);
  assert.match((await editor.get(`${place}/history`)).text, '<dt>Address to attend online</dt>');
  assert.is((await save(editor, id, { is_virtual: '1' })).status, 303);
  assert.equal(await said(), [true, null, ''], 'online, its address is still to come');
});

test('a form that is sent twice makes one event', async ({ daybook, editor }) => {
  const form = shownForm(await editor.get('/desk/events/new'), '/desk/events');
  const sent = { ...form, title: 'Double click', status: 'draft' };
  const [one, other] = await Promise.all([editor.post('/desk/events', sent), editor.post('/desk/events', sent)]);
  assert.is(one.headers.location, other.headers.location);
  const found = async () => (await daybook.get('/events?status=draft&search=click', 'editor')).body.total;
  assert.is(await found(), 1);
  const back = await editor.post('/desk/events', { ...sent, title: 'Another click' });
  assert.is.not(back.headers.location, one.headers.location, 'the way back, and something else typed');
  assert.is(await found(), 2);
});

test('a change that is sent twice is saved once, and no conflict with itself', async ({ daybook, editor }) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Once' }));
  const form = shownForm(await editor.get(`/desk/events/${id}`), `/desk/events/${id}`);
  const send = () => editor.post(`/desk/events/${id}`, { ...form, title: 'Saved once' });
  for (const { status } of await Promise.all([send(), send()])) assert.is(status, 303);
});

test('what is refused is said beside its field, and nothing typed is lost', async ({ editor }) => {
  const refused = await save(editor, 'new', {
    ...{ title: 'x', description: 'Kept', start_date: 'someday', website: 'nowhere' },
  });
  assert.is(refused.status, 400);
  for (const name of ['website', 'start_date']) assert.ok(refused.text.includes(`id="${name}-problem"`), name);
  assert.is(textAreasOf(refused).description, 'Kept');
  assert.ok(refused.text.includes('value="nowhere"'));
  const missing = await save(editor, 'new', { title: ' ' });
  assert.ok(missing.text.includes('id="title-problem"'));
  const digits = await save(editor, 'new', { title: 'x', tags: 'winter, 2026' });
  assert.is(digits.status, 400, 'the API would take it for an id');
  assert.ok(digits.text.includes('id="tags-problem"'));
  const unknown = await save(editor, 'new', { title: 'At a place', venue_add: 'Nowhere Hall' });
  assert.is(unknown.status, 400);
  assert.ok(unknown.text.includes('No venue has this name.'));
  assert.ok(unknown.text.includes('value="Nowhere Hall"'));
  const long = await save(editor, 'new', { title: 'x'.repeat(80_000) });
  assert.is(long.status, 400);
  assert.ok(long.text.includes('x'.repeat(80_000)));
});

test('an end before the start is said at the end and nothing is saved, for new events and old ones', async ({
  daybook,
  editor,
}) => {
  const typed = { title: 'Backwards', start_date: '2027-02-05T19:00', end_date: '2027-02-05T17:00' };
  const refused = await save(editor, 'new', typed);
  assert.is(refused.status, 400);
  assert.match(refused.text, 'id="end_date-problem">The end must not be before the start.');
  assert.match(refused.text, '<a href="#end_date">End</a>');
  assert.is((await daybook.get('/events?search=Backwards&status=any', 'editor')).body.total, 0);
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Forwards' }));
  const before = await source(daybook, id);
  assert.is((await save(editor, id, { end_date: '2020-01-01T10:00' })).status, 400);
  assert.equal(await source(daybook, id), before);
  const wholeDay = { ...typed, title: 'All day', all_day: '1' };
  assert.is((await save(editor, 'new', wholeDay)).status, 303, 'of whole days the times do not count');
  assert.is((await save(editor, 'new', { ...wholeDay, title: 'Not', end_date: '2027-02-04T23:00' })).status, 400);
});

test('what the API refuses is said in the words of the form, in every list and form', async ({ daybook, editor }) => {
  const texts = async (answer: Promise<Answer>): Promise<string> => {
    const { status, text } = await answer;
    assert.is(status, 400);
    return [...text.matchAll(/<(p|div) class="problems?"[^>]*>(.*?)<\/\1>/gs)].map(([, , said]) => said).join(' ');
  };
  const form = await texts(save(editor, 'new', { title: 'x', website: 'nowhere', virtual_url: 'nowhere' }));
  assert.match(form, 'Website must be an absolute address');
  assert.match(form, 'Address to attend online must be an absolute address');
  assert.not.match(form, /virtual_url must|Invalid parameter/);
  const venue = {
    ...formOf(await editor.get('/desk/venues/new'), '/desk/venues'),
    venue: 'V',
    geo_lat: '99',
    geo_lng: '1',
  };
  const place = await texts(editor.post('/desk/venues', venue));
  assert.match(place, 'Latitude must be -90 to 90, and come together with Longitude');
  assert.match(await texts(editor.get('/desk/review?from=x')), 'From must be a date');
  const set = (await daybook.created('editor', 'sets', { name: 'Any' })).id;
  const path = `/desk/sets/${set}/schedule`;
  const planning = { ...formOf(await editor.get(`/desk/sets/${set}`), path), at: '2020-01-01T10:00' };
  assert.match(await texts(editor.post(path, planning)), 'Apply at must be an instant to come');
});

test('a list of the past is headed so, and is shown with its own filters', async ({ daybook, editor }) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Earlier name' }));
  const then = new Date(daybook.clock.at * 1000).toISOString();
  daybook.clock.at += 60;
  await daybook.request('editor', 'PATCH', `/events/${id}`, { title: 'Later name' });
  const { status, text } = await editor.get(`/desk/events?as_of=${then}`);
  assert.is(status, 200, text);
  assert.match(text, 'The list as it was');
  assert.match(text, 'Earlier name');
  assert.not.match(text, /Later name|The list as it will be|name="state"/);
  assert.match(text, `<a href="/desk/events/${id}/history/at?as_of=`);
  const compared = await editor.get(`/desk/events/compare?as_of=${then}`);
  assert.match(compared.text, '<del>Earlier</del><ins>Later</ins>');
  const ahead = await editor.get('/desk/events?as_of=2099-01-01');
  assert.match(ahead.text, 'The list as it will be');
  assert.is((await editor.get('/desk/events/compare?as_of=someday')).status, 400);
  const early = await editor.get('/desk/events?as_of=2001-01-01');
  assert.is(early.status, 404);
  assert.match(early.text, '<p>At that time it was not there, or not public. Choose a later time.</p>');
});

test('a title of 10,000 characters is kept, and its pages are there', async ({ daybook, editor }) => {
  const title = 'Länger '.repeat(1_429).slice(0, 10_000).trim();
  const saved = await save(editor, 'new', { title, status: 'publish' });
  const [place = ''] = String(saved.headers.location).split('?');
  assert.is(shownForm(await editor.get(place), place).title, title);
  const { slug } = await source(daybook, Number(place.split('/').at(-1)));
  assert.match((await daybook.get(`//event/${slug}/`)).text, title);
});

test('the slug of something else is not taken away from it, and the page says so', async ({ daybook, editor }) => {
  const [one, two] = [
    await daybook.created('editor', 'events', someEvent({ title: 'Mine' })),
    await daybook.created('editor', 'events', someEvent({ title: 'Theirs' })),
  ];
  const saved = await save(editor, two.id, { slug: one.slug });
  assert.is(saved.headers.location, `/desk/events/${two.id}?said=said_other_slug`);
  assert.match((await editor.get(String(saved.headers.location))).text, 'not the one that was typed');
  assert.equal([(await source(daybook, one.id)).slug, (await source(daybook, two.id)).slug], ['mine', 'mine-2']);
  const kept = await save(editor, two.id, { cost: '3' });
  assert.is(kept.headers.location, `/desk/events/${two.id}?said=said_saved`);
  await daybook.created('editor', 'venues', { venue: 'Old hall', status: 'publish' });
  const hall = await daybook.created('editor', 'venues', { venue: 'New hall', status: 'publish' });
  const form = shownForm(await editor.get(`/desk/venues/${hall.id}`), `/desk/venues/${hall.id}`);
  const { headers } = await editor.post(`/desk/venues/${hall.id}`, { ...form, slug: 'old-hall' });
  assert.is(headers.location, `/desk/venues/${hall.id}?said=said_other_slug`);
});

test('a new event that looks like another one is created only when that is meant', async ({ daybook, editor }) => {
  const typed = { title: 'Twice & again', start_date: '2026-12-24T10:00', end_date: '2026-12-24T11:00' };
  assert.is((await save(editor, 'new', typed)).status, 303);
  const warned = await save(editor, 'new', { ...typed, cost: '9' });
  assert.is(warned.status, 400);
  assert.equal(titles(warned), ['Twice &amp; again']);
  const again = shownForm(warned, '/desk/events');
  assert.is(again.cost, '9');
  assert.is((await editor.post('/desk/events', { ...again, duplicate_known: '1' })).status, 303);
  assert.is((await save(editor, 'new', { ...typed, start_date: '2026-12-24T10:30' })).status, 303, 'another time');
  assert.is((await daybook.get('/events?search=twice&status=draft', 'editor')).body.total, 3);
});

test('a conflict shows both versions, and keeps what was typed', async ({ daybook, editor }) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Before', cost: '5', excerpt: 'old' }));
  const form = shownForm(await editor.get(`/desk/events/${id}`), `/desk/events/${id}`);
  await daybook.request('administrator', 'PATCH', `/events/${id}`, { title: 'Theirs', excerpt: 'their excerpt' });
  const clash = await editor.post(`/desk/events/${id}`, { ...form, title: 'Mine', cost: '7' });
  assert.is(clash.status, 412);
  assert.match(clash.text, '<p>Others have changed this meanwhile.</p>');
  assert.not.match(clash.text, 'ETag');
  assert.match(clash.text, /<td class="text">Before<\/td><td class="text">Theirs<\/td><td class="text">Mine<\/td>/);
  const again = shownForm(clash, `/desk/events/${id}`);
  assert.equal([again.title, again.cost, again.excerpt], ['Mine', '7', 'their excerpt']);
  assert.is((await editor.post(`/desk/events/${id}`, again)).status, 303);
  const { title, excerpt } = await source(daybook, id);
  assert.equal([title, excerpt], ['Mine', 'their excerpt']);
});

test('a write that has to be reviewed becomes a proposal, and the page says so', async ({ daybook }) => {
  await daybook.request('administrator', 'PUT', '/policy', { events: { author: 'review' } });
  const author = await signedIn(daybook, 'author');
  const sent = await save(author, 'new', { title: 'To be reviewed', status: 'publish' });
  const led = sent.headers.location ?? '';
  assert.match(led, /^\/desk\/review\/\d+\?said=said_proposed$/);
  assert.ok((await author.get(led)).text.includes('is now a proposal'));
  assert.is((await daybook.get('/proposals', 'editor')).body.total, 1);
  await daybook.request('administrator', 'PUT', '/policy', { events: { author: 'direct' } });
});

test('a proposal that waits for an event is called by its title at its form and above its preview', async ({
  daybook,
  editor,
}) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Oyster supper' }));
  await daybook.request('contributor', 'POST', `/events/${id}/proposals`, { cost: '9' });
  assert.match((await editor.get(`/desk/events/${id}`)).text, />Change: Oyster supper<\/a> · /);
  assert.match((await editor.get(`/desk/events/${id}/preview`)).text, '>Change: Oyster supper, ');
});

test('who may write saves, proposes or plans; a proposal waits for the event and is applied when it is approved', async ({
  daybook,
  editor,
}) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'In the hall', cost: '5' }));
  const contributor = await signedIn(daybook, 'contributor');
  const sent = await save(contributor, id, { title: 'In the garden', _do: 'propose', _reason: 'Better there.' });
  const led = sent.headers.location ?? '';
  assert.match(led, /^\/desk\/review\/\d+\?said=said_proposed$/);
  const proposal = (await daybook.get(`/proposals/${/\d+/.exec(led)?.[0]}`, 'editor')).body;
  assert.equal(
    proposal.changes.map(({ field, after }: Body) => [field, after]),
    [['title', 'In the garden']],
  );
  assert.is(proposal.note, 'Better there.');
  assert.is((await source(daybook, id)).title, 'In the hall');
  const page = (await editor.get(`/desk/events/${id}`)).text;
  assert.match(page, `<a href="/desk/review/${proposal.id}">`);
  assert.equal(
    [...page.matchAll(/name="_do" value="([^"]*)"/g)].map(([, step]) => step),
    ['save', 'propose', 'schedule'],
  );
  const own = await save(editor, id, { cost: '7', _do: 'propose' });
  assert.match(own.headers.location ?? '', /^\/desk\/review\/\d+/);
  assert.is((await source(daybook, id)).cost_details.values[0], '5');
});

test('a change of what is public is planned as a set, and a draft is published at its instant', async ({
  daybook,
  editor,
}) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Today' }));
  const form = shownForm(await editor.get(`/desk/events/${id}`), `/desk/events/${id}`);
  const plan = (date: string) =>
    editor.post(`/desk/events/${id}`, { ...form, title: 'Tomorrow', date, _do: 'schedule' });
  for (const wrong of ['', 'someday', '2020-01-01T10:00']) {
    const refused = await plan(wrong);
    assert.is(refused.status, 400, wrong);
    assert.match(refused.text, 'id="date-problem"');
  }
  const led = (await plan('2099-03-01T10:00')).headers.location ?? '';
  assert.match(led, /^\/desk\/sets\/\d+\?said=said_proposed$/);
  const set = (await daybook.get(`/sets/${/\d+/.exec(led)?.[0]}`, 'editor')).body;
  assert.equal([set.name, set.state, set.at.slice(0, 7)], ['Change of “Today”', 'scheduled', '2099-03']);
  assert.is((await source(daybook, id)).title, 'Today');
  assert.match((await editor.get(`/desk/events/${id}`)).text, `<a href="/desk/sets/${set.id}">Change of “Today”</a>`);
  const made = await save(editor, 'new', { title: 'Later', date: '2099-03-01T10:00', _do: 'schedule' });
  const planned = await source(daybook, Number(/\d+/.exec(made.headers.location ?? '')?.[0]));
  assert.equal([planned.status, planned.date], ['future', '2099-03-01 10:00:00']);
});

test('a plan that is refused is told at the form, which keeps its instant; sent again it makes nothing twice', async ({
  daybook,
  editor,
}) => {
  const rule = (editors: 'review' | 'direct') =>
    daybook.request('administrator', 'PUT', '/policy', { events: { editor: editors, administrator: 'direct' } });
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Regatta' }));
  assert.is((await rule('review')).status, 200);
  const form = shownForm(await editor.get(`/desk/events/${id}`), `/desk/events/${id}`);
  const plan = (date: string) =>
    editor.post(`/desk/events/${id}`, { ...form, title: 'Late regatta', date, _do: 'schedule' });
  const refused = await plan('2099-03-01T10:00');
  assert.is(refused.status, 409);
  assert.match(refused.text, 'it needs more approvals');
  const kept = shownForm(refused, `/desk/events/${id}`);
  assert.equal([kept.title, kept._key], ['Late regatta', form._key]);
  assert.match(refused.text, /2099/);
  const sets = async (): Promise<Body[]> =>
    (await daybook.get('/sets', 'editor')).body.sets.filter(({ name }: Body) => name === 'Change of “Regatta”');
  const [set] = await sets();
  assert.equal([set?.state, set?.proposals.length], ['open', 1]);
  assert.match(refused.text, `<a href="/desk/sets/${set?.id}">`);
  assert.is((await rule('direct')).status, 200);
  const led = (await plan('2099-03-02T10:00')).headers.location ?? '';
  assert.is(led, `/desk/sets/${set?.id}?said=said_proposed`);
  const planned = await sets();
  assert.equal(
    planned.map(({ id: of, state, proposals }) => [of, state, proposals]),
    [[set?.id, 'scheduled', set?.proposals]],
  );
  const { proposals } = (await daybook.get('/proposals', 'editor')).body;
  assert.is(proposals.filter(({ target }: Body) => target.id === id).length, 1);
});

test('that a password is to go is still ticked in a form that was refused', async ({ daybook, editor }) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Closed', password: 'sesame' }));
  const typed = { password_remove: '1', start_date: '2026-12-05T19:00', end_date: '2026-12-04T19:00' };
  const refused = await save(editor, id, typed);
  assert.is(refused.status, 400);
  assert.match(refused.text, /id="password_remove"[^>]* checked/);
});

test('an editor proposes over what others have changed only after seeing it', async ({ daybook, editor }) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'One' }));
  const form = shownForm(await editor.get(`/desk/events/${id}`), `/desk/events/${id}`);
  await daybook.request('administrator', 'PATCH', `/events/${id}`, { title: 'Two' });
  const clash = await editor.post(`/desk/events/${id}`, { ...form, title: 'Three', _do: 'propose' });
  assert.is(clash.status, 400);
  assert.match(clash.text, /<td class="text">One<\/td><td class="text">Two<\/td><td class="text">Three<\/td>/);
});

test('a preview is the public page with a bar above it: of a draft, a revision, an instant, a proposal and a set', async ({
  daybook,
  editor,
}) => {
  const hall = await daybook.created('editor', 'venues', { venue: 'Preview Hall', status: 'publish' });
  const { id } = await daybook.created(
    'editor',
    'events',
    someEvent({
      title: 'First title',
      slug: 'previewed',
      venue: hall.id,
      description: 'One<script>x</script>\n\nTwo',
      status: 'draft',
    }),
  );
  const article = (text: string): string => /<article.*<\/article>/s.exec(text)?.[0] ?? '';
  const titleOf = (text: string): string => /<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? '';
  const draft = await editor.get(`/desk/events/${id}/preview`);
  assert.is(draft.status, 200);
  assert.match(draft.text, /<aside class="preview">.*Draft.*<\/aside>/s);
  const visited = async (): Promise<Answer> => daybook.get('//event/previewed/');
  assert.is((await visited()).status, 404);
  await daybook.request('editor', 'PATCH', `/events/${id}`, { status: 'publish' });
  const page = article((await visited()).text);
  assert.match(page, 'Preview Hall');
  assert.is(article((await editor.get(`/desk/events/${id}/preview`)).text), page, 'exactly');
  await daybook.request('editor', 'PATCH', `/events/${id}`, { title: 'Second title' });
  const first = await editor.get(`/desk/events/${id}/preview?revision=0`);
  assert.is(titleOf(first.text), 'First title');
  assert.match(first.text, 'rel="next"');
  const proposed = await daybook.request('contributor', 'POST', `/events/${id}/proposals`, { title: 'Third title' });
  const proposal = proposed.body.id;
  assert.is(titleOf((await editor.get(`/desk/review/${proposal}/preview`)).text), 'Third title');
  assert.match((await editor.get(`/desk/review/${proposal}`)).text, `href="/desk/review/${proposal}/preview"`);
  const set = (await daybook.request('editor', 'POST', '/sets', { name: 'Spring', proposals: [proposal] })).body.id;
  const ahead = await editor.get(`/desk/events/${id}/preview?with=set:${set}`);
  assert.is(titleOf(ahead.text), 'Third title');
  assert.match(ahead.text, /<aside class="preview">.*Spring.*<\/aside>/s);
  assert.match((await editor.get(`/desk/sets/${set}`)).text, `/desk/events/${id}/preview?with=set`);
  assert.is(
    titleOf((await editor.get(`/desk/events/${id}/preview?as_of=2099-01-01&as_of_time=10:00`)).text),
    'Second title',
  );
  const then = await editor.get(`/desk/events/${id}/preview?with=set:${set}&as_of=2099-01-01T10:00:00Z`);
  assert.match(then.text, /name="as_of_time" value="10:00/, 'an instant of a set as the form writes it');
  const visitor = await daybook.get(`//desk/events/${id}/preview`);
  assert.is(visitor.status, 303, 'visitors are led to the sign-in');
  const contributor = await signedIn(daybook, 'contributor');
  const { id: hidden } = await daybook.created('editor', 'events', someEvent({ title: 'Hidden', status: 'draft' }));
  assert.is((await contributor.get(`/desk/events/${hidden}/preview`)).status, 403);
});

test('a zone that is none and a venue that was trashed meanwhile are said at their fields, and nothing typed is lost', async ({
  daybook,
  editor,
}) => {
  const zone = await save(editor, 'new', { title: 'Nowhere', timezone: 'Nowhere/Town', description: 'Typed' });
  assert.is(zone.status, 400);
  assert.match(zone.text, 'id="timezone-problem">No time zone is called so.');
  assert.match(zone.text, '>Typed</textarea>');
  const { id } = await daybook.created('editor', 'venues', { venue: 'Closing Hall', status: 'publish' });
  const page = await editor.get('/desk/events/new');
  const form = {
    ...shownForm(page, '/desk/events'),
    title: 'Too late',
    venue_add: 'Closing Hall',
    description: 'Typed',
  };
  await daybook.request('editor', 'DELETE', `/venues/${id}`);
  const late = await editor.post('/desk/events', form);
  assert.is(late.status, 400);
  assert.match(late.text, 'id="venue_add-problem"');
  assert.match(late.text, 'value="Closing Hall"');
  const linked = await editor.post('/desk/events', { ...form, venue_add: '', 'venue[]': String(id) });
  assert.is(linked.status, 400, linked.text);
  assert.match(linked.text, 'id="venue_add-problem"');
  assert.match(linked.text, '>Typed</textarea>');
});

test('a new venue is made in place, with its address', async ({ daybook, editor }) => {
  const typed = { venue_add: 'Old Pier', venue_create: '1', venue_address: '1 Quay', venue_city: 'Leeds' };
  const made = await save(editor, 'new', { title: 'At the pier', ...typed });
  const event = (await daybook.get(`/events/${/\d+/.exec(made.headers.location ?? '')?.[0]}`, 'editor')).body;
  assert.equal([event.venue.venue, event.venue.address, event.venue.city], ['Old Pier', '1 Quay', 'Leeds']);
});

test('found by words, state, period and category; paged; a filter that fails says why', async ({ daybook, editor }) => {
  const make = (title: string, more: object) => daybook.created('editor', 'events', someEvent({ title, ...more }));
  await make('Findme draft', { status: 'draft' });
  await make('Findme past', { start_date: '2026-01-05 10:00:00', end_date: '2026-01-05 12:00:00' });
  await make('Findme soon', {});
  const found = async (query: string) => titles(await editor.get(`/desk/events?search=findme${query}`)).sort();
  assert.equal(await found(''), ['Findme draft', 'Findme soon']);
  assert.equal(await found('&state=draft'), ['Findme draft']);
  assert.equal(await found('&period=past'), ['Findme past']);
  assert.equal(await found('&period=all'), ['Findme draft', 'Findme past', 'Findme soon']);
  assert.is((await editor.get('/desk/events?search=findme&page=9')).status, 404);
  assert.is((await editor.get('/desk/events?category=99999')).status, 400);
});

test('bin, restore, duplicate, schedule', async ({ daybook, editor }) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Moved about', slug: 'moved-about' }));
  const press = async (name: string) => {
    const action = `/desk/events/${id}/${name}`;
    return editor.post(action, formOf(await editor.get(`/desk/events/${id}`), action));
  };
  assert.is((await press('bin')).headers.location, '/desk/events?said=said_bin');
  assert.equal(titles(await editor.get('/desk/events?state=trash&search=moved')), ['Moved about']);
  assert.is((await press('restore')).headers.location, `/desk/events/${id}?said=said_restore`);
  assert.is((await source(daybook, id)).status, 'draft');
  const copy = shownForm(await editor.get(`/desk/events/new?copy=${id}`), '/desk/events');
  const made = await editor.post('/desk/events', {
    ...copy,
    title: 'A copy',
    status: 'future',
    date: '2026-11-30T08:00',
  });
  const other = await source(daybook, Number(/\d+/.exec(made.headers.location ?? '')?.[0]));
  assert.equal([other.title, other.status, other.date], ['A copy', 'future', '2026-11-30 08:00:00']);
});

test('roles find and do at the desk what the API lets them', async ({ daybook, editor }) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Of the editor' }));
  const contributor = await signedIn(daybook, 'contributor');
  const others = await contributor.get(`/desk/events/${id}`);
  assert.equal(
    [...others.text.matchAll(/name="_do" value="([^"]*)"/g)].map(([, step]) => step),
    ['propose'],
  );
  const page = await contributor.get('/desk/events/new');
  assert.not.ok(page.text.includes('value="publish"'));
  const form = shownForm(await editor.get(`/desk/events/${id}`), `/desk/events/${id}`);
  const { _csrf } = formOf(page, '/desk/events');
  assert.is(
    (await contributor.post(`/desk/events/${id}`, { ...form, title: 'Mine', _csrf: String(_csrf) })).status,
    403,
  );
  const subscriber = await signedIn(daybook, 'subscriber');
  assert.not.ok((await subscriber.get('/desk')).text.includes('href="/desk/events"'));
});

test('what the public does not see of an event is said before it is published, wherever that is', async ({
  daybook,
  editor,
}) => {
  const hall = await daybook.created('editor', 'venues', { venue: 'Shut Hall', city: 'Ghent', status: 'draft' });
  await daybook.created('editor', 'organizers', { organizer: 'Shut Guild', status: 'private' });
  const suggested = await editor.get('/desk/events/find?kind=venue&search=Shut');
  assert.equal(JSON.parse(suggested.text), [{ id: hall.id, name: 'Shut Hall', place: 'Ghent · Draft' }]);
  const typed = { title: 'Behind doors', start_date: '2027-01-05T19:00', end_date: '2027-01-05T22:00' };
  const links = { venue_add: 'Shut Hall', organizer_add: 'Shut Guild' };
  const made = await save(editor, 'new', { ...typed, ...links, status: 'draft' });
  assert.is(made.status, 303, 'a draft of drafts is nothing that visitors miss');
  const id = Number(/\d+/.exec(made.headers.location ?? '')?.[0]);
  const form = await editor.get(`/desk/events/${id}`);
  assert.match(form.text, 'Shut Hall <small>Ghent · Draft</small>');
  for (const status of ['publish', 'future']) {
    const date = status === 'future' ? { date: '2026-12-24T08:00' } : {};
    const refused = await save(editor, id, { status, ...date });
    assert.is(refused.status, 400, refused.headers.location);
    assert.match(refused.text, 'Visitors do not see Shut Hall (Draft), Shut Guild (Private)');
    assert.match(refused.text, 'name="hidden_known"');
    assert.is((await source(daybook, id)).status, 'draft');
  }
  const { body: proposal } = await daybook.request('contributor', 'POST', '/events/proposals', {
    ...(someEvent({ title: 'Proposed', venue: hall.id, status: 'publish' }) as object),
  });
  assert.match((await editor.get(`/desk/review/${proposal.id}`)).text, 'Visitors do not see Shut Hall (Draft)');
  const set = await daybook.created('editor', 'sets', { name: 'Doors', proposals: [proposal.id] });
  assert.match((await editor.get(`/desk/sets/${set.id}`)).text, 'Visitors do not see Shut Hall (Draft)');
  assert.is((await save(editor, id, { status: 'publish', hidden_known: '1' })).status, 303);
  assert.is((await save(editor, id, { title: 'Behind closed doors' })).status, 303, 'it is said once');
  assert.is((await daybook.request('editor', 'PATCH', `/venues/${hall.id}`, { status: 'publish' })).status, 200);
  assert.is((await daybook.get(`/events/${id}`)).body.venue.venue, 'Shut Hall');
});

test('a search is saved with its filters, renamed and removed, by its user alone', async ({ daybook, editor }) => {
  const list = '/desk/events?search=winter&state=draft';
  const change = async (name: string, place: string, typed: Fields): Promise<Answer> => {
    const action = `/desk/events/searches/${name}`;
    return editor.post(action, { ...formOf(await editor.get(place), action), ...typed });
  };
  const links = async (): Promise<string[]> =>
    [...(await editor.get('/desk/events')).text.matchAll(/<li><a href="\/desk\/events\?([^"]*)"[^>]*>([^<]*)/g)].map(
      ([, query = '', name = '']) => `${name}: ${query}`,
    );
  const made = await change('save', list, { name: 'Drafts of <winter>' });
  assert.is(made.headers.location, `${list}&said=said_saved`);
  assert.equal(await links(), ['Drafts of &lt;winter>: search=winter&amp;state=draft']);
  await change('save', '/desk/events?period=past', { name: 'Over' });
  const taken = await change('rename', '/desk/events', { search: 'Over', name: 'Drafts of <winter>' });
  assert.equal([taken.status, /Another search has this name/.test(taken.text)], [400, true]);
  await change('rename', '/desk/events', { search: 'Drafts of <winter>', name: 'Cold' });
  assert.equal((await links()).map((link) => link.split(':', 1)[0]).sort(), ['Cold', 'Over']);
  await change('remove', '/desk/events', { search: 'Over' });
  assert.equal(await links(), ['Cold: search=winter&amp;state=draft']);
  const own = `/users/${daybook.userId('editor')}/searches`;
  assert.equal((await daybook.get(own, 'editor')).body.searches, [
    { name: 'Cold', query: 'search=winter&state=draft' },
  ]);
  assert.not((await (await signedIn(daybook, 'author')).get('/desk/events')).text.includes('Cold'));
});

test.run();
