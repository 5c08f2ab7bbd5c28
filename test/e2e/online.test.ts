// Events online and hybrid ones over HTTP: answers, JSON-LD, lists, feeds, passwords, reverts and imports.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';
import { ask } from '../unit/http/feeds/feed-client.ts';

const test = suite<{ daybook: TestService }>('events online over HTTP');
const ROOM = 'https://meet.example/room?a=1';

test.before(async (context) => {
  context.daybook = await startTestService();
});
test.after(({ daybook }) => daybook.close());

const made = (daybook: TestService, fields: object = {}): Promise<Body> =>
  daybook.created('editor', 'events', someEvent(fields));
const read = async (daybook: TestService, id: number): Promise<Body> => (await daybook.get(`/events/${id}`)).body;
const idsOf = async (daybook: TestService, query: string): Promise<number[]> =>
  (await daybook.get(`/events?per_page=50&${query}`)).body.events.map(({ id }: Body) => id);
const onlineOf = ({ is_virtual, virtual_url, virtual_video_source }: Body) => [
  is_virtual,
  virtual_url,
  virtual_video_source,
];

test('an event about which nothing was said has none of the members, and is at a place', async ({ daybook }) => {
  const body = await read(daybook, (await made(daybook)).id);
  for (const member of ['is_virtual', 'virtual_url', 'virtual_video_source']) assert.not(member in body, member);
  assert.is(body.json_ld.eventAttendanceMode, 'https://schema.org/OfflineEventAttendanceMode');
});

test('an online event has its address in answers, JSON-LD and calendars', async ({ daybook }) => {
  const { id } = await made(daybook, { virtual_url: ROOM, virtual_video_source: 'zoom' });
  const body = await read(daybook, id);
  assert.equal(onlineOf(body), [true, 'https://meet.example/room?a=1', 'zoom']);
  assert.is(body.json_ld.eventAttendanceMode, 'https://schema.org/OnlineEventAttendanceMode');
  assert.equal(body.json_ld.location, [{ '@type': 'VirtualLocation', url: ROOM }]);
  assert.is(body.json_ld.eventStatus, 'https://schema.org/EventScheduled');
  const calendar = (await ask(daybook, `/events/${id}.ics`)).text;
  assert.match(calendar, `CONFERENCE;VALUE=URI:${ROOM}`);
  assert.match(calendar, `LOCATION:${ROOM}`);
});

test('a published event that moves online says so; with its venue it is hybrid', async ({ daybook }) => {
  const { id } = await made(daybook, { venue: { venue: 'Old Mill', status: 'publish' } });
  const answer = await daybook.request('editor', 'PATCH', `/events/${id}`, { is_virtual: true, notice: 'From home' });
  assert.equal(onlineOf(answer.body), [true, null, '']);
  const { json_ld: jsonLd, notices } = await read(daybook, id);
  assert.is(jsonLd.eventAttendanceMode, 'https://schema.org/MixedEventAttendanceMode');
  assert.is(jsonLd.eventStatus, 'https://schema.org/EventMovedOnline');
  assert.equal(
    jsonLd.location.map((place: Body) => place['@type']),
    ['VirtualLocation', 'Place'],
  );
  assert.is(notices[0].text, 'From home');
  const { history } = (await daybook.get(`/events/${id}/history`, 'editor')).body;
  assert.ok(history.some(({ summary }: Body) => summary === 'Moved online.'));
});

test('lists find online events, and the others', async ({ daybook }) => {
  const [online, onSite] = [await made(daybook, { is_virtual: true }), await made(daybook, { is_virtual: false })];
  const silent = await made(daybook);
  const [yes, no] = [await idsOf(daybook, 'is_virtual=1'), await idsOf(daybook, 'is_virtual=0')];
  assert.equal([yes.includes(online.id), yes.includes(onSite.id), yes.includes(silent.id)], [true, false, false]);
  assert.equal([no.includes(online.id), no.includes(onSite.id), no.includes(silent.id)], [false, true, true]);
  await daybook.request('editor', 'PATCH', `/events/${online.id}`, { is_virtual: 0 });
  assert.not((await idsOf(daybook, 'is_virtual=1')).includes(online.id));
});

test('a password hides the address, not that it is online', async ({ daybook }) => {
  const { id } = await made(daybook, { virtual_url: ROOM, virtual_video_source: 'zoom', password: 'lantern' });
  const listed = (await daybook.get(`/events?include=${id}`)).body.events;
  assert.equal(listed.map(onlineOf), [[true, null, '']]);
  const { body } = await daybook.get(`/events/${id}?password=lantern`);
  assert.is(body.virtual_url, ROOM);
});

test('a revert brings back that nothing was said', async ({ daybook }) => {
  const { id } = await made(daybook);
  await daybook.request('editor', 'PATCH', `/events/${id}`, { virtual_url: ROOM });
  const reverted = await daybook.request('editor', 'POST', `/events/${id}/revert`, { revision: 1 });
  assert.is(reverted.status, 200, reverted.text);
  assert.not('is_virtual' in reverted.body);
});

test('an address that is none is refused, and says what is allowed', async ({ daybook }) => {
  const refused = await daybook.request('editor', 'POST', '/events', someEvent({ virtual_url: 'my room' }));
  assert.is(refused.status, 400);
  assert.ok(refused.body.data.params.virtual_url);
});

test.run();
