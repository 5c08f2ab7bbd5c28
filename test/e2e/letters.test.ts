// Texts are found and ordered as people write letters: accents and case do not matter.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDocumentedService } from '../support/documented.ts';
import { type Body, someEvent, type TestService } from '../support/service.ts';

let daybook: TestService;
const ids: { [name: string]: number } = {};
const test = suite('letters over HTTP');

const made = async (collection: string, body: object): Promise<number> =>
  (await daybook.created('editor', collection, body)).id;

test.before(async () => {
  daybook = await startDocumentedService();
  for (const name of ['zeta', 'Éclair', 'beta', 'Alpha', 'Café Łódź', 'Food & Drink'])
    ids[name] = await made('categories', { name });
  ids.Wine = await made('categories', { name: 'Wine', parent: ids['Food & Drink'] });
  ids['Late Show'] = await made('categories', { name: 'Late Show', slug: 'ls' });
  const categories = ['zeta', 'Éclair', 'beta', 'Alpha'].map((name) => ids[name]);
  ids.walk = await made('events', someEvent({ title: 'A walk through Łódź', categories }));
  ids.coffee = await made('events', someEvent({ title: 'Lodz', categories: [ids['Café Łódź']], description: 'Café' }));
  ids.tasting = await made('events', someEvent({ title: 'Tasting', categories: [ids.Wine] }));
  ids.late = await made('events', someEvent({ title: 'Late', categories: [ids['Late Show']] }));
  ids.venue = await made('venues', { venue: 'Teatr Wielki', city: 'Łódź' });
  ids.organizer = await made('organizers', { organizer: 'José Muñoz' });
});
test.after(() => daybook.close());

async function found(target: string): Promise<number[]> {
  const { status, body } = await daybook.get(target);
  assert.is(status, 200, target);
  const collection = target.slice(1, target.indexOf('?'));
  return body[collection].map(({ id }: Body) => id);
}

const searches: readonly (readonly [string, string, readonly string[]])[] = [
  ['events', 'lodz', ['walk', 'coffee']],
  ['events', 'ŁÓDŹ', ['walk', 'coffee']],
  ['events', 'cafe', ['coffee']],
  ['events', 'Cafe\u0301 lodz', ['coffee']],
  ['events', 'łódź -cafe', ['walk']],
  ['venues', 'lodz', ['venue']],
  ['venues', 'Łódź', ['venue']],
  ['organizers', 'munoz jose', ['organizer']],
  ['organizers', 'MUÑOZ', ['organizer']],
  ['categories', 'eclair', ['Éclair']],
  ['categories', 'cafè', ['Café Łódź']],
];

for (const [collection, text, expected] of searches) {
  test(`a search of ${collection} for ${JSON.stringify(text)} folds accents on both sides`, async () => {
    assert.equal(
      (await found(`/${collection}?hide_empty=0&search=${encodeURIComponent(text)}`)).sort(),
      expected.map((name) => ids[name]),
    );
  });
}

test('an accent alone finds nothing', async () => {
  for (const collection of ['events', 'categories', 'venues'])
    assert.equal(await found(`/${collection}?search=%CC%81`), [], collection);
});

test('terms are ordered by their letters, in lists and within events', async () => {
  const { body } = await daybook.get('/categories?hide_empty=0&per_page=50');
  const names = body.categories.map(({ name }: Body) => name);
  assert.equal(names, [...['Alpha', 'beta', 'Café Łódź', 'Éclair', 'Food &amp; Drink', 'Late Show', 'Wine', 'zeta']]);
  const walk = await daybook.get(`/events/${ids.walk}`);
  assert.equal(
    walk.body.categories.map(({ name }: Body) => name),
    ['Alpha', 'beta', 'Éclair', 'zeta'],
  );
});

const references: readonly (readonly [string, string])[] = [
  ['Café Łódź', 'coffee'],
  ['cafe lodz', 'coffee'],
  ['Food & Drink', 'tasting'],
  ['Food &amp; Drink', 'tasting'],
  ['food-drink', 'tasting'],
  ['late show', 'late'],
];

for (const [reference, expected] of references) {
  test(`a filter by ${JSON.stringify(reference)} finds the events of that category`, async () => {
    assert.equal(await found(`/events?categories=${encodeURIComponent(reference)}`), [ids[expected]]);
  });
}

test('a reference is a slug before it is an id, and an id before it is a name', async () => {
  const named = await made('tags', { name: String(ids.walk), slug: 'numbered' });
  const tagged = await made('events', someEvent({ title: 'Numbered', tags: [named] }));
  assert.equal(await found(`/events?tags=${ids.walk}`), [tagged]);
  const slugged = await made('tags', { name: 'By slug', slug: String(named) });
  const other = await made('events', someEvent({ title: 'By slug', tags: [slugged] }));
  assert.equal(await found(`/events?tags=${named}`), [other]);
  assert.is((await daybook.get('/events?tags=nowhere')).status, 400);
});

test.run();
