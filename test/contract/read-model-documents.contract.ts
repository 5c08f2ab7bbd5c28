// Checkpoint, handles, and documents as such.
import * as assert from 'uvu/assert';
import { LOG_START } from '../../src/log/envelope.ts';
import {
  category,
  event,
  eventQuery,
  linkedPostQuery,
  organizer,
  positionAfter,
  put,
  removed,
  saved,
  tag,
  user,
  venue,
} from '../support/documents.ts';
import { type Check, idsOf } from './read-model-check.ts';

export function checkpointRules(check: Check): void {
  check('a new read model is at the start of the log', async (model) => {
    assert.is(await model.checkpoint(), LOG_START);
    assert.equal(await model.listEvents(eventQuery()), { items: [], total: 0 });
    assert.is(await model.nextEdge(0), null);
    assert.is((await model.terms()).size, 0);
  });

  check('a batch moves the checkpoint, even when it changes nothing', async (model) => {
    assert.is(await model.apply({ after: LOG_START, upTo: '5', changes: [] }), 'applied');
    assert.is(await model.checkpoint(), '5');
  });

  check('a batch that starts elsewhere is stale and changes nothing', async (model) => {
    await put(model, saved(event(1)));
    const version = await model.version();
    const changes = [saved(event(2)), removed('event', 1)];
    assert.is(await model.apply({ after: LOG_START, upTo: positionAfter(9), changes }), 'stale');
    assert.is(await model.apply({ after: positionAfter(2), upTo: positionAfter(9), changes }), 'stale');
    assert.is(await model.checkpoint(), positionAfter(1));
    assert.is(await model.version(), version);
    assert.equal(idsOf(await model.listEvents(eventQuery())), [1]);
  });

  check('the version changes with every batch and with emptying, and not by reading', async (model) => {
    const versions = [await model.version()];
    await put(model, saved(event(1)));
    versions.push(await model.version());
    await model.listEvents(eventQuery());
    assert.is(await model.version(), versions.at(-1));
    await put(model, saved(event(1)));
    versions.push(await model.version());
    await model.clear();
    versions.push(await model.version());
    await put(model, saved(event(1)));
    versions.push(await model.version());
    assert.is(new Set(versions).size, versions.length);
  });

  check('emptied, it knows nothing and can be filled again', async (model) => {
    await put(model, saved(event(1, { categories: [1], title: 'Jazz' })), saved(category(1)), saved(venue(2)));
    await model.clear();
    assert.is(await model.checkpoint(), LOG_START);
    assert.equal(await model.fetch([{ kind: 'event', id: 1 }]), [null]);
    assert.is((await model.listEvents(eventQuery())).total, 0);
    assert.is((await model.listLinkedPosts(linkedPostQuery())).total, 0);
    assert.is((await model.terms()).size, 0);
    assert.is(await model.findBySlug('event', 'event-1'), null);
    await put(model, saved(event(1, { categories: [1], title: 'Jazz' })), saved(category(1)));
    assert.is((await model.terms()).get(1)?.count, 1);
    const search = { words: ['jazz'], without: [] };
    assert.equal(idsOf(await model.listEvents(eventQuery({ search }))), [1]);
  });
}

export function handleRules(check: Check): void {
  check('what one handle applies, another one sees at once', async (model, { another }) => {
    if (!another) return;
    const other = await another();
    const version = await other.version();
    assert.is((await other.terms()).size, 0);
    await put(model, saved(event(1, { categories: [3] })), saved(category(3)));
    assert.is.not(await other.version(), version);
    assert.is(await other.version(), await model.version());
    assert.is(await other.checkpoint(), positionAfter(1));
    assert.equal(idsOf(await other.listEvents(eventQuery())), [1]);
    assert.is((await other.terms()).get(3)?.count, 1);
    await other.close();
  });

  check('of two writers at the same place one is applied and one is stale', async (model, { another }) => {
    if (!another) return;
    const other = await another();
    const batch = (id: number) => ({ after: LOG_START, upTo: '1', changes: [saved(event(id))] });
    const outcomes = await Promise.all([model.apply(batch(1)), other.apply(batch(2))]);
    assert.equal([...outcomes].sort(), ['applied', 'stale']);
    assert.is((await model.listEvents(eventQuery())).total, 1);
    await other.close();
  });

  check('a handle with the same fingerprint finds everything as it was left', async (model, { another }) => {
    if (!another) return;
    await put(model, saved(event(1)), saved(venue(2)));
    const other = await another();
    assert.is(await other.checkpoint(), positionAfter(1));
    assert.equal(await other.fetch([{ kind: 'venue', id: 2 }]), [venue(2)]);
    await other.close();
  });

  check(
    'a handle with another fingerprint finds it empty, and the old one may write no more',
    async (model, { another }) => {
      if (!another) return;
      await put(model, saved(event(1)));
      const version = await model.version();
      const other = await another('other code');
      assert.is(await other.checkpoint(), LOG_START);
      assert.is((await other.listEvents(eventQuery())).total, 0);
      assert.is.not(await model.version(), version);
      const outcome = await model
        .apply({ after: LOG_START, upTo: '1', changes: [] })
        .catch((error: Error) => error.name);
      assert.is(outcome, 'ReadModelUnavailable');
      assert.is(await other.checkpoint(), LOG_START);
      await other.close();
    },
  );

  check('after closing it is unavailable', async (model) => {
    await model.close();
    const outcome = await model.checkpoint().catch((error: Error) => error.name);
    assert.is(outcome, 'ReadModelUnavailable');
  });
}

export function documentRules(check: Check): void {
  check('documents are returned as stored, in the requested order, null for missing ones', async (model) => {
    const documents = [
      event(1),
      venue(2),
      organizer(3),
      category(1),
      tag(4),
      user(1, 'ann', 'ann@example.org'),
    ] as const;
    await put(model, ...documents.map(saved));
    assert.equal(await model.fetch([]), []);
    const keys = [...documents].reverse().map(({ kind, id }) => ({ kind, id }));
    assert.equal(await model.fetch([...keys, { kind: 'tag', id: 1 }]), [...documents].reverse().concat(null as never));
  });

  check('a document replaces the one before, also within one batch; null removes it', async (model) => {
    await put(model, saved(event(1, { title: 'One' })), saved(event(1, { title: 'Two', startsAt: 12_000 })));
    await put(model, saved(event(2)), removed('event', 2), removed('event', 77), removed('venue', 77));
    const [found, gone] = await model.fetch([
      { kind: 'event', id: 1 },
      { kind: 'event', id: 2 },
    ]);
    assert.equal(found, event(1, { title: 'Two', startsAt: 12_000 }));
    assert.is(gone, null);
    assert.equal(idsOf(await model.listEvents(eventQuery())), [1]);
    assert.is((await model.listEvents(eventQuery({ bounds: { startsBefore: 11_000 } }))).total, 0);
  });

  check('any text survives: NUL, lone surrogates, quotes', async (model) => {
    const title = 'a\0b \ud800 "\u0001\' \\ 😀';
    const odd = event(1, { title, slug: title });
    const place = venue(2, { name: title, searchable: [title, title] });
    await put(model, saved(odd), saved(place), saved(tag(3, { name: title })));
    assert.equal(await model.fetch([{ kind: 'event', id: 1 }]), [odd]);
    assert.is((await model.listEvents(eventQuery())).items[0]?.slug, title);
    assert.is((await model.terms()).get(3)?.name, title);
    const search = { words: ['😀'], without: ['\0\0'] };
    assert.equal(idsOf(await model.listEvents(eventQuery({ search }))), [1]);
    assert.equal(idsOf(await model.listLinkedPosts(linkedPostQuery({ search: ['\\'] }))), [2]);
  });

  check('posts, terms and users are found by slug; the lowest id when several have it', async (model) => {
    await put(model, saved(event(9, { slug: 'same', status: 'trash' })), saved(event(4, { slug: 'same' })));
    await put(model, saved(venue(2, { slug: 'same' })), saved(tag(3, { slug: 'same' })), saved(category(1)));
    await put(model, saved(user(5, 'Ann', 'Ann@Example.org')));
    assert.equal(await model.findBySlug('event', 'same'), event(4, { slug: 'same' }));
    assert.is((await model.findBySlug('venue', 'same'))?.id, 2);
    assert.is((await model.findBySlug('tag', 'same'))?.id, 3);
    assert.is(await model.findBySlug('category', 'same'), null);
    assert.is(await model.findBySlug('event', 'SAME'), null);
    assert.is((await model.findBySlug('user', 'aNN'))?.id, 5);
    assert.is((await model.findBySlug('user', 'ann@example.ORG'))?.id, 5);
  });

  check('a slug that was given up, and a deleted term, are not found', async (model) => {
    await put(model, saved(event(1, { slug: 'old' })), saved(tag(2, { slug: 'gone' })), saved(venue(3)));
    await put(
      model,
      saved(event(1, { slug: 'new' })),
      saved(tag(2, { slug: 'gone', deleted: true })),
      removed('venue', 3),
    );
    assert.is(await model.findBySlug('event', 'old'), null);
    assert.is((await model.findBySlug('event', 'new'))?.id, 1);
    assert.is(await model.findBySlug('tag', 'gone'), null);
    assert.is(await model.findBySlug('venue', 'venue-3'), null);
  });

  check('lists return documents, in which only the state and the search texts may be missing', async (model) => {
    await put(
      model,
      saved(event(1, { venues: [{ id: 2, life: 0 }] })),
      saved(venue(2, { coordinates: { lat: 1, lng: 2 } })),
    );
    const [found] = (await model.listEvents(eventQuery())).items;
    const unseen = { state: null, title: '', excerpt: '', description: '' };
    assert.equal({ ...found, ...unseen }, { ...event(1, { venues: [{ id: 2, life: 0 }] }), ...unseen });
    const [place] = (await model.listLinkedPosts(linkedPostQuery())).items;
    assert.equal({ ...place, state: null }, { ...venue(2, { coordinates: { lat: 1, lng: 2 } }), state: null });
  });
}
