import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sitePrices } from '../../../src/calendar/event/domain/currency.ts';
import { ENGLISH } from '../../../src/locales/languages.ts';
import { openEventTexts } from '../../../src/queries/event-texts.ts';
import type { Reader } from '../../../src/queries/reader.ts';
import type { ListState, TermView } from '../../../src/read-model/queries.ts';
import type { ReadModel } from '../../../src/read-model/read-model.ts';
import { event } from '../../support/documents.ts';

const test = suite('texts of events that were listed lately');

const READ_MODEL = {} as ReadModel;
const READER: Reader = {
  caller: null,
  now: 0,
  links: { site: 'https://cal.example', root: 'https://cal.example/v1', host: 'cal.example' },
  siteZone: { name: 'UTC' } as Reader['siteZone'],
  prices: sitePrices(ENGLISH, null),
  password: undefined,
};
const JAZZ = { id: 7, revision: 2, count: 3, parent: 0 } as TermView;
const EVENT = event(1, { categories: [7] });
const BODY = {
  ...{ text: '{"id":1}', mark: () => '', documents: 'event-1 venue-3' },
  ...{ termIds: [7, 8], terms: [JAZZ, undefined] },
};

const state = (version: string, change: Partial<ListState> = {}): ListState => ({
  version,
  terms: new Map([[7, JAZZ]]),
  haveChanged: () => false,
  ...change,
});

/** Texts that have listed the event so often. */
function listed(times: number) {
  const texts = openEventTexts(READ_MODEL);
  for (let time = 0; time < times; time++) {
    const list = texts.forList(READER, READ_MODEL);
    list?.recall(EVENT, state('1'));
    list?.keep([EVENT], [BODY]);
  }
  return texts;
}

const recalled = (texts: ReturnType<typeof openEventTexts>, at: ListState, { reader = READER, revision = 0 } = {}) =>
  texts.forList(reader, READ_MODEL)?.recall({ id: 1, revision: EVENT.revision + revision }, at)?.text;

test('an event is kept that is listed again', () => {
  assert.is(recalled(listed(1), state('1')), undefined);
  assert.is(recalled(listed(2), state('1')), BODY.text);
  assert.is(listed(2).forList(READER, READ_MODEL)?.recall({ id: 2, revision: 0 }, state('1')), undefined);
});

test('it is used for as long as nothing that it was made of has changed', () => {
  const asked: unknown[] = [];
  const haveChanged = (documents: readonly string[], since: string): boolean => {
    asked.push([documents, since]);
    return false;
  };
  const texts = listed(2);
  assert.is(recalled(texts, state('2', { haveChanged })), BODY.text);
  assert.is(recalled(texts, state('3', { haveChanged })), BODY.text);
  assert.is(recalled(texts, state('3', { haveChanged: () => true })), BODY.text, 'this state was judged');
  assert.equal(asked, [
    [['event-1', 'venue-3'], '1'],
    [['event-1', 'venue-3'], '2'],
  ]);
  assert.is(recalled(listed(2), state('2', { haveChanged: () => true })), undefined, 'one of its documents');
  assert.is(recalled(listed(2), state('1'), { revision: 1 }), undefined, 'the event');
  for (const change of [{ count: 4 }, { revision: 3 }, { parent: 5 }, { parkedAt: '9' }])
    assert.is(
      recalled(listed(2), state('2', { terms: new Map([[7, { ...JAZZ, ...change }]]) })),
      undefined,
      JSON.stringify(change),
    );
  assert.is(recalled(listed(2), state('2', { terms: new Map() })), undefined, 'its category is gone');
  const restored = new Map([JAZZ, { ...JAZZ, id: 8 }].map((term) => [term.id, term]));
  assert.is(recalled(listed(2), state('2', { terms: restored })), undefined, 'one that was gone is there again');
});

test('it is for readers to whom it looks alike', () => {
  const texts = listed(2);
  for (const [what, change] of Object.entries({
    'another address': { links: { ...READER.links } },
    'another zone': { siteZone: { name: 'Asia/Tokyo' } as Reader['siteZone'] },
    'other prices': { prices: sitePrices(ENGLISH, 'EUR') },
    'a password': { password: 'open sesame' },
    'a user': { caller: { id: 3, role: 'author' } as Reader['caller'] },
  }))
    assert.is(recalled(texts, state('1'), { reader: { ...READER, ...change } }), undefined, what);
  assert.is(texts.forList(READER, {} as ReadModel), null, 'another read model');
  assert.is(recalled(texts, state('1')), BODY.text);
});

test('nothing is kept of a list whose state is not known, nor when memory is short', () => {
  const texts = openEventTexts(READ_MODEL);
  for (const list of [texts.forList(READER, READ_MODEL), texts.forList(READER, READ_MODEL)])
    list?.keep([EVENT], [BODY]);
  assert.is(recalled(texts, state('1')), undefined);
  const full = listed(2);
  full.empty();
  assert.is(recalled(full, state('1')), undefined);
});

test.run();
