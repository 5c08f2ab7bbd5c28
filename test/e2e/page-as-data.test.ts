// What a page of an event tells programs, and that it is read back as it is here.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventsIn } from '../../src/exchange/import/formats/table/linked-data.ts';
import { rowOfNested } from '../../src/exchange/import/formats/table/nested.ts';
import { readTable } from '../../src/exchange/import/formats/table/records.ts';
import { zoneNamed } from '../support/given.ts';
import { schemaProblems } from '../support/schema-org.ts';
import { someEvent, startTestService } from '../support/service.ts';

const test = suite('pages as data');
const daybook = await startTestService();
test.after(() => daybook.close());

const place = (name: string, city: string) => ({
  venue: name,
  city,
  address: 'River Lane 12',
  geo_lat: 52.5,
  geo_lng: 13.4,
});

test('a page tells all places and organizers, and they are read back', async () => {
  for (const members of [{}, { is_virtual: true, virtual_url: 'https://live.example/' }]) {
    const event = await daybook.created(
      'editor',
      'events',
      someEvent({
        ...{ title: 'Walk', status: 'publish', ...members },
        venue: [place('Old Mill', 'Bonn'), place('New Mill', 'Graz')],
        organizer: [{ organizer: 'Guild', email: 'guild@x.example' }, { organizer: 'Club' }],
      }),
    );
    const page = await daybook.get(`/${new URL(event.url).pathname}`);
    const [, block = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page.text) ?? [];
    const told = JSON.parse(block);
    assert.equal(schemaProblems(told), [], block);
    const names = [told.location, told.organizer].map((all: { name?: string }[]) =>
      all.flatMap(({ name = [] }) => name),
    );
    assert.equal(names, [
      ['Old Mill', 'New Mill'],
      ['Guild', 'Club'],
    ]);
    const { json_ld: first } = (await daybook.get(`/events/${event.id}`)).body;
    assert.is(first.organizer.name, 'Guild', 'the API tells the first, as its reference does');
    const [reading] = readTable(eventsIn(told).map(rowOfNested), {
      ...{ file: 'a.html', topic: 'a', mapping: undefined, ownOrigin: null },
      ...{ now: Date.UTC(2027, 0, 1) / 1000, siteZone: zoneNamed('UTC') },
    }).readings;
    const mill = { address: 'River Lane 12', coordinates: { lat: 52.5, lng: 13.4 } };
    assert.equal(
      reading?.plan.venues.map(({ input }) => input),
      [
        { ...mill, name: 'Old Mill', city: 'Bonn' },
        { ...mill, name: 'New Mill', city: 'Graz' },
      ],
    );
    assert.equal(
      reading?.plan.organizers.map(({ input }) => input),
      [{ name: 'Guild', email: 'guild@x.example' }, { name: 'Club' }],
    );
  }
});

test.run();
