// The values of the form of an event: what is written, and what becomes of a form that others were faster than.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EventValues, membersOf, typedValues, valuesOf } from '../../../src/calendar/event/desk/values.ts';
import { resolveZone } from '../../../src/kernel/time/zone.ts';
import { ENGLISH } from '../../../src/locales/languages.ts';
import { differing, mergedValues } from '../../../src/pages/desk/form-values.ts';

const test = suite('values of the form of an event');

const FIELDS = {
  ...{
    title: 'Tom & Co',
    description: 'One\n\nTwo',
    start_date: '2026-12-05 19:00:00',
    end_date: '2026-12-05 22:00:00',
  },
  ...{ timezone: 'Europe/Berlin', all_day: false, featured: true, status: 'publish', date: '2026-11-01 10:00:00' },
  venue: [{ id: 3, life: 0 }],
  categories: [4, 5],
  tags: [8],
  cost: '€12',
  cost_details: { currency_symbol: '€', values: ['12'] },
  image: { id: 5, url: 'https://a.example/a.jpg' },
};
const WAS = valuesOf(FIELDS, () => 'winter');

test('fields are filled in as they were written', () => {
  const { title, start_date, venue, categories, tags, cost, image, featured, all_day, date, event_status } = WAS;
  assert.equal([title, start_date, venue, categories, tags], ['Tom & Co', '2026-12-05T19:00', '3', '4\n5', 'winter']);
  assert.equal([cost, image, featured, all_day], ['€12', 'https://a.example/a.jpg', '1', '']);
  assert.equal([date, event_status], ['', 'scheduled'], 'the date of publication is only planned where it is to come');
});

test('an uploaded picture is named by its number, which the API takes wherever the site is', () => {
  const { image } = valuesOf({ ...FIELDS, image: { id: 5, url: '/media/a.jpg' } }, () => 'winter');
  assert.is(image, '5');
});

test('a form that is sent back as it was shown differs in nothing', () => {
  const { venue, categories, ...texts } = WAS;
  const form = { ...texts, description: 'One\r\n\r\nTwo', venue: [venue], categories: categories.split('\n') };
  const siteZone = resolveZone('UTC');
  assert.ok(siteZone);
  const request = { form, language: ENGLISH, siteZone, now: 0 };
  assert.equal(differing(WAS, typedValues(request)), []);
});

test('only what differs is written, each as its field takes it', () => {
  const typed: EventValues = { ...WAS, title: 'New', featured: '', venue: '', tags: 'winter\nfrost', cost: '' };
  const members = membersOf(typed, differing(WAS, typed), (name) => (name === 'winter' ? 8 : undefined));
  assert.equal(members, { title: 'New', cost: '', featured: false, venue: [], tags: [8, 'frost'] });
});

test('after a conflict untouched fields are theirs, touched ones mine, and both are named', () => {
  const typed: EventValues = { ...WAS, title: 'Mine', cost: '7' };
  const now: EventValues = { ...WAS, title: 'Theirs', excerpt: 'theirs' };
  const { values, theirs, both } = mergedValues(WAS, typed, now);
  assert.equal([values.title, values.cost, values.excerpt], ['Mine', '7', 'theirs']);
  assert.equal([theirs, both], [['title', 'excerpt'], ['title']]);
});

test.run();
