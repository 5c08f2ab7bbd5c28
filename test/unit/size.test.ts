import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { budgets, sizes } from '../../scripts/size.mjs';

const size = suite('size of the rooms');

size('no room has more tokens than test/size.json allows', () => {
  const allowed = budgets();
  const grown = Object.entries(sizes()).flatMap(([room, tokens]) =>
    tokens > (allowed[room] ?? 0) ? [`${room}: ${tokens} tokens, allowed ${allowed[room] ?? 0}`] : [],
  );
  assert.equal(grown, [], 'see the head of scripts/size.mjs');
});

size('test/size.json names no room that is gone', () => {
  const rooms = sizes();
  assert.equal(
    Object.keys(budgets()).filter((room) => rooms[room] === undefined),
    [],
  );
});

size.run();
