// The filters of event listings, search among them.
import * as assert from 'uvu/assert';
import type { EventStatus } from '../../src/calendar/event/domain/event-status.ts';
import type { EventQuery, Visibility } from '../../src/read-model/queries.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { event, eventQuery, organizer, PUBLIC, put, removed, saved, venue } from '../support/documents.ts';
import { type Check, link, listed } from './read-model-check.ts';

export function eventFilterRules(check: Check): void {
  check('members of one list combine with OR, lists with AND; empty lists match nothing', async (model) => {
    await put(
      model,
      saved(event(1, { categories: [1, 2], tags: [11] })),
      saved(event(2, { categories: [2], tags: [12] })),
      saved(event(3, { categories: [3], tags: [11, 12] })),
    );
    assert.equal(await listed(model, { categories: [1, 3] }), [1, 3]);
    assert.equal(await listed(model, { categories: [1, 2] }), [1, 2]);
    assert.equal(await listed(model, { categories: [2, 3], tags: [12] }), [2, 3]);
    assert.equal(await listed(model, { categories: [11] }), []);
    assert.equal(await listed(model, { include: [3, 99, 1] }), [1, 3]);
    for (const list of ['categories', 'tags', 'venues', 'organizers', 'include'] as const)
      assert.equal(await listed(model, { [list]: [] }), [], list);
  });

  check('links follow their event when it changes', async (model) => {
    await put(model, saved(venue(5)), saved(event(1, { categories: [1], venues: link(5) })));
    await put(model, ...[2, 3, 4, 5].map((id) => saved(event(id))));
    await put(model, saved(event(1, { categories: [2], venues: link(5), startsAt: 11_000 })));
    assert.equal(await listed(model, { categories: [1] }), []);
    assert.equal(await listed(model, { categories: [2], bounds: { startsFrom: 10_500 } }), [1]);
    assert.equal(await listed(model, { venues: [5], bounds: { startsFrom: 10_500 } }), [1]);
    assert.equal(await listed(model, { venues: [5], bounds: { startsBefore: 10_500 } }), []);
  });

  check('links count only in the present life of what they lead to', async (model) => {
    await put(model, saved(venue(5, { life: 1 })), saved(organizer(6)));
    await put(
      model,
      saved(event(1, { venues: link(5, 0), organizers: link(6) })),
      saved(event(2, { venues: link(5, 1) })),
    );
    assert.equal(await listed(model, { venues: [5] }), [2]);
    assert.equal(await listed(model, { organizers: [6] }), [1]);
    await put(model, saved(organizer(6, { life: 1 })), saved(venue(5, { life: 0 })));
    assert.equal(await listed(model, { venues: [5] }), [1]);
    assert.equal(await listed(model, { organizers: [6] }), []);
    await put(model, removed('venue', 5));
    assert.equal(await listed(model, { venues: [5] }), []);
  });

  check('flags and parents select', async (model) => {
    await put(
      model,
      saved(event(1, { featured: true })),
      saved(event(2, { ticketed: true, parent: 1 })),
      saved(event(3)),
    );
    assert.equal(await listed(model, { featured: true }), [1]);
    assert.equal(await listed(model, { featured: false }), [2, 3]);
    assert.equal(await listed(model, { ticketed: true }), [2]);
    assert.equal(await listed(model, { ticketed: false, featured: false }), [3]);
    assert.equal(await listed(model, { parent: 1 }), [2]);
    assert.equal(await listed(model, { parent: 2 }), []);
  });

  check('event statuses select, alone and together, also where they change', async (model) => {
    await put(
      model,
      saved(event(1, { eventStatus: 'canceled' })),
      saved(event(2, { eventStatus: 'postponed', categories: [4] })),
      saved(event(3)),
    );
    const having = (...eventStatuses: readonly EventStatus[]) => listed(model, { eventStatuses });
    assert.equal(await having('canceled'), [1]);
    assert.equal(await having('postponed'), [2]);
    assert.equal(await having('scheduled'), [3]);
    assert.equal(await having('scheduled', 'canceled'), [1, 3]);
    assert.equal(await having('scheduled', 'postponed'), [2, 3]);
    assert.equal(await having('canceled', 'postponed'), [1, 2]);
    assert.equal(await having('scheduled', 'canceled', 'postponed'), [1, 2, 3]);
    assert.equal(await listed(model, { eventStatuses: ['postponed'], categories: [4] }), [2]);
    assert.equal(await listed(model, { eventStatuses: ['scheduled'], categories: [4] }), []);
    await put(model, saved(event(1)), saved(event(3, { eventStatus: 'canceled', startsAt: 9_000 })));
    assert.equal(await having('canceled'), [3]);
    assert.equal(await having('scheduled'), [1]);
    await put(model, removed('event', 3));
    assert.equal(await having('canceled'), []);
  });

  check('online events are found, and the others, also where that changes', async (model) => {
    await put(model, saved(event(1, { isVirtual: true, categories: [4] })), saved(event(2, { categories: [4] })));
    assert.equal(await listed(model, { isVirtual: true }), [1]);
    assert.equal(await listed(model, { isVirtual: false }), [2]);
    assert.equal(await listed(model, { isVirtual: true, categories: [4] }), [1]);
    assert.equal(await listed(model, { isVirtual: false, categories: [4] }), [2]);
    await put(model, saved(event(1)), saved(event(2, { isVirtual: true, startsAt: 9_000 })));
    assert.equal(await listed(model, { isVirtual: true }), [2]);
    await put(model, removed('event', 2));
    assert.equal(await listed(model, { isVirtual: true }), []);
  });

  for (const trait of ['isFree', 'hasImage'] as const)
    check(`events are found by ${trait}, and the others, but not behind passwords`, async (model) => {
      const secret = event(3, { [trait]: true, protected: true });
      await put(model, saved(event(1, { [trait]: true, parent: 7 })), saved(event(2, { parent: 7 })), saved(secret));
      assert.equal(await listed(model, { [trait]: true }), [1]);
      assert.equal(await listed(model, { [trait]: false }), [2]);
      assert.equal(await listed(model, { [trait]: true, parent: 7 }), [1]);
      assert.equal(await listed(model, { parent: 7 }), [1, 2]);
      await put(model, saved(event(1, { parent: 7 })));
      assert.equal(await listed(model, { [trait]: true }), []);
    });

  for (const trait of ['onWeekend', 'inEvening', 'isAccessible'] as const)
    check(`events are found by ${trait}, and the others, also behind passwords`, async (model) => {
      const locked = event(3, { [trait]: true, protected: true });
      await put(model, saved(event(1, { [trait]: true })), saved(event(2)), saved(locked));
      assert.equal(await listed(model, { [trait]: true }), [1, 3]);
      assert.equal(await listed(model, { [trait]: false }), [2]);
    });

  check('events are found by their labels, of which one is enough, and by each kind of them', async (model) => {
    const locked = event(4, { labels: ['weekdays:friday', 'languages:de'], protected: true });
    await put(
      model,
      saved(event(1, { labels: ['weekdays:friday', 'languages:de', 'languages:en'] })),
      saved(event(2, { labels: ['weekdays:friday', 'ages:6-12'], parent: 7 })),
      saved(event(3, { labels: ['weekdays:sunday', 'languages:fr'] })),
      saved(locked),
    );
    assert.equal(await listed(model, { weekdays: ['friday'] }), [1, 2, 4]);
    assert.equal(await listed(model, { weekdays: ['friday'], languages: ['de'] }), [1], 'not behind a password');
    assert.equal(await listed(model, { languages: ['fr', 'en', 'de'] }), [1, 3]);
    assert.equal(await listed(model, { ages: ['6-12'], parent: 7 }), [2]);
    assert.equal(await listed(model, { ages: ['sunday'] }), []);
    assert.equal(await listed(model, { ages: [] }), []);
    await put(model, saved(event(3, { labels: ['weekdays:friday'] })), removed('event', 2));
    assert.equal(await listed(model, { weekdays: ['friday'] }), [1, 3, 4]);
    assert.equal(await listed(model, { weekdays: ['sunday'] }), []);
  });

  check('places select and order by their nearest living venue', async (model) => {
    const at = (lat: number, lng: number) => ({ coordinates: { lat, lng } });
    await put(model, saved(venue(51, at(52.5, 13.4))), saved(venue(52, at(52.4, 13.06))), saved(venue(53)));
    await put(model, saved(venue(54, { ...at(52.5, 13.41), life: 1 })), saved(venue(55, at(0, 179.95))));
    await put(
      model,
      saved(event(1, { venues: link(52) })),
      saved(event(2, { venues: [...link(52), ...link(51)], startsAt: 12_000 })),
      saved(event(3, { venues: link(53) })),
      saved(event(4, { venues: link(54) })),
      saved(event(5, { venues: link(51) })),
      saved(event(6, { venues: link(55) })),
      saved(event(7)),
    );
    const berlin = { lat: 52.52, lng: 13.4 };
    assert.equal(await listed(model, { geolocated: true }), [1, 5, 6, 2]);
    assert.equal(await listed(model, { geolocated: false }), [3, 4, 7]);
    assert.equal(await listed(model, { nearby: { ...berlin, radiusKm: 5 } }), [5, 2]);
    assert.equal(await listed(model, { nearby: { ...berlin, radiusKm: 40 }, order: 'distance' }), [5, 2, 1]);
    assert.equal(await listed(model, { nearby: { ...berlin, radiusKm: 40 }, order: 'start' }), [1, 5, 2]);
    assert.equal(await listed(model, { nearby: { lat: 0, lng: -179.95, radiusKm: 20 } }), [6]);
    assert.equal(await listed(model, { nearby: { ...berlin, radiusKm: 1 } }), []);
  });
}

export function eventRightsRules(check: Check): void {
  const at = (lat: number, lng: number) => ({ coordinates: { lat, lng } });
  const near = { nearby: { lat: 52.5, lng: 13.4, radiusKm: 50 } };
  const editors: Visibility = { statuses: ['publish', 'private', 'draft'], own: null };
  const author = (id: number): Visibility => ({ statuses: ['publish'], own: { author: id, statuses: ['draft'] } });

  check('filters match only through venues and organizers that the reader may see', async (model) => {
    await put(model, saved(venue(51, { ...at(52.5, 13.4), status: 'private' })), saved(venue(52, at(52.6, 13.5))));
    await put(model, saved(venue(53, { ...at(52.5, 13.4), status: 'draft', author: 7 })));
    await put(model, saved(organizer(61, { status: 'draft', author: 7 })), saved(organizer(62)));
    await put(
      model,
      saved(event(1, { venues: link(51), organizers: link(61) })),
      saved(event(2, { venues: [...link(51), ...link(52)], organizers: link(62) })),
      saved(event(3, { venues: link(53) })),
    );
    const sees = (venue: Visibility, organizer: Visibility) => ({ linked: { venue, organizer } });
    assert.equal(await listed(model, { venues: [51] }), []);
    assert.equal(await listed(model, { organizers: [61, 62] }), [2]);
    assert.equal(await listed(model, near), [2]);
    assert.equal(await listed(model, { ...near, order: 'distance' }), [2]);
    assert.equal(await listed(model, { geolocated: true }), [2]);
    assert.equal(await listed(model, { geolocated: false }), [1, 3]);
    assert.equal(await listed(model, { venues: [51, 53], ...sees(editors, PUBLIC) }), [1, 2, 3]);
    assert.equal(await listed(model, { ...near, order: 'distance', ...sees(editors, PUBLIC) }), [1, 2, 3]);
    assert.equal(await listed(model, { geolocated: false, ...sees(editors, PUBLIC) }), []);
    assert.equal(await listed(model, { ...near, ...sees(author(7), PUBLIC) }), [2, 3]);
    assert.equal(await listed(model, { venues: [53], ...sees(author(8), PUBLIC) }), []);
    assert.equal(await listed(model, { organizers: [61], ...sees(PUBLIC, author(7)) }), [1]);
  });

  check('searches and places do not match behind a password that the reader needs', async (model) => {
    await put(model, saved(venue(51, at(52.5, 13.4))), saved(organizer(61)));
    const links = { categories: [1], tags: [11], venues: link(51), organizers: link(61), featured: true };
    await put(model, saved(event(1, { ...links, protected: true, author: 7 })), saved(event(2, links)));
    const behind: Partial<EventQuery>[] = [{ geolocated: true }, near];
    for (const filter of behind) {
      assert.equal(await listed(model, filter), [2], JSON.stringify(filter));
      assert.equal(await listed(model, { ...filter, unmasked: PUBLIC }), [1, 2], JSON.stringify(filter));
      const own: Visibility = { statuses: [], own: { author: 7, statuses: ['publish'] } };
      assert.equal(await listed(model, { ...filter, unmasked: own }), [1, 2], JSON.stringify(filter));
    }
    assert.equal(await listed(model, { venues: [51], categories: [1] }), [1, 2]);
    assert.equal(await listed(model, { ticketed: false, bounds: { startsFrom: 0 }, include: [1, 2] }), [1, 2]);
  });
}

export function searchRules(check: Check): void {
  const searched = (model: ReadModel, words: string[], without: string[] = [], query: Partial<EventQuery> = {}) =>
    listed(model, { ...query, search: { words, without } });

  check('every word occurs somewhere in title, excerpt or description, in any case', async (model) => {
    await put(
      model,
      saved(event(1, { title: 'Jazz Night', description: 'with DÜKE' })),
      saved(event(2, { excerpt: 'jazzy', description: 'night 100%_' })),
      saved(event(3, { title: 'ja', excerpt: 'zz' })),
    );
    assert.equal(await searched(model, ['jazz']), [1, 2]);
    assert.equal(await searched(model, ['jazz', 'night']), [1, 2]);
    assert.equal(await searched(model, ['jazz night']), [1]);
    assert.equal(await searched(model, ['azzy']), [2]);
    assert.equal(await searched(model, ['duke']), [1]);
    assert.equal(await searched(model, ['100%_']), [2]);
    assert.equal(await searched(model, ['j_zz']), []);
    assert.equal(await searched(model, ['zz']), [1, 2, 3]);
    assert.equal(await searched(model, ['zz', 'jazz'], ['duke']), [2]);
    assert.equal(await searched(model, [], ['night']), [3]);
    assert.equal(await searched(model, ['"', 'jazz']), []);
    assert.equal(await searched(model, ['jazz"jazz']), []);
    assert.equal(await searched(model, ['jazz" OR "ja']), []);
  });

  check('a word is found with and without its accents', async (model) => {
    await put(
      model,
      saved(event(1, { title: 'Łódź by night' })),
      saved(event(2, { description: 'Cafe\u0301 Straße' })),
      saved(event(3, { excerpt: 'lodz' })),
    );
    assert.equal(await searched(model, ['lodz']), [1, 3]);
    assert.equal(await searched(model, ['odz by']), [1]);
    assert.equal(await searched(model, ['cafe strasse']), [2]);
    assert.equal(await searched(model, [], ['lodz']), [2]);
  });

  check('a text is found as it is now, not as it was', async (model) => {
    await put(model, saved(event(1, { title: 'before' })), saved(event(2, { title: 'before' })));
    await put(model, saved(event(1, { title: 'after' })), removed('event', 2));
    assert.equal(await searched(model, ['before']), []);
    assert.equal(await searched(model, ['after']), [1]);
  });

  check('texts of a large batch are found at once, and after further changes', async (model) => {
    const many = Array.from({ length: 300 }, (_, at) => event(at + 1, { title: at % 3 ? 'Choir' : 'Orchestra' }));
    await put(model, ...many.map(saved));
    assert.is((await model.listEvents(eventQuery({ search: { words: ['orchestra'], without: [] } }))).total, 100);
    await put(model, saved(event(1, { title: 'Opera' })), removed('event', 4));
    assert.is((await model.listEvents(eventQuery({ search: { words: ['orchestra'], without: [] } }))).total, 98);
    assert.equal(await searched(model, ['opera']), [1]);
    await put(model, ...many.map(saved));
    assert.equal(await searched(model, ['opera']), []);
    assert.is((await model.listEvents(eventQuery({ search: { words: ['orchestra'], without: [] } }))).total, 100);
  });

  check('protected events are searched only for readers who may see them', async (model) => {
    await put(model, saved(event(1, { title: 'jazz', protected: true })), saved(event(2, { title: 'jazz' })));
    assert.equal(await searched(model, ['jazz']), [2]);
    assert.equal(await searched(model, ['jazz'], [], { unmasked: PUBLIC }), [1, 2]);
    assert.equal(await listed(model, {}), [1, 2]);
  });

  check('search combines with the other filters', async (model) => {
    await put(
      model,
      saved(event(1, { title: 'jazz', categories: [1] })),
      saved(event(2, { title: 'jazz', status: 'draft' })),
    );
    await put(model, saved(event(3, { title: 'jazz', hidden: true })), saved(event(4, { title: 'jazz' })));
    assert.equal(await searched(model, ['jazz'], [], { categories: [1] }), [1]);
    assert.equal(await searched(model, ['jazz']), [1, 4]);
    assert.equal(await searched(model, ['jazz'], [], { bounds: { startsAfter: 10_000 } }), []);
  });
}
