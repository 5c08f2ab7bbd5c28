// Listings of venues and organizers.
import * as assert from 'uvu/assert';
import { POST_STATUSES } from '../../src/calendar/resource/domain/post.ts';
import type { EventDocument } from '../../src/read-model/documents.ts';
import { type EventAccess, type LinkedPostQuery, NO_POSTS, type Visibility } from '../../src/read-model/queries.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { event, linkedPostQuery, OPEN, organizer, PUBLIC, put, saved, venue } from '../support/documents.ts';
import { type Check, idsOf, link } from './read-model-check.ts';

const EDITORS: Visibility = { statuses: POST_STATUSES, own: null };

export function linkedPostRules(check: Check): void {
  const posts = async (model: ReadModel, query: Partial<LinkedPostQuery>): Promise<number[]> =>
    idsOf(await model.listLinkedPosts(linkedPostQuery(query)));

  check('venues and organizers come newest first, then by id descending, each kind for itself', async (model) => {
    await put(
      model,
      saved(venue(1, { date: 5 })),
      saved(venue(2, { date: 9 })),
      saved(venue(3, { date: 5 })),
      saved(organizer(4)),
    );
    assert.equal(await posts(model, {}), [2, 3, 1]);
    assert.equal(await posts(model, { kind: 'organizer' }), [4]);
    const page = await model.listLinkedPosts(linkedPostQuery({ page: { offset: 1, limit: 1 } }));
    assert.equal([idsOf(page), page.total], [[3], 3]);
    const beyond = await model.listLinkedPosts(linkedPostQuery({ page: { offset: 3, limit: 1 } }));
    assert.equal(beyond, { items: [], total: 3 });
  });

  check('a reader sees the open ones and own ones', async (model) => {
    await put(
      model,
      saved(venue(1, { status: 'draft', author: 7 })),
      saved(venue(2, { status: 'draft' })),
      saved(venue(3)),
    );
    assert.equal(await posts(model, {}), [3]);
    const own = { author: 7, statuses: ['draft'] } as const;
    assert.equal(await posts(model, { visibility: { statuses: ['publish'], own } }), [3, 1]);
  });

  check('all fragments of a search occur in one and the same field', async (model) => {
    await put(
      model,
      saved(venue(1, { searchable: ['Blue Note', 'Main Street'] })),
      saved(venue(2, { searchable: ['ÄRGER'] })),
    );
    assert.equal(await posts(model, { search: ['note', 'blue'] }), [1]);
    assert.equal(await posts(model, { search: ['note', 'main'] }), []);
    assert.equal(await posts(model, { search: ['arg'] }), [2]);
    assert.equal(await posts(model, { search: ['%'] }), []);
    assert.equal(await posts(model, { search: [] }), []);
    await put(model, saved(venue(1, { searchable: ['Red'] })));
    assert.equal(await posts(model, { search: ['blue'] }), []);
  });

  check('those of an event are those it is linked to in their present life', async (model) => {
    await put(model, saved(venue(1)), saved(venue(2, { life: 1 })), saved(venue(3)), saved(organizer(4)));
    const venues = [...link(1), ...link(2)];
    await put(model, saved(event(9, { status: 'draft', hidden: true, venues, organizers: link(4) })));
    const events = { visible: EDITORS, unmasked: NO_POSTS };
    assert.equal(await posts(model, { event: 9, events }), [1]);
    assert.equal(await posts(model, { event: 9, kind: 'organizer', events }), [4]);
    assert.equal(await posts(model, { event: 8, events }), []);
  });

  check('only events whose links the reader may know match by their links', async (model) => {
    await put(model, ...[1, 2, 3, 4, 5, 6].map((id) => saved(venue(id))));
    const at = (id: number, members: Partial<EventDocument>) =>
      saved(event(10 + id, { venues: link(id), startsAt: 500, ...members }));
    await put(model, at(1, {}), at(2, { protected: true, author: 7 }), at(3, { status: 'private', author: 7 }));
    await put(model, at(4, { status: 'trash' }), at(5, { status: 'future', protected: true, author: 7 }));
    const all: Visibility = { statuses: ['publish', 'private', 'future', 'draft'], own: null };
    const own = { author: 7, statuses: ['private', 'future', 'draft'] } as const;
    const readers: readonly (readonly [EventAccess, number[], number[]])[] = [
      [OPEN, [1], [1]],
      [{ visible: all, unmasked: NO_POSTS }, [3, 1], [1]],
      [{ visible: all, unmasked: all }, [5, 3, 2, 1], [2, 1]],
      [{ visible: { ...PUBLIC, own }, unmasked: NO_POSTS }, [3, 1], [1]],
      [{ visible: { ...PUBLIC, own }, unmasked: { statuses: [], own } }, [5, 3, 1], [1]],
      [{ visible: { ...PUBLIC, own }, unmasked: { statuses: [], own: { ...own, author: 8 } } }, [3, 1], [1]],
      [{ visible: all, unmasked: { statuses: [], own: { author: 7, statuses: ['publish'] } } }, [3, 2, 1], [2, 1]],
      [{ visible: { ...PUBLIC, own: { ...own, author: 8 } }, unmasked: NO_POSTS }, [1], [1]],
    ];
    for (const [events, told, coming] of readers) {
      const rest = [6, 5, 4, 3, 2, 1].filter((id) => !told.includes(id));
      assert.equal(await posts(model, { hasEvents: true, events }), told, JSON.stringify(events));
      assert.equal(await posts(model, { hasEvents: false, events }), rest, JSON.stringify(events));
      const upcoming = { from: 100, visibility: PUBLIC };
      assert.equal(await posts(model, { upcoming, events }), coming, JSON.stringify(events));
      for (const id of [1, 2, 3, 4, 5])
        assert.equal(await posts(model, { event: 10 + id, events }), told.includes(id) ? [id] : [], `${id}`);
    }
    await put(model, at(2, { author: 7 }), at(3, { author: 7 }), at(1, { protected: true }));
    assert.equal(await posts(model, { hasEvents: true }), [3, 2]);
    assert.equal(await posts(model, { upcoming: { from: 100, visibility: PUBLIC } }), [3, 2]);
  });

  check('having events means: neither draft nor pending, of the present life', async (model) => {
    await put(model, ...[1, 2, 3, 4, 5].map((id) => saved(venue(id))), saved(venue(6, { life: 1 })));
    const at = (id: number, status: 'draft' | 'pending' | 'trash' | 'private') =>
      saved(event(10 + id, { status, hidden: true, venues: link(id) }));
    await put(model, at(1, 'draft'), at(2, 'pending'), at(3, 'trash'), at(4, 'private'), at(6, 'private'));
    const events = { visible: EDITORS, unmasked: NO_POSTS };
    assert.equal(await posts(model, { hasEvents: true, events }), [4, 3]);
    assert.equal(await posts(model, { hasEvents: false, events }), [6, 5, 2, 1]);
  });

  check('upcoming means: starts at or after the instant, listed, visible, of the present life', async (model) => {
    await put(model, ...[1, 2, 3, 4].map((id) => saved(venue(id))), saved(venue(5, { life: 1 })));
    await put(
      model,
      saved(event(11, { venues: link(1), startsAt: 100, endsAt: 900 })),
      saved(event(12, { venues: link(2), startsAt: 99, endsAt: 900 })),
      saved(event(13, { venues: link(3), startsAt: 500, hidden: true })),
      saved(event(14, { venues: link(4), startsAt: 500, status: 'draft', author: 7 })),
      saved(event(15, { venues: link(5), startsAt: 500 })),
    );
    assert.equal(await posts(model, { upcoming: { from: 100, visibility: PUBLIC } }), [1]);
    const visibility = { statuses: ['publish'], own: { author: 7, statuses: ['draft'] } } as const;
    const events = { visible: EDITORS, unmasked: NO_POSTS };
    assert.equal(await posts(model, { upcoming: { from: 100, visibility }, events }), [4, 1]);
  });
}
