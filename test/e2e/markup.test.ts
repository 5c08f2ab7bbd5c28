import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type As, type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

let daybook: TestService;
const test = suite('markup and control characters over HTTP');

test.before(async () => {
  daybook = await startTestService();
});
test.after(() => daybook.close());

const HOSTILE =
  '<b onclick="alert(1)">x</b><script>alert(2)</script><img src=x onerror=alert(3)><a href="javascript:alert(4)">y</a>';
const ACTIVE = /<script|onclick|onerror|javascript:/i;

/** What was made, as the answer, the next read and the next list show it. */
async function shown(as: As, collection: string, body: object): Promise<Body[]> {
  const made = await daybook.created(as, collection, body);
  const read = (await daybook.get(`/${collection}/${made.id}`, 'editor')).body;
  const list = await daybook.get(`/${collection}?per_page=50&hide_empty=0`, 'editor');
  const listed = list.body[collection].find(({ id }: Body) => id === made.id);
  assert.ok(listed, `${collection} lists it`);
  return [made, read, listed];
}

let made = 0;
const unique = (text: string) => `${text} ${++made}`;

for (const as of ['contributor', 'author'] as const) {
  test(`what ${as}s write in title, description and excerpt is cleaned; its text stays`, async () => {
    const texts = { title: unique(HOSTILE), description: HOSTILE, excerpt: HOSTILE };
    for (const event of await shown(as, 'events', someEvent(texts)))
      for (const name of ['title', 'description', 'excerpt']) {
        assert.not.match(event[name], ACTIVE, name);
        assert.match(event[name], /<b>x<\/b>.*alert\(2\)/, name);
      }
    for (const [collection, name] of [
      ['venues', 'venue'],
      ['organizers', 'organizer'],
    ] as const)
      for (const post of await shown(as, collection, { [name]: unique(HOSTILE), description: HOSTILE })) {
        assert.not.match(post[name], ACTIVE, name);
        assert.not.match(post.description, ACTIVE);
      }
  });

  test(`a title of ${as}s that is empty after cleaning is refused, on creation and update`, async () => {
    const title = '<script></script><!-- x -->';
    const event = await daybook.created(as, 'events', someEvent({ title: unique('Event') }));
    const venue = await daybook.created(as, 'venues', { venue: unique('Venue') });
    const before = await daybook.store.head();
    const statuses = [
      await daybook.request(as, 'POST', '/events', someEvent({ title })),
      await daybook.request(as, 'PUT', `/events/${event.id}`, { title }),
      await daybook.request(as, 'POST', '/venues', { venue: title }),
      await daybook.request(as, 'PUT', `/venues/${venue.id}`, { venue: title }),
    ].map(({ status }) => status);
    assert.equal(statuses, [400, 400, 400, 400]);
    assert.is(await daybook.store.head(), before);
  });
}

for (const as of ['editor', 'administrator'] as const) {
  test(`what ${as}s write in title, description and excerpt stays as it is`, async () => {
    const [event] = await shown(
      as,
      'events',
      someEvent({ title: unique('<i onclick="x()">t</i>'), description: HOSTILE }),
    );
    assert.match(event.title, '<i onclick="x()">t</i>');
    assert.match(event.description, '<script>alert(2)</script>');
  });
}

for (const as of ['author', 'editor'] as const) {
  test(`cost, contact fields and names of terms lose every tag, for ${as}s too`, async () => {
    const [event] = await shown(
      as,
      'events',
      someEvent({ title: unique('Cost'), cost: `Pay <b>what</b> you <script>want</script>` }),
    );
    assert.not.match(JSON.stringify([event.cost, event.cost_details]), /[<>]/);
    const contacts = ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'stateprovince'];
    const body = Object.fromEntries(contacts.map((name) => [name, ` a\n<b onclick=x>b</b>\r\nc${HOSTILE} `]));
    const [venue] = await shown(as, 'venues', { venue: unique('Contacts'), ...body });
    for (const name of contacts) assert.not.match(venue[name], /[<>\r\n]|^\s|\s$/, name);
    const [organizer] = await shown(as, 'organizers', {
      organizer: unique('Contacts'),
      phone: HOSTILE,
      email: HOSTILE,
    });
    assert.not.match(organizer.phone + organizer.email, /[<>]/);
    const [term] = await shown(as, 'categories', { name: unique(HOSTILE), description: HOSTILE });
    assert.not.match(term.name, /[<>]/);
    assert.not.match(term.description, ACTIVE);
  });
}

const CONTROLS = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join('');
/** Control characters, a lone surrogate, line separators, and texts that look like pieces of JSON. */
const NASTY = `a${CONTROLS}b\u007f\u0085\u2028\u2029\ud800","x":1,"y":"\\"\\\\u0041\u{1f600}`;

test('no text breaks the JSON, and no control character comes back', async () => {
  const event = { description: NASTY, excerpt: NASTY, cost: NASTY, categories: [unique(NASTY)], tags: [unique(NASTY)] };
  const venue = { venue: unique(NASTY), description: NASTY, address: NASTY, city: NASTY, zip: NASTY, phone: NASTY };
  const organizer = { organizer: unique(NASTY), description: NASTY, email: NASTY };
  const events = await shown('editor', 'events', someEvent({ title: unique(NASTY), ...event, venue, organizer }));
  const venues = await shown('editor', 'venues', { ...venue, venue: unique(NASTY) });
  const terms = await shown('editor', 'categories', { name: unique(NASTY), description: NASTY });
  for (const resource of [...events, ...venues, ...terms]) {
    assert.not.ok('x' in resource, 'no member got in');
    walkTexts(resource, (text) =>
      assert.not.match(text, /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/, JSON.stringify(text)),
    );
  }
  assert.equal(Object.keys(events[2]), Object.keys(events[0]), 'the members are those of any event');
});

test('NULs in forms, queries and JSON are dropped', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = 'title=N%00UL&start_date=2026-12-21%00&end_date=2026-12-21&description=a%00b';
  const { status, body: event } = await daybook.request('editor', 'POST', '/events', body, form);
  assert.equal([status, event.title, event.description], [201, 'NUL', '<p>ab</p>']);
  const json = await daybook.created('editor', 'events', someEvent({ title: 'J\u0000SON' }));
  assert.is(json.title, 'JSON');
  assert.is((await daybook.get('/events?search=N%00UL')).body.total, 1);
});

test('an address with markup stays an address inside JSON', async () => {
  const website = 'https://w.example/"><script>alert(1)</script>';
  const [event] = await shown('author', 'events', someEvent({ title: unique('Site'), website }));
  assert.not.ok(event.website.includes('"'), 'a quote would end an attribute');
});

function walkTexts(value: unknown, check: (text: string) => void): void {
  if (typeof value === 'string') check(value);
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) walkTexts(member, check);
}

test('nothing of all this was an error of the service', () => {
  assert.equal(daybook.logged, []);
});

test.run();
