import type { TObject } from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  eventCreate,
  eventList,
  eventUpdate,
  eventUpdateBySlug,
} from '../../../../src/calendar/event/http/event-schema.ts';
import { venueTables } from '../../../../src/calendar/linked-post/http/linked-post-schema.ts';
import { categoryTables } from '../../../../src/calendar/term/http/term-schema.ts';
import { ApiError } from '../../../../src/http/errors.ts';
import { compileInput } from '../../../../src/http/parameters/compile.ts';
import { readDate } from '../../../../src/kernel/time/date-input.ts';
import { context, PICTURE } from '../shell.ts';

const test = suite('order of checks');

const DATES = { start_date: '2026-08-01 10:00:00', end_date: '2026-08-01 12:00:00' };
const READ_DATES = { start_date: readDate(DATES.start_date), end_date: readDate(DATES.end_date) };

const check = async (schema: TObject, sent: { [name: string]: unknown }, use: 'read' | 'write' = 'write') => ({
  ...(await compileInput(schema, use)(context({ values: sent }))),
});

async function failure(table: TObject, sent: { [name: string]: unknown }): Promise<ApiError> {
  try {
    await check(table, sent);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('accepted');
}

test('missing parameters are reported first, as a list; null is missing', async () => {
  const error = await failure(eventCreate, { title: null, start_date: 'foo', author: 99 });
  assert.is(error.code, 'rest_missing_callback_param');
  assert.is(error.status, 400);
  assert.equal(error.data, { params: ['title', 'end_date'] });
});

test('all refused values are reported together, without mistyped ones', async () => {
  const error = await failure(eventCreate, { title: '', ...DATES, author: 99, all_day: 'yes' });
  assert.is(error.code, 'rest_invalid_param');
  assert.equal(error.data, {
    params: {
      title: 'title must be a text that is not empty, of at most 65536 bytes.',
      author: 'author must be an existing id (user).',
    },
    details: [],
  });
});

test('all mistyped values are reported together, with details', async () => {
  const error = await failure(eventCreate, { title: 'x', ...DATES, all_day: 'yes', status: null });
  const detail = (name: string, type: string) => ({
    code: 'rest_invalid_type',
    message: `${name} is not of type ${type}.`,
    data: { param: name },
  });
  assert.equal(error.data, {
    params: { all_day: 'all_day is not of type boolean.', status: 'status is not of type string.' },
    details: { all_day: detail('all_day', 'boolean'), status: detail('status', 'string') },
  });
});

const refusedBy = async (table: TObject, sent: { [name: string]: unknown }) => {
  const { data } = await failure(table, sent);
  return { names: Object.keys(data.params as object), kind: Array.isArray(data.details) ? 'refused' : 'mistyped' };
};

test('null is mistyped where a type is declared and absent where none is', async () => {
  assert.equal(await refusedBy(eventUpdate, { id: 1, timezone: null }), { names: ['timezone'], kind: 'mistyped' });
  assert.equal(await refusedBy(venueTables.update, { id: 11, venue: null }), { names: ['venue'], kind: 'mistyped' });
  assert.equal(await check(eventUpdate, { id: 1, cost: null, website: null, categories: null }), { id: 1 });
});

test('null unlinks venues and organizers', async () => {
  assert.equal(await check(eventUpdate, { id: 1, venue: null, organizer: null }), {
    id: 1,
    venue: null,
    organizer: null,
  });
});

test('form texts become the declared type', async () => {
  const given = await check(eventCreate, {
    title: 'x',
    ...DATES,
    all_day: 'TRUE',
    featured: '0',
    author: ' 2',
    post_parent: '1',
  });
  assert.equal(given, { title: 'x', author: 2, all_day: true, featured: false, post_parent: 1, ...READ_DATES });
});

test('JSON numbers serve as dates and images, booleans as flags; numbers as texts do not', async () => {
  const given = await check(eventCreate, { title: 'x', start_date: 1_785_585_600, end_date: '1785585600', image: 41 });
  assert.equal(given, {
    title: 'x',
    start_date: readDate('1785585600'),
    end_date: readDate('1785585600'),
    image: PICTURE,
  });
  assert.equal(await check(venueTables.create, { venue: 'V', show_map: true }), { venue: 'V', show_map: true });
  assert.equal(await refusedBy(venueTables.create, { venue: 'V', city: 5 }), { names: ['city'], kind: 'refused' });
  assert.equal(await refusedBy(eventCreate, { title: 'x', ...DATES, description: 5 }), {
    names: ['description'],
    kind: 'refused',
  });
});

test('an event update clears with empty texts, but keeps a title', async () => {
  assert.equal(await check(eventUpdate, { id: 1, description: '', excerpt: '' }), {
    id: 1,
    description: '',
    excerpt: '',
  });
  assert.equal(await refusedBy(eventUpdate, { id: 1, title: ' ' }), { names: ['title'], kind: 'refused' });
});

test('coordinates come in pairs, become numbers, and are emptied together', async () => {
  assert.equal(await check(venueTables.update, { id: 11, geo_lat: '1.5', geo_lng: -2 }), {
    id: 11,
    geo_lat: 1.5,
    geo_lng: -2,
  });
  assert.equal(await check(venueTables.update, { id: 11, geo_lat: null, geo_lng: '' }), {
    id: 11,
    geo_lat: null,
    geo_lng: null,
  });
  assert.equal(await refusedBy(venueTables.update, { id: 11, geo_lat: 1 }), { names: ['geo_lat'], kind: 'refused' });
  assert.equal(await refusedBy(venueTables.update, { id: 11, geo_lat: 1, geo_lng: 181 }), {
    names: ['geo_lng'],
    kind: 'refused',
  });
});

test('list filters are refused together', async () => {
  const sent = { page: '0', per_page: '-1', categories: 'nope', start_date: 'foo', status: 'foo' };
  const table = eventList({ perPage: 12 });
  assert.equal(await refusedBy(table, sent), {
    names: ['page', 'per_page', 'start_date', 'status', 'categories'].sort(byTable(table)),
    kind: 'refused',
  });
  assert.equal(await refusedBy(table, { geoloc: 'x', featured: '' }), {
    names: ['featured', 'geoloc'],
    kind: 'mistyped',
  });
  assert.equal(await check(table, { geoloc_lat: '', geoloc_lng: '' }), {});
});

const byTable = (table: TObject) => (a: string, b: string) =>
  Object.keys(table.properties).indexOf(a) - Object.keys(table.properties).indexOf(b);

test('undeclared parameters are left out, but for a few', async () => {
  const sent = { name: 'x', unknown: 1, password: 'p', context: 'embed', _reason: 'r' };
  const table = categoryTables.create;
  assert.equal(await check(table, sent, 'read'), { name: 'x', password: 'p', context: 'embed' });
  assert.equal(await refusedBy(table, { name: 'x', _reason: 'r'.repeat(1_001) }), {
    names: ['_reason'],
    kind: 'refused',
  });
});

test('a password is set only where that is declared', async () => {
  const sent = { name: 'x', password: 'p', context: 'embed', _reason: 'r' };
  assert.equal(await check(categoryTables.create, sent, 'write'), { name: 'x', context: 'embed', _reason: 'r' });
  assert.equal(await check(eventUpdateBySlug, { password: 'p' }), {});
  assert.equal(await check(eventUpdate, { id: 1, password: 'p' }), { id: 1, password: 'p' });
});

test('a validator that fails for another cause is not taken for a refusal', async () => {
  const { lookups, ...rest } = context({ values: { id: 1, author: 2 } });
  const userExists = async () => Promise.reject(new Error('store is down'));
  const outcome = await Promise.resolve(
    compileInput(eventUpdate, 'write')({ ...rest, lookups: { ...lookups, userExists } }),
  ).catch((error: unknown) => error);
  assert.instance(outcome, Error);
  assert.not.instance(outcome, ApiError);
});

test.run();
