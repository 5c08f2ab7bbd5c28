// Our own calendar read by another Daybook gives the same events, also what other programs have no place for.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeEntities } from '../../src/kernel/text/plain-text.ts';
import { type Body, someEvent, startTestService } from '../support/service.ts';

const test = suite('our own calendar read back');

const there = await startTestService();
const here = await startTestService();
test.after(async () => {
  await Promise.all([there.close(), here.close()]);
});

const RICH = {
  title: 'Jazz & Wine',
  start_date: '2027-06-18 19:30:00',
  end_date: '2027-06-18 22:00:00',
  description:
    '<p>Doors at <strong>19:30</strong>, <a href="https://hall.example/">tickets</a> &amp; friends; "all", of you</p>',
  excerpt: 'A short <em>word</em>',
  cost: '12',
  website: 'https://jazz.example/tour?x=1&y=2',
  age_range: '6-99',
  languages: 'de,en',
  accessible: true,
  accessibility: 'Lift, ramp; quiet room',
  registration_url: 'https://tickets.example/jazz',
  featured: true,
  categories: ['Music, live', 'Wine'],
  tags: ['late', 'Music; loud'],
  venue: [
    {
      venue: 'Hall, old; part B',
      address: '1 Mill Lane',
      city: 'Leeds',
      zip: 'LS1 1AA',
      country: 'United Kingdom',
      phone: '+44 113 1',
      website: 'https://hall.example/',
    },
    { venue: 'Garden' },
  ],
  organizer: [{ organizer: 'Guild', email: 'guild@hall.example' }],
};
const EVENTS: readonly object[] = [
  RICH,
  { title: 'Plain', description: 'One line\n\nand another', tags: ['late'], categories: ['Wine'] },
  { title: 'Excerpt alone', description: '', excerpt: 'A short word' },
  { title: 'Online', is_virtual: true, virtual_url: 'https://meet.example/a', venue: { venue: 'Studio, 2nd floor' } },
];

const names = (list: readonly Body[], member = 'name'): string[] => list.map((one) => one[member]).sort();
const placesOf = ({ venue }: Body): Body[] => [venue].flat().filter((one) => 'venue' in one);

/** What readers are told of an event. */
const told = (event: Body): object => ({
  ...Object.fromEntries(
    ['title', 'description', 'excerpt', 'cost', 'website', 'age_range', 'languages', 'accessible', 'accessibility']
      .concat([
        'registration_url',
        'featured',
        'start_date',
        'end_date',
        'timezone',
        'all_day',
        'is_virtual',
        'virtual_url',
      ])
      .map((name) => [name, typeof event[name] === 'string' ? decodeEntities(event[name]) : event[name]]),
  ),
  categories: names(event.categories),
  tags: names(event.tags),
  venues: placesOf(event).map(({ venue, address, city, zip, country, phone, website }) => ({
    ...{ venue, address, city, zip, country, phone, website },
  })),
  organizers: event.organizer.map(({ organizer, email }: Body) => ({ organizer, email })),
});

async function imported(text: string): Promise<Body> {
  const begun = await here.request('editor', 'POST', '/imports', { file: text, name: 'a.ics' });
  assert.is(begun.status, 201, begun.text);
  for (;;) {
    const { body } = await here.get(`/imports/${begun.body.id}`, 'editor');
    if (body.ended !== null) return body;
    await sleep(20);
  }
}

for (const event of EVENTS)
  test(`${(event as { title: string }).title}`, async () => {
    const made = await there.created('administrator', 'events', someEvent(event));
    const calendar = await there.get(`/events/${made.id}.ics`);
    const { counts } = await imported(calendar.text);
    assert.is(counts.events.created, 1, calendar.text);
    const { body } = await here.get(
      `/events?search=${encodeURIComponent(made.slug.split('-')[0] as string)}&status=any`,
      'administrator',
    );
    const [back] = body.events.filter(({ slug }: Body) => slug === made.slug);
    assert.ok(back, JSON.stringify(body.events.map(({ slug }: Body) => slug)));
    const own = made.website === '' ? { website: back.website } : {};
    assert.equal(told(back), { ...told(made), ...own }, calendar.text);
  });

test('what cannot be read of it costs itself', async () => {
  const text = (await there.get('/events.ics')).text.replace(/X-DAYBOOK-EVENT:/g, 'X-DAYBOOK-EVENT:{');
  const { counts, rows } = await imported(text);
  assert.is(counts.events.refused, 0, JSON.stringify(rows));
});

test.run();
