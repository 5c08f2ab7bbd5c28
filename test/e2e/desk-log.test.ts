// The log at the desk: who may read it, what it masks, and that it says where it goes on.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { personalIn, valuesOf } from '../../src/people/personal-data/facts/personal-fields.ts';
import { formOf, signedIn, type Visitor, visitorOf } from '../support/desk.ts';
import { someEvent, startTestService, type TestService } from '../support/service.ts';

const LOG = '/desk/log';

const test = suite<{ daybook: TestService; visitor: Visitor }>('the log at the desk');

test.before(async (context) => {
  context.daybook = await startTestService({ environment: { DAYBOOK_LANGUAGE: 'en' } });
  context.visitor = await signedIn(context.daybook, 'administrator');
});
test.after(({ daybook }) => daybook.close());

const MARKUP = '"><script>alert(1)</script>';

/** One of each kind of secret, and personal data. */
async function withSecrets(daybook: TestService, visitor: Visitor): Promise<void> {
  const { id } = await daybook.created(
    'editor',
    'events',
    someEvent({ title: `Locked ${MARKUP}`, password: 'sesame' }),
  );
  await daybook.created('editor', 'organizers', { organizer: 'Ada Lovelace', email: 'ada@people.example' });
  const send = async (method: string, path: string, body: object) => {
    const { status, text } = await daybook.request('administrator', method, path, body);
    assert.ok(status < 300, `${path}: ${text}`);
  };
  await send('POST', '/webhooks', { url: 'https://hooks.example/private-in' });
  await send('POST', '/guest-links', { kind: 'event', of: id, name: 'Grace Hopper' });
  await send('PATCH', `/events/${id}`, { title: 'Renamed', password: 'barley' });
  const list = await visitor.get('/desk/users');
  const sent = { login: 'maria', role: 'author', name: 'Maria Mitchell', email: 'maria@people.example' };
  assert.is((await visitor.post('/desk/users', { ...formOf(list), ...sent })).status, 200);
}

test('administrators alone find and read it', async ({ daybook, visitor }) => {
  await withSecrets(daybook, visitor);
  assert.match((await visitor.get('/desk')).text, `href="${LOG}"`);
  for (const as of ['editor', 'author'] as const) {
    const other = await signedIn(daybook, as);
    assert.not.match((await other.get('/desk')).text, `href="${LOG}"`);
    for (const path of [LOG, `${LOG}/user-1/0`, `${LOG}/none/0`]) assert.is((await other.get(path)).status, 403, path);
  }
  const stranger = await visitorOf(daybook).get(`${LOG}/user-1/0`);
  assert.equal([stranger.status, stranger.text.includes('UserAdded')], [303, false]);
});

test('no page shows a secret or personal data of any fact, and each is marked', async ({ daybook, visitor }) => {
  const [all, raw] = await Promise.all(
    [daybook.store, daybook.stores.rawLog].map((log) => log.readAll({ after: '', limit: 1_000 })),
  );
  const secrets = new Set(
    [
      ...(all ?? []).flatMap((event) => personalIn(event).flatMap(({ fields }) => valuesOf(event.data, fields))),
      ...[...JSON.stringify(raw).matchAll(/"(?:digest|hash|secret)":"([^"]+)"/g)].map(([, secret]) => secret ?? ''),
    ].filter((value) => typeof value === 'string' && (value.length > 15 || /[@ ]/.test(value))),
  );
  for (const { metadata } of raw ?? []) secrets.delete(metadata.hash ?? '');
  const masked = new Set<string>();
  for (const { stream, revision, type } of all ?? []) {
    const page = await visitor.get(`${LOG}/${encodeURIComponent(stream)}/${revision}`);
    assert.is(page.status, 200, stream);
    const shown = page.text.slice(page.text.indexOf('<h2'));
    assert.equal(
      [...secrets].filter((secret) => shown.includes(String(secret))),
      [],
      `${stream} ${revision}`,
    );
    if (/>(Secret|Personal data)</.test(shown)) masked.add(type);
    assert.not.match(page.text, '<script>alert');
  }
  for (const type of [
    'EventPasswordSet',
    'UserCredentialIssued',
    'UserAdded',
    'UserSessionStarted',
    'UserResetLinkIssued',
    'WebhookCreated',
    'GuestLinkMade',
    'OrganizerDrafted',
  ])
    assert.ok(masked.has(type), type);
});

test('the list narrows, says what it cannot read beside its field, and escapes what was typed', async ({ visitor }) => {
  const deeds = [
    ...(await visitor.get(`${LOG}?type=EventRetitled&stream=event-`)).text.matchAll(
      /href="\/desk\/log\/event-\d+\/\d+">([^<]+)/g,
    ),
  ];
  assert.equal(
    deeds.map(([, type]) => type),
    ['EventRetitled'],
  );
  const wrong = await visitor.get(`${LOG}?after=nowhere&from=2026-99-99&stream=${encodeURIComponent(MARKUP)}`);
  assert.is(wrong.status, 400);
  assert.match(wrong.text, /id="from-problem"[^>]*>“2026-99-99” cannot be read here/);
  assert.not.match(wrong.text, '<script>alert');
  assert.match(wrong.text, 'value="nowhere"');
  assert.match((await visitor.get(`${LOG}?after=nowhere`)).text, 'id="after-problem"');
  assert.is((await visitor.get(`${LOG}/event-1/999`)).status, 404);
});

test('from an entry of the audit list to its fact, and from a date of a series to what its series says', async ({
  daybook,
  visitor,
}) => {
  const [, path = ''] =
    /href="(\/desk\/log\/event-\d+\/\d+)">Fact in the log/.exec((await visitor.get('/desk/audit?kind=event')).text) ??
    [];
  assert.match((await visitor.get(path)).text, '<h1>EventPasswordSet</h1>');
  const weekly = { ...someEvent({ title: 'Weekly' }), recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } };
  await daybook.created('editor', 'events', weekly);
  const [date] = (await daybook.get('/events?search=Weekly')).body.events;
  assert.match((await visitor.get(`${LOG}/event-${date.id}/0`)).text, '<h1>SeriesOpened</h1>');
});

test.run();
