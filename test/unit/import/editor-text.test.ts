import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { costFrom, costText, costValues } from '../../../src/calendar/event/domain/cost.ts';
import { typedAddress, typedCost, typedTitle } from '../../../src/exchange/import/editor-text.ts';
import { displayTitle } from '../../../src/kernel/text/typography.ts';

const test = suite('what an editor had typed');

const DISPLAY = { signBefore: '$', signAfter: '', freeLabel: 'Free' } as const;

test('typography is undone', () => {
  assert.is(typedTitle('Run Club &#8211; Spring&#8212;Summer'), 'Run Club - Spring---Summer');
  assert.is(typedTitle('Healing&#8211;Juice'), 'Healing--Juice');
  assert.is(typedTitle('Cat&#8217;s &#8220;Hill&#8221; &#038; more&#8230;'), 'Cat\'s "Hill" & more...');
  assert.is(typedTitle('5&#215;5'), '5x5');
});

test('a title that would be displayed differently keeps its entities', () => {
  for (const title of ['&#8217;&#8217;Both', 'a &#215; b', '1&#8243;&#8220;', 'Lee &amp; White', '&#127881; Party']) {
    assert.is(displayTitle(typedTitle(title)), title);
  }
  assert.is(typedTitle('a &#215; b'), 'a &#215; b');
});

test('an address loses the encoding that HTML asked for and nothing else', () => {
  assert.is(typedAddress('https://a.example/?b=1&amp;c=2&#038;d=%20'), 'https://a.example/?b=1&c=2&d=%20');
  assert.is(typedAddress('https://a.example/?b=1&copy=2'), 'https://a.example/?b=1&copy=2');
});

test('a cost is shown again as it was', () => {
  const shown = [
    { text: 'Free', values: ['0'], symbol: '$', position: 'prefix' },
    { text: '$10 – $20', values: ['10', '20'], symbol: '$', position: 'prefix' },
    { text: '25€', values: ['25'], symbol: '€', position: 'postfix' },
    { text: 'Donation', values: ['donation'], symbol: '', position: '' },
    { text: '$10 – $30', values: ['10', '20', '30'], symbol: '$', position: 'prefix' },
  ];
  for (const cost of shown) {
    const input = typedCost(cost, DISPLAY);
    const stored = input === null ? null : costFrom(input);
    assert.is(costText(stored, DISPLAY), cost.text);
    assert.equal(costValues(stored), cost.values);
    assert.is(stored?.symbol, cost.symbol);
  }
  assert.is(typedCost({ text: '', values: [], symbol: '', position: '' }, DISPLAY), null);
});

test.run();
