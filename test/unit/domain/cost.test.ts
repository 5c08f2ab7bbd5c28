import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CostInput, costFrom, costText, costValues, isFree } from '../../../src/calendar/event/domain/cost.ts';

const DISPLAY = { signBefore: '$', signAfter: '', freeLabel: 'Free' } as const;

type Row = readonly [CostInput, string, string, '' | 'prefix' | 'postfix', readonly string[]];

const rows: readonly Row[] = [
  ['15', '$15', '', '', ['15']],
  [15, '$15', '', '', ['15']],
  [7.5, '$7.5', '', '', ['7.5']],
  [1.234, '$1.234', '', '', ['1.234']],
  [true, '$1', '', '', ['1']],
  ['15$', '15$', '$', 'postfix', ['15']],
  ['$15', '$15', '$', 'prefix', ['15']],
  ['£9', '£9', '£', 'prefix', ['9']],
  ['CHF 9', 'CHF9', 'CHF', 'prefix', ['9']],
  ['20 zł', '20zł', 'zł', 'postfix', ['20']],
  [['0$', '15$', '30$'], 'Free – 30$', '$', 'postfix', ['0', '15', '30']],
  [['30', '5', '15'], '$5 – $30', '', '', ['5', '15', '30']],
  ['5 - 15', '$5 – $15', '', '', ['5', '15']],
  ['5-15', '$5 – $15', '', '', ['5', '15']],
  ['$5 – $15', '$5 – $15', '$', 'prefix', ['5', '15']],
  ['€5-15', '€5 – €15', '€', 'prefix', ['5', '15']],
  ['5-15 zł', '5zł – 15zł', 'zł', 'postfix', ['5', '15']],
  ['$5, $15', '$5 – $15', '$', 'prefix', ['5', '15']],
  ['$5 , $15', '$5 – $15', '$', 'prefix', ['5', '15']],
  ['5,10,15', '$5 – $15', '', '', ['5', '10', '15']],
  ['12,50', '$12,50', '', '', ['12.50']],
  ['€15,50', '€15,50', '€', 'prefix', ['15.50']],
  ['1,234.50', '$1,234.50', '', '', ['1234.50']],
  ['1.234,50', '$1.234,50', '', '', ['1234.50']],
  ['1,500', '$1,500', '', '', ['1500']],
  ['1 234,50 zł', '1 234,50zł', 'zł', 'postfix', ['1234.50']],
  ['0', 'Free', '', '', ['0']],
  [0, 'Free', '', '', ['0']],
  ['0.00', 'Free', '', '', ['0.00']],
  ['Free', 'Free', '', '', ['free']],
  ['By donation', 'By donation', '', '', ['by-donation']],
  [['Free', '10'], '$10', '', '', ['free', '10']],
  ['Adults $10, children $5', 'Adults $10, children $5', '', '', ['5', '10']],
  ['Free, tips welcome', 'Free, tips welcome', '', '', ['free-tips-welcome']],
  [['€10', '$20'], '€10 – $20', '', '', ['10', '20']],
  [['$10', '20$'], '$10 – 20$', '$', '', ['10', '20']],
  ['-5', '-5', '', '', ['5']],
  ['-$5', '-$5', '', '', ['5']],
  ['isk10.000', 'isk10.000', 'isk', 'prefix', ['10000']],
  ['ISK 10.000', 'ISK10.000', 'ISK', 'prefix', ['10000']],
  ['1.500 kr', '1.500kr', 'kr', 'postfix', ['1500']],
  ['€10.000 - 12.500', '€10.000 – €12.500', '€', 'prefix', ['10000', '12500']],
  ['KWD 10.500', 'KWD10.500', 'KWD', 'prefix', ['10.500']],
  ['€0.500', '€0.500', '€', 'prefix', ['0.500']],
  ['1.234', '$1.234', '', '', ['1.234']],
  ['<i>8</i>\n', '$8', '', '', ['8']],
  ['٥ - ١٠', '$5 – $10', '', '', ['5', '10']],
  ['от 5 до 10 ₽', '5₽ – 10₽', '₽', 'postfix', ['5', '10']],
  ['up to 20', 'up to 20', '', '', ['20']],
];

const cost = suite('cost');

for (const [input, text, symbol, position, values] of rows) {
  cost(`${JSON.stringify(input)} costs ${text}`, () => {
    const stored = costFrom(input);
    assert.is(costText(stored, DISPLAY), text);
    assert.is(stored?.symbol, symbol);
    assert.is(stored?.position, position);
    assert.equal(costValues(stored), values);
  });
}

cost('an empty cost stores nothing, and nothing is shown as an empty text without values', () => {
  for (const input of ['', '  ', '<b></b>', [], [''], false]) assert.is(costFrom(input), null);
  assert.is(costText(null, DISPLAY), '');
  assert.equal(costValues(null), []);
});

cost('entries are stored as they were written, without tags and line ends', () => {
  assert.equal(costFrom(['<b>1,5</b>\n€', 3])?.entries, ['1,5 €', '3']);
});

cost('defaults apply to a cost without a mark of its own', () => {
  const display = { signBefore: '', signAfter: '€', freeLabel: 'Gratis' } as const;
  assert.is(costText(costFrom('0-5'), display), 'Gratis – 5€');
  assert.is(costText(costFrom('$5'), display), '$5');
});

cost('whatever is written is read without failing, and a stored cost is never shown as nothing', () => {
  const part = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('1', '0', '23', ',', '.', ' ', '$', '€', '-', 'zł', 'USD', 'x', "'", '<') }),
  );
  fc.assert(
    fc.property(fc.oneof(part, fc.array(part, { maxLength: 4 })), (input) => {
      const stored = costFrom(input);
      if (stored === null) return;
      assert.ok(costText(stored, DISPLAY) !== '');
      assert.equal(costFrom([...stored.entries]), stored);
    }),
    { numRuns: 500 },
  );
});

cost('blanks before the sign of a list belong to no entry', () => {
  assert.equal(costFrom('1 , 2 ; 3')?.entries, ['1', '2', '3']);
});

cost('any two whole amounts give lowest and highest', () => {
  const amount = fc.integer({ min: 1, max: 999_999 });
  fc.assert(
    fc.property(amount, amount, (a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      assert.is(costText(costFrom([a, b]), DISPLAY), low === high ? `$${low}` : `$${low} – $${high}`);
    }),
  );
});

cost('free of charge is what says so, in words or as zero, in every entry', () => {
  const free = [
    '0',
    '$0.00',
    'Free',
    'free of charge',
    'Eintritt frei',
    'GRATIS',
    'Entrée libre',
    '無料',
    [0, 'free'],
    'free ($5 donation)',
  ];
  const other = [
    '',
    '0 - 10',
    '5',
    'Free for members, $10 others',
    'Free for members, donation $5',
    'freestyle',
    'donation',
    [0, 5],
    ['free', 'ask'],
  ];
  assert.equal(
    free.filter((input) => !isFree(costFrom(input))),
    [],
  );
  assert.equal(
    other.filter((input) => isFree(costFrom(input))),
    [],
  );
});

cost.run();
