import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  bornPost,
  evolvePost,
  isPostStatus,
  isPublicOrPlanned,
  needsOwnSlug,
  POST_STATUSES,
  type Post,
  type PostStatus,
  postFacts,
  publicationFacts,
  scaledStatus,
  settledStatus,
  statusAfter,
  touchedBy,
  wantedSlug,
} from '../../../src/calendar/resource/domain/post.ts';
import { UnexpectedFact } from '../../../src/domain/decider.ts';
import { HOUR, NOW } from '../../support/given.ts';

const test = suite('post');

const post = (members: Partial<Post> = {}): Post => ({
  id: 7,
  author: 3,
  status: 'publish',
  slug: 'jazz',
  date: NOW,
  dateFloats: false,
  created: NOW,
  modified: NOW,
  before: null,
  passwordHash: null,
  ...members,
});

const trashed = (status: PostStatus = 'publish', slug = 'jazz'): Post =>
  post({ status: 'trash', slug: `${slug}__trashed`, before: { status, slug } });

test('with the right to publish a post gets the requested status', () => {
  for (const status of POST_STATUSES) assert.is(scaledStatus(status, 'may publish'), status);
});

test('without the right to publish, everything public becomes pending', () => {
  const scaled = POST_STATUSES.map((status) => [status, scaledStatus(status, 'may not publish')]);
  assert.equal(Object.fromEntries(scaled), {
    publish: 'pending',
    future: 'pending',
    private: 'pending',
    draft: 'draft',
    pending: 'pending',
    trash: 'trash',
  });
});

test('publishing with a date ahead is planning, planning without one is publishing', () => {
  assert.is(settledStatus('publish', NOW + 1, NOW), 'future');
  assert.is(settledStatus('publish', NOW, NOW), 'publish');
  assert.is(settledStatus('future', NOW, NOW), 'publish');
  assert.is(settledStatus('future', NOW + 1, NOW), 'future');
  for (const status of ['draft', 'pending', 'private', 'trash'] as const)
    for (const date of [NOW - 1, NOW + 1]) assert.is(settledStatus(status, date, NOW), status);
});

test('only the six statuses are statuses', () => {
  for (const status of POST_STATUSES) assert.ok(isPostStatus(status));
  for (const text of ['', 'Publish', 'any', 'auto-draft', 'inherit', 'toString']) assert.not(isPostStatus(text), text);
});

test('drafts and pending posts may share a slug; a date is fixed once a post is live or planned', () => {
  assert.equal(POST_STATUSES.filter(needsOwnSlug), ['publish', 'future', 'private', 'trash']);
  assert.equal(POST_STATUSES.filter(isPublicOrPlanned), ['publish', 'future', 'private']);
});

test('a status that is neither sent nor moved by a date stays', () => {
  const overdue = post({ status: 'future', date: NOW - HOUR });
  assert.is(statusAfter(overdue, { author: 9 }, NOW), 'future');
});

test('a date moves a post between published and planned', () => {
  assert.is(statusAfter(post(), { date: NOW + HOUR }, NOW), 'future');
  const planned = post({ status: 'future', date: NOW + HOUR });
  assert.is(statusAfter(planned, { date: NOW - HOUR }, NOW), 'publish');
  assert.is(statusAfter(planned, { date: NOW + 2 * HOUR }, NOW), 'future');
  assert.is(statusAfter(post({ status: 'draft' }), { date: NOW + HOUR }, NOW), 'draft');
});

test('a status is settled by the present date, which for a floating one is now', () => {
  assert.is(statusAfter(post({ status: 'draft', date: NOW + HOUR }), { status: 'publish' }, NOW), 'future');
  const floating = post({ status: 'draft', date: NOW + HOUR, dateFloats: true });
  assert.is(statusAfter(floating, { status: 'publish' }, NOW), 'publish');
});

test('a date does not take a post out of the trash, a status does', () => {
  assert.is(statusAfter(trashed(), { date: NOW + HOUR }, NOW), 'trash');
  assert.is(statusAfter(trashed(), { status: 'draft' }, NOW), 'draft');
  assert.is(statusAfter(trashed(), { status: 'publish', date: NOW + HOUR }, NOW), 'future');
});

test('a slug is wished for as given, else it stays, else it comes from the title when the post goes live', () => {
  assert.is(wantedSlug(post(), 'publish', 'blues', 'title'), 'blues');
  assert.is(wantedSlug(post(), 'publish', undefined, 'title'), 'jazz');
  const nameless = post({ status: 'draft', slug: '' });
  assert.is(wantedSlug(nameless, 'draft', undefined, 'title'), '');
  assert.is(wantedSlug(nameless, 'pending', undefined, 'title'), '');
  for (const status of ['publish', 'future', 'private'] as const)
    assert.is(wantedSlug(nameless, status, undefined, 'title'), 'title');
});

test('a trashed post releases its slug, and requests it again when restored', () => {
  assert.is(wantedSlug(post(), 'trash', undefined, 'title'), 'jazz__trashed');
  assert.is(wantedSlug(post(), 'trash', 'blues', 'title'), 'blues__trashed');
  assert.is(wantedSlug(post({ slug: '' }), 'trash', undefined, 'title'), '__trashed');
  assert.is(wantedSlug(trashed(), 'trash', undefined, 'title'), 'jazz__trashed');
  assert.is(wantedSlug(trashed(), 'trash', 'blues', 'title'), 'blues__trashed');
  assert.is(wantedSlug(trashed(), 'publish', undefined, 'title'), 'jazz');
  assert.is(wantedSlug(trashed(), 'publish', 'blues', 'title'), 'blues');
  assert.is(wantedSlug(trashed('draft', ''), 'draft', undefined, 'title'), '');
  assert.is(wantedSlug(trashed('draft', ''), 'publish', undefined, 'title'), 'title');
});

const settled = (status: PostStatus, slug = 'jazz') => ({ status, slug, now: NOW + HOUR });

test('everything that happened becomes a fact of its own', () => {
  const floating = post({ status: 'draft', dateFloats: true });
  const patch = { author: 9, date: NOW - HOUR, passwordHash: 'salt' };
  assert.equal(postFacts('Event', floating, patch, settled('publish', 'blues')), [
    { type: 'EventReassigned', data: { author: 9 } },
    { type: 'EventDated', data: { date: NOW - HOUR } },
    { type: 'EventPasswordSet', data: { hash: 'salt' } },
    { type: 'EventSlugChanged', data: { slug: 'blues' } },
    { type: 'EventPublished', data: { date: NOW - HOUR } },
  ]);
});

test('sending the present value is no fact', () => {
  const same = { author: 3, date: NOW, passwordHash: null, status: 'publish' } as const;
  assert.equal(postFacts('Venue', post(), same, settled('publish')), []);
});

test('a floating date becomes a fact once it is sent', () => {
  const floating = post({ status: 'draft', dateFloats: true });
  assert.equal(postFacts('Event', floating, { date: NOW }, settled('draft')), [
    { type: 'EventDated', data: { date: NOW } },
  ]);
});

test('a password can be set, changed and removed', () => {
  const locked = post({ passwordHash: 'salt' });
  assert.equal(postFacts('Event', locked, { passwordHash: 'salt' }, settled('publish')), []);
  assert.equal(postFacts('Event', locked, { passwordHash: 'pepper' }, settled('publish')), [
    { type: 'EventPasswordSet', data: { hash: 'pepper' } },
  ]);
  assert.equal(postFacts('Event', locked, { passwordHash: null }, settled('publish')), [
    { type: 'EventPasswordRemoved', data: {} },
  ]);
});

test('a floating date is fixed at the instant at which the post goes live or into the trash', () => {
  const floating = post({ status: 'draft', dateFloats: true });
  for (const status of ['publish', 'private', 'trash'] as const) {
    const [fact] = postFacts('Event', floating, {}, settled(status));
    assert.is(fact && 'date' in fact.data && fact.data.date, NOW + HOUR);
  }
});

test('the trash records the former status until the post is restored', () => {
  const gone = { ...post(), ...evolvePost(post(), 'EventTrashed', 'Event', { slug: 'jazz__trashed', date: NOW }) };
  const formerSlugs = [{ slug: 'jazz', status: 'publish', until: NOW }] as const;
  assert.equal(gone, { ...trashed(), formerSlugs });
  const restored = { status: 'draft', slug: 'jazz-2', date: NOW + HOUR };
  const back = { ...gone, ...evolvePost(gone, 'EventRestored', 'Event', restored) };
  assert.equal(back, post({ status: 'draft', slug: 'jazz-2', formerSlugs }));
});

test('each former slug is known once, by its most public status', () => {
  const steps = [
    ['EventSlugChanged', { slug: 'blues' }, [['jazz', 'publish']]],
    [
      'EventReturnedToDraft',
      {},
      [
        ['jazz', 'publish'],
        ['blues', 'publish'],
      ],
    ],
    [
      'EventSlugChanged',
      { slug: 'swing' },
      [
        ['jazz', 'publish'],
        ['blues', 'publish'],
      ],
    ],
    [
      'EventSlugChanged',
      { slug: 'jazz' },
      [
        ['jazz', 'publish'],
        ['blues', 'publish'],
        ['swing', 'draft'],
      ],
    ],
    [
      'EventSlugChanged',
      { slug: 'waltz' },
      [
        ['blues', 'publish'],
        ['swing', 'draft'],
        ['jazz', 'publish'],
      ],
    ],
    [
      'EventTrashed',
      { slug: 'waltz__trashed' },
      [
        ['blues', 'publish'],
        ['swing', 'draft'],
        ['jazz', 'publish'],
        ['waltz', 'draft'],
      ],
    ],
  ] as const;
  let now = post({ status: 'publish' });
  for (const [type, data, former] of steps) {
    now = { ...now, ...evolvePost(now, type, 'Event', data) };
    assert.equal(
      now.formerSlugs?.map(({ slug, status }) => [slug, status]),
      former,
    );
  }
});

test('a return into public fixes the date', () => {
  const restored = { status: 'publish', slug: 'jazz', date: NOW + HOUR };
  assert.is(evolvePost(trashed(), 'EventRestored', 'Event', restored).date, NOW + HOUR);
});

test('a post is modified when a fact of it was recorded, whatever it is dated', () => {
  const born = post({ ...bornPost(NOW), date: NOW + HOUR });
  assert.equal([born.status, born.created, born.modified], ['draft', NOW, NOW]);
  assert.equal(touchedBy(born, NOW + 1), { modified: NOW + 1, date: NOW + HOUR });
});

test('a floating date moves along with every change', () => {
  assert.equal(touchedBy(post({ dateFloats: true }), NOW + 5), { modified: NOW + 5, date: NOW + 5 });
});

for (const type of ['EventExploded', 'Event', 'VenuePublished', 'Published', ''])
  test(`a fact of type ${type || '(none)'} is none of an event's life`, () =>
    assert.throws(
      () => evolvePost(post(), type, 'Event', {}),
      (error: unknown) => error instanceof UnexpectedFact,
    ));

test('a scheduled post whose date has come is published at the date that it was scheduled for', () => {
  const due = [{ type: 'VenuePublished', data: { date: NOW - HOUR } }];
  assert.equal(publicationFacts('Venue', post({ status: 'future', date: NOW - HOUR }), NOW), due);
  assert.equal(publicationFacts('Event', post({ status: 'future', date: NOW }), NOW), [
    { type: 'EventPublished', data: { date: NOW } },
  ]);
});

test('a scheduled post is not published a second before its date', () => {
  assert.equal(publicationFacts('Event', post({ status: 'future', date: NOW + 1 }), NOW), []);
});

test('a post that is not scheduled is never due, whatever its date', () => {
  for (const status of POST_STATUSES.filter((one) => one !== 'future'))
    for (const date of [NOW - HOUR, NOW, NOW + HOUR])
      assert.equal(publicationFacts('Organizer', post({ status, date }), NOW), [], `${status} at ${date}`);
  assert.equal(publicationFacts('Event', trashed('future'), NOW + HOUR), []);
});

test.run();
