import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type CalendarEvent,
  createEvent,
  type EventPatch,
  evolveEvent,
} from '../../../src/calendar/event/domain/calendar-event.ts';
import { type CostInput, costFrom } from '../../../src/calendar/event/domain/cost.ts';
import { currencyOf } from '../../../src/calendar/event/domain/currency.ts';
import type { Organizer } from '../../../src/calendar/linked-post/domain/organizer.ts';
import type { Venue } from '../../../src/calendar/linked-post/domain/venue.ts';
import { decodeEntities, stripTags } from '../../../src/kernel/text/plain-text.ts';
import { eventJsonLd, organizerJsonLd, venueJsonLd } from '../../../src/rendering/json-ld.ts';
import { fill, type SlotValues } from '../../../src/rendering/slots.ts';
import { factsOf, given, NEW_YORK, NOW } from '../../support/given.ts';
import { schemaProblems } from '../../support/schema-org.ts';

const SEED = Number(process.env.DAYBOOK_PROPERTY_SEED ?? 20_270_314);

const described = (description: string): string => {
  const venue = { name: 'Town Hall', description, image: null, coordinates: null };
  const lines = { address: '', city: '', stateprovince: '', zip: '', country: '', phone: '', website: '' };
  // What a summary shows of a venue.
  return JSON.parse(venueJsonLd({ ...venue, ...lines } as Venue)).description ?? '';
};

/** The summary as it is meant: of the whole text. */
function naive(text: string): string {
  const words = decodeEntities(stripTags(text)).trim().replace(/\s+/g, ' ');
  return words.length > 300 ? `${words.slice(0, 300).trimEnd()}…` : words;
}

const pieces = fc.constantFrom(
  ...[
    '&amp;',
    '&',
    'word',
    ' ',
    '  ',
    '\n',
    '<b>',
    '</b>',
    '<',
    '&eacute;',
    '&eacut',
    ';',
    '&#128512;',
    '😀',
    '\u00a0',
    '<!-- x',
    '-->',
    '"',
  ],
);
const texts = fc
  .tuple(fc.array(pieces, { minLength: 1, maxLength: 12 }), fc.nat({ max: 4_020 }), fc.nat({ max: 800 }))
  .map(([some, blanks, times]) => ' '.repeat(blanks) + some.join('').repeat(times));

test('the summary of a long text is that of the whole text, wherever its beginning is cut', () => {
  fc.assert(
    fc.property(texts, (text) => assert.is(described(text), naive(text))),
    { seed: SEED, numRuns: 500 },
  );
});

test('a text whose words begin late is summarised all the same', () => {
  assert.is(described(`${' '.repeat(5_000)}Music`), 'Music');
  assert.is(described(`${'&nbsp;'.repeat(1_000)}${'a'.repeat(301)}`), `${'a'.repeat(300)}…`);
});

test('of a text that begins with nothing but markup no more is looked at than its beginning', () => {
  assert.is(described(`${'<p><b><i>'.repeat(1_000)}words`), 'words');
  assert.is(described(`${'<p><b><i>'.repeat(30_000)}words`), '');
  assert.is(described(`words <!-- ${'x <b> '.repeat(30_000)} -->`), 'words');
});

test('words of different lines stay apart, and those of one word together', () => {
  const text =
    '<p>Erste Zeile<br>zweite &amp; dritte</p><ul><li>eins</li><li>zwei</li></ul>H<sub>2</sub>O<h2>Ende</h2>';
  assert.is(described(text), 'Erste Zeile zweite & dritte eins zwei H2O Ende');
  assert.is(described('<table><tr><td>a</td><td>b</td></tr></table>'), 'a b');
});

const TIMES = { start: '2027-03-01 20:00:00', end: '2027-03-01 23:00:00' };

function eventWith(patch: EventPatch): CalendarEvent {
  const full = { title: 'Jazz', author: 3, status: 'publish', times: TIMES, ...patch } as const;
  const facts = factsOf(createEvent(41, full, { now: NOW, siteZone: NEW_YORK, slug: 'jazz' }));
  return given(evolveEvent, facts).state;
}

type Json = { readonly [member: string]: unknown };

/** What a site whose currency this is says of an event. */
function saidOf(patch: EventPatch, currency: string | null = null, more: SlotValues = {}): Json {
  const filled = fill(eventJsonLd(eventWith(patch)), {
    site: 'https://cal.example',
    currency: (mark) => currencyOf(mark, currency) ?? '',
    ...more,
  });
  const said: Json = JSON.parse(filled);
  assert.equal(schemaProblems(said), [], filled);
  return said;
}

const pricesOf = (cost: CostInput, currency: string | null = null): unknown[] =>
  [saidOf({ cost: costFrom(cost) }, currency).offers ?? []].flat().map((offer) => {
    const { price, lowPrice, highPrice, priceCurrency } = offer as Json;
    return price === undefined ? [lowPrice, highPrice, priceCurrency] : [price, priceCurrency];
  });

const PRICES: readonly (readonly [cost: CostInput, prices: unknown[], inEuros?: unknown[]])[] = [
  ['12,50 €', [[12.5, 'EUR']]],
  ['£5/£3', [[3, 5, 'GBP']]],
  ['CHF 15', [[15, 'CHF']]],
  ['USD 20 - 30', [[20, 30, 'USD']]],
  ['15 zł', [[15, 'PLN']]],
  ['US$ 3', [[3, 'USD']]],
  ['1,234.50 €', [[1234.5, 'EUR']]],
  ['10', [[10, 'USD']], [[10, 'EUR']]],
  ['10-20', [[10, 20, 'USD']], [[10, 20, 'EUR']]],
  ['Free', [[0, 'USD']], [[0, 'EUR']]],
  [['0', '30 zł'], [[0, 30, 'PLN']]],
  [['Free', '£5'], [[0, 5, 'GBP']]],
  [
    '€5, $6',
    [
      [5, 'EUR'],
      [6, 'USD'],
    ],
  ],
  ['Ages 12 and up, $5', [[5, 'USD']]],
  ['VVK 12 €, AK 15 €', [[12, 15, 'EUR']]],
  ['Members 5, others 10', []],
  ['Donation', []],
  ['15 VVK', []],
  ['Suggested donation $10', []],
  ['ab 5 €', [[5, undefined, 'EUR']]],
  ['From £5', [[5, undefined, 'GBP']]],
  ['à partir de 5 €', [[5, undefined, 'EUR']]],
  ['5 €+', [[5, undefined, 'EUR']]],
  ['von 5 bis 10 €', [[5, 10, 'EUR']]],
  ['de 5 à 10 €', [[5, 10, 'EUR']]],
  ['van 5 tot 10 euro', [[5, 10, 'EUR']]],
  ['10,- €', [[10, 'EUR']]],
  ['Fr. 10.–', [[10, 'CHF']]],
  ['12€50', [[12.5, 'EUR']]],
  ['$1.5k', [[1500, 'USD']]],
  ['1,5k €', [[1500, 'EUR']]],
  ['EUR 12.-', [[12, 'EUR']]],
  ['CHF 20.–', [[20, 'CHF']]],
  ['₹1,00,000', [[100_000, 'INR']]],
  ['１，５００円', [[1500, 'JPY']]],
  ['Rp 150.000', [[150_000, 'IDR']]],
  ['R150', [[150, 'ZAR']]],
  ['$20 AUD', [[20, 'AUD']]],
  ['CAD $20', [[20, 'CAD']]],
  ...[
    'Der Eintritt ist frei',
    'Entry free',
    'umsonst',
    'Accès libre',
    'Acceso libre',
    'toegang gratis',
    'Wstęp wolny',
  ].map((free): readonly [CostInput, unknown[], unknown[]] => [free, [[0, 'USD']], [[0, 'EUR']]]),
  ['Prix libre', []],
  ...['Pay-what-you-can, suggested $10', 'Zahle, was du willst', '$10 suggested donation, members free'].map(
    (gift): readonly [CostInput, unknown[]] => [gift, []],
  ),
  ...[
    'Free, $10 suggested',
    'free (suggested donation $5)',
    'Eintritt frei – Spende 5 €',
    'Entrada gratuita (donación 5 €)',
  ].map((free): readonly [CostInput, unknown[], unknown[]] => [free, [[0, 'USD']], [[0, 'EUR']]]),
  ...['Adults $10, children free', 'Free for members, $10 others', '$10 (free under 6)', '$10, kids free'].map(
    (cost): readonly [CostInput, unknown[]] => [cost, [[0, 10, 'USD']]],
  ),
  ['10 € / enfants gratuit', [[0, 10, 'EUR']]],
  ['Kinder frei', []],
  // What is free there is not said of those who pay.
  ['Free parking, $10', [[undefined, 10, 'USD']]],
  ...['up to $20', 'under $20', '$20 or less', 'max. $20'].map((cost): readonly [CostInput, unknown[]] => [
    cost,
    [[undefined, 20, 'USD']],
  ]),
  ...['bis zu 20 €', 'bis 20 €', 'jusqu’à 20 €', 'hasta 20 €', 'fino a 20 €', 'tot 20 euro', 'do 20 €'].map(
    (cost): readonly [CostInput, unknown[]] => [cost, [[undefined, 20, 'EUR']]],
  ),
  ['from 5', [[5, undefined, 'USD']], [[5, undefined, 'EUR']]],
  ['ab 18 Jahren', []],
  ['$5 and up', [[5, undefined, 'USD']]],
  ['500円から', [[500, undefined, 'JPY']]],
  ['1000円まで', [[undefined, 1000, 'JPY']]],
  ['от 5 ₽', [[5, undefined, 'RUB']]],
  ['от 5 до 10 ₽', [[5, 10, 'RUB']]],
  ['100元至200元', [[100, 200, 'CNY']]],
  ['ab 5 bis 10 €', [[5, 10, 'EUR']]],
  ['$5–$20 sliding scale', [[5, 20, 'USD']]],
  ['€ 5 – 10 / concerts', [[5, 10, 'EUR']]],
  ['१०० - २०० ₹', [[100, 200, 'INR']]],
  ['٥٫٥٠ €', [[5.5, 'EUR']]],
  ['od 50 Kč', [[50, undefined, 'CZK']]],
];

for (const [cost, prices, inEuros = prices] of PRICES)
  test(`the price of ${JSON.stringify(cost)} is a number, in the currency that is shown`, () => {
    assert.equal(pricesOf(cost), prices);
    assert.equal(pricesOf(cost, 'EUR'), inEuros);
  });

test('a sign that several currencies share is that of the site', () => {
  assert.equal(pricesOf('$5', 'CAD'), [[5, 'CAD']]);
  assert.equal(pricesOf('$5', 'EUR'), [[5, 'USD']]);
  assert.equal(pricesOf('50 kr', 'NOK'), [[50, 'NOK']]);
  assert.equal(pricesOf('50 kr.', 'DKK'), [[50, 'DKK']]);
  assert.equal(pricesOf('¥50', 'CNY'), [[50, 'CNY']]);
});

test('events of whole days have no times, and others have their offset', () => {
  const days = saidOf({ times: { start: '2026-12-12', end: '2026-12-14', allDay: true } });
  assert.equal([days.startDate, days.endDate], ['2026-12-12', '2026-12-14']);
  assert.is(saidOf({}).startDate, '2027-03-01T20:00:00-05:00');
});

test('nothing is empty, and places and organizers have the types of schema.org', () => {
  const lines = { address: '', city: '', stateprovince: '', zip: '', country: '', phone: '', website: '' };
  const bare = { name: 'Town Hall', description: '', image: null, coordinates: null, ...lines } as Venue; // All that it reads.
  const nameOnly = { name: 'Ann', description: '', image: null, phone: '', website: '', email: '' } as Organizer; // The same.
  const said = saidOf({}, null, {
    location: `"location":${venueJsonLd(bare)},`,
    organizerLd: `"organizer":${organizerJsonLd(nameOnly)},`,
  });
  assert.equal(said.location, { '@type': 'Place', name: 'Town Hall' });
  assert.equal(said.organizer, { '@type': 'Person', name: 'Ann' });
  const online = { isVirtual: true, virtualUrl: 'https://meet.example/1', virtualVideoSource: '' };
  const full = { ...bare, city: 'Graz', website: 'https://hall.example/', coordinates: { lat: 47, lng: 15 } };
  const both = saidOf({ online }, null, { commaThenPlace: `,${venueJsonLd(full)}` });
  assert.is((both.location as Json[]).length, 2);
});

test('the check of shapes finds what it is there for', () => {
  const said = saidOf({ cost: costFrom('5') });
  const { offers } = said as { readonly offers: Json };
  for (const [wrong, problem] of [
    [{ ...said, performer: 'Organization' }, /performer must be an object/],
    [{ ...said, description: '' }, /description must be a text/],
    [{ ...said, description: 'a &amp; b' }, /without markup/],
    [{ ...said, startDate: '2027-03-01 20:00' }, /startDate must be/],
    [{ ...said, offers: { ...offers, price: '3 – 5' } }, /price must be a number/],
    [{ ...said, offers: { ...offers, priceCurrency: '' } }, /ISO 4217/],
    [{ ...said, location: { '@type': 'PostalAddress' } }, /must be of type Place/],
    [{ ...said, location: { '@type': 'Place', name: 'A', address: { '@type': 'PostalAddress' } } }, /address is empty/],
    [{ ...said, colour: 'red' }, /no member/],
  ] as const)
    assert.match(schemaProblems(wrong).join('\n'), problem);
});

test.run();
