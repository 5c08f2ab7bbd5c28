import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EVENT_FILTERS, EVENT_ROWS } from '../../../src/calendar/event/domain/calendar-event.ts';
import {
  blankOf,
  byWire,
  fieldFacts,
  fieldFold,
  flag,
  flagOn,
  html,
  line,
  plainRows,
  value,
} from '../../../src/calendar/resource/domain/fields.ts';
import { ENGLISH } from '../../../src/locales/languages.ts';

const test = suite('tables of fields');

const FIELDS = {
  name: html('title', 'Named'),
  note: line('note', 'Noted'),
  remark: line('remark', 'Noted'),
  open: flag('is_open', ['Opened', 'Closed'], { filter: true }),
  shown: flagOn('shown', 'Displayed'),
  place: value('place', 'Placed', null as { readonly id: number } | null),
};
const BLANK = { name: '', note: '', remark: '', open: false, shown: true, place: null };

test('an unset field has its default', () => {
  assert.equal(blankOf(FIELDS), BLANK);
});

test('no difference, no fact', () => {
  assert.equal(fieldFacts(FIELDS, BLANK, {}), []);
  assert.equal(fieldFacts(FIELDS, { ...BLANK, place: { id: 1 } }, { note: '', open: false, place: { id: 1 } }), []);
});

test('facts come in the order of the rows; fields of one fact together', () => {
  assert.equal(fieldFacts(FIELDS, { ...BLANK, remark: 'r' }, { place: { id: 2 }, open: true, note: 'n', name: 'N' }), [
    { type: 'Named', data: { name: 'N' } },
    { type: 'Noted', data: { note: 'n', remark: 'r' } },
    { type: 'Opened', data: {} },
    { type: 'Placed', data: { place: { id: 2 } } },
  ]);
  assert.equal(fieldFacts(FIELDS, { ...BLANK, open: true }, { open: false }), [{ type: 'Closed', data: {} }]);
});

test('known facts change the state, others do not', () => {
  const fold = fieldFold(FIELDS);
  assert.equal(fold({ type: 'Noted', data: { note: 'n', remark: '' } }), { note: 'n', remark: '' });
  assert.equal(
    [fold({ type: 'Opened', data: {} }), fold({ type: 'Closed', data: {} })],
    [{ open: true }, { open: false }],
  );
  assert.is(fold({ type: 'Published', data: {} }), null);
});

test('plain rows have their wire names; special fields have no row', () => {
  assert.equal(byWire(plainRows(FIELDS), { ...BLANK, name: 'N' }), {
    title: 'N',
    note: '',
    remark: '',
    is_open: false,
    shown: true,
  });
});

test('each plain field of events is described, and each filter', () => {
  const keys = [
    ...EVENT_ROWS.map(({ wire }) => (wire.startsWith('show_map') ? `post.${wire}` : `event.${wire}`)),
    ...EVENT_FILTERS.map(({ wire }) => `event_list.${wire}`),
  ];
  assert.equal(
    keys.filter((key) => ENGLISH.describe(key) === key),
    [],
  );
});

test.run();
